import Dispatch
import Testing

@testable import Overmorrow

/// Runs the jobs of an actor when a test says so, and knows their priorities.
private final class ManualJobs: SerialExecutor {
  private let jobs = Guarded<[UnownedJob]>([])
  private let priorities = Guarded<[(priority: UInt8, latch: Latch)]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let priority = job.priority.rawValue
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    let expected = priorities.withLock { $0 }
    for (least, latch) in expected where priority >= least { latch.signal() }
  }

  /// Opens when there is a job with such a priority, or a higher one.
  func expect(_ priority: TaskPriority) -> Latch {
    let latch = Latch()
    priorities.withLock { $0.append((priority.rawValue, latch)) }
    return latch
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
  @Test("2.18 work for an actor makes those before it as urgent as itself, and keeps its order")
  func urgency() async {
    let (clerk, log, done) = (Clerk(), Recorder<Int>(), Latch(3))
    for (number, priority) in [TaskPriority.background, .high, .low].enumerated() {
      let (arrived, registered) = (clerk.jobs.expect(number == 2 ? .background : priority), Latch())
      Task.detached(priority: priority) {
        Promise<Int, Never>(fulfilled: number).then(on: .actor(clerk)) {
          log.record($0)
          done.signal()
        }
        registered.signal()
      }
      await registered.wait(for: "a callback")
      if number < 2 { await arrived.wait(for: "a job with the priority \(priority)") }
    }
    clerk.jobs.runAll()
    await done.wait(for: "three callbacks", within: .seconds(0))
    #expect(log.entries == [0, 1, 2])
  }
}
