import Dispatch
package import Testing

/// Determines when a test runs. Every suite has one of these traits: ``Testing/Trait/inTurn``, ``Testing/Trait/heavy``
/// or ``Testing/Trait/compiling``.
///
/// Swift Testing starts all tests at once, on as many threads as there are processors. Without these traits, a task
/// that a test starts, or the rest of a test after an `await`, would wait behind the work of a thousand other tests,
/// for minutes, until the test's time limits have passed. So only a few tests are admitted at a time, and the others
/// have not started.
package struct Turns: SuiteTrait, TestTrait, TestScoping {
  /// Whether a suite that encloses the test has already been admitted.
  @TaskLocal private static var hasTurn = false
  fileprivate static let lightTests = Turns(gate: Turnstile(width: 8))
  fileprivate static let heavyTests = Turns(gate: Turnstile(width: 1), executor: HeavyQueue())
  fileprivate static let compilerTests = Turns(gate: Turnstile(width: 1))

  fileprivate let gate: Turnstile
  /// The executor of the test; `nil` for the threads of the pool.
  fileprivate var executor: HeavyQueue?
  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Turns? {
    testCase == nil || Turns.hasTurn ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if Turns.hasTurn { return try await function() }
    try await gate.run {
      try await Turns.$hasTurn.withValue(true) {
        try await withTaskExecutorPreference(executor) { try await function() }
      }
    }
  }
}

extension Trait where Self == Turns {
  /// The test waits for its turn and runs beside a few others.
  package static var inTurn: Turns { Turns.lightTests }

  /// The test takes seconds. It runs alone among heavy tests, and not on the threads of the pool.
  package static var heavy: Turns { Turns.heavyTests }

  /// The test waits for compiler processes. One such test runs at a time, beside at most one heavy test.
  package static var compiling: Turns { Turns.compilerTests }
}

private final class HeavyQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "heavy tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: this executor is never deallocated.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
