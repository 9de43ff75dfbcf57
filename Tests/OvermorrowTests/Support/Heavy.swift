import Dispatch
import Testing

/// Runs the tests that take seconds on a queue of their own, one at a time.
///
/// All tests begin together on the threads of the pool, of which there are as many as processors: what one of them starts
/// as a task, or goes on with after an `await`, comes after all that the others have begun meanwhile. A few tests that
/// count to a million would keep it waiting for minutes. The queue's thread competes with the pool's for the processors
/// only, which the system divides between them.
struct Heavy: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Heavy? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(HeavyQueue.shared) { try await function() }
  }
}

extension Trait where Self == Heavy {
  /// The test takes seconds: it stays off the threads of the pool.
  static var heavy: Heavy { Heavy() }
}

private final class HeavyQueue: TaskExecutor {
  static let shared = HeavyQueue()

  private let queue = DispatchQueue(label: "heavy tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: this executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
