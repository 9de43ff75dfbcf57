// The support that all tests share.
import Overmorrow
@_exported import OvermorrowTesting
@_exported import TestSupport

// What retries, limits, caches and pauses work on here, unless a suite says otherwise.
typealias Subject = Promise<Int, Refusal>
typealias Probe = CancelProbe<Int, Refusal>
typealias Policy = PromiseRetryPolicy<Refusal>

extension Counter {
  /// An attempt that is counted, and fails.
  func failedAttempt() -> Subject {
    increment()
    return Subject(rejected: .first)
  }
}

extension Tracker {
  /// Work that keeps a new object as long as it is there.
  func work<R>(_ body: @escaping @Sendable () -> R) -> @Sendable () -> R {
    let object = make()
    return { withExtendedLifetime(object) { body() } }
  }

  /// The same, for work that is given something.
  func work<T, R>(_ body: @escaping @Sendable (T) -> R) -> @Sendable (T) -> R {
    let object = make()
    return { value in withExtendedLifetime(object) { body(value) } }
  }
}
