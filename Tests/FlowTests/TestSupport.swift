// Re-exports the support code that all tests share.
import Overmorrow
import OvermorrowFlow
@_exported import OvermorrowTesting
@_exported import TestSupport

// The default type of promises for retries, limiters, caches and pauses in these tests.
typealias Subject = Promise<Int, Refusal>
typealias Probe = CancelProbe<Int, Refusal>
typealias Policy = PromiseRetryPolicy<Refusal>

/// The number of random programs that are compared with a model: 100,000 in the release suite, and a fiftieth or less in
/// a debug build.
var modelPrograms: Int {
  let count = scaled(100_000)
  return count == 100_000 ? count : count / 10
}

extension Counter {
  /// Counts an attempt and returns a promise that fails.
  func failedAttempt() -> Subject {
    increment()
    return Subject(rejected: .first)
  }
}

extension Tracker {
  /// Returns work that retains a new object.
  func work<R>(_ body: @escaping @Sendable () -> R) -> @Sendable () -> R {
    let object = make()
    return { withExtendedLifetime(object) { body() } }
  }

  /// Like the method above, for work with an argument.
  func work<T, R>(_ body: @escaping @Sendable (T) -> R) -> @Sendable (T) -> R {
    let object = make()
    return { value in withExtendedLifetime(object) { body(value) } }
  }
}

/// Advances a clock from async code without waiting for submitted work.
func tick(_ clock: TestClock, by duration: Duration) { clock.advance(by: duration) }

/// Cancels the task that calls this function.
func cancelCurrentTask() {
  // Unsafe: the task is used only inside the closure.
  unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
}

/// A number that identifies the task that calls this function.
func currentTaskNumber() -> Int? {
  // Unsafe: the task is used only inside the closure.
  unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
}
