import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// An executor that runs an actor's jobs when the test says so, and records their priorities.
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
  // Unsafe: the actor retains its executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe jobs.asUnownedSerialExecutor() }
}

@Suite(.inTurn) struct ActorPriorityTests {
  @Test("2.18 callbacks that wait for an actor have the priority of the first one")
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
