import Dispatch
import Testing

@testable import Overmorrow

/// Runs the jobs of an actor when a test says so, and knows their priorities.
private final class ManualJobs: SerialExecutor {
  private let jobs = Guarded<[UnownedJob]>([])
  let priorities = Recorder<UInt8>()
  let first = Latch()

  func enqueue(_ job: consuming ExecutorJob) {
    priorities.record(job.priority.rawValue)
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    first.signal()
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      // Unsafe: the executor outlives the call.
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}

private actor Clerk {
  nonisolated let jobs = ManualJobs()
  // Unsafe: the actor keeps its executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe jobs.asUnownedSerialExecutor() }
}

@Suite(.inTurn) struct ActorPriorityTests {
  @Test("2.18 what waits for an actor has the priority of the first, and keeps its order")
  func priorityOfTheFirst() async {
    let (clerk, log, done) = (Clerk(), Recorder<Int>(), Latch(3))
    for (number, priority) in [TaskPriority.medium, .high, .low].enumerated() {
      let registered = Latch()
      Task.detached(priority: priority) {
        Promise<Int, Never>(fulfilled: number).then(on: .actor(clerk)) {
          log.record($0)
          done.signal()
        }
        registered.signal()
      }
      await registered.wait(for: "a callback")
    }
    await clerk.jobs.first.wait(for: "a job")
    clerk.jobs.runAll()
    await done.wait(for: "three callbacks", within: .seconds(0))
    #expect(log.entries == [0, 1, 2])
    #expect(clerk.jobs.priorities.entries.allSatisfy { $0 == TaskPriority.medium.rawValue })
  }
}
