import Dispatch
package import Testing

/// When a test runs. Every suite says so: see ``Testing/Trait/inTurn``, ``Testing/Trait/heavy`` and
/// ``Testing/Trait/compiling``.
///
/// Swift Testing begins all tests together, on as many threads as there are processors. What one of them starts as a
/// task, or goes on with after an `await`, then comes after all that a thousand others have begun: minutes later, when
/// its waits have long run out. So only a few are let in at a time; the others have not begun.
package struct Turns: SuiteTrait, TestTrait, TestScoping {
  /// Whether the test has its turn, by a suite around its own.
  @TaskLocal private static var hasTurn = false
  fileprivate static let lights = Turns(gate: Gate(width: 8))
  fileprivate static let heavies = Turns(gate: Gate(width: 1), executor: HeavyQueue())
  fileprivate static let compilers = Turns(gate: Gate(width: 1))

  fileprivate let gate: Gate
  /// Where the test runs, unless that is on the threads of the pool.
  fileprivate var executor: HeavyQueue?
  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Turns? {
    testCase == nil || Turns.hasTurn ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if Turns.hasTurn { return try await function() }
    try await gate.pass {
      try await Turns.$hasTurn.withValue(true) {
        try await withTaskExecutorPreference(executor) { try await function() }
      }
    }
  }
}

extension Trait where Self == Turns {
  /// The test runs when it is its turn, beside a few others.
  package static var inTurn: Turns { Turns.lights }

  /// The test takes seconds: it runs alone among its like, and off the threads of the pool.
  package static var heavy: Turns { Turns.heavies }

  /// The test waits for compilers, which are processes of their own: one at a time, beside a heavy test.
  package static var compiling: Turns { Turns.compilers }
}

private final class HeavyQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "heavy tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Unsafe: this executor is never released.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
