/// The error of work that was refused, and has therefore not begun.
public enum PromiseRefusalError: Error, Hashable {
  /// A ``PromiseGate`` was closed.
  case gateClosed
  /// A ``PromiseCircuitBreaker`` was open. `retryAfter` is the time until the breaker may admit a trial call; `nil` if
  /// trial calls are running.
  case circuitOpen(retryAfter: Duration?)
  /// A ``PromiseRateLimiter`` or a ``PromiseKeyedRateLimiter`` had no token in time. `retryAfter` is the time until a
  /// call may be admitted.
  case rateExceeded(retryAfter: Duration)
  /// All places of a ``PromiseLimiter`` were occupied, and its queue was full.
  case queueFull(width: Int, maxPending: Int)
  /// No place of a ``PromiseLimiter`` became free within the longest wait.
  case waitExpired(maxWait: Duration, width: Int)
  /// The code would wait for itself: what it waits for cannot come before the code itself has ended.
  case waitsForItself

  /// The time after which another call may be admitted; `nil` if that time is not known.
  ///
  /// In a retry, pass this time to `PromiseRetryPolicy.retryAfter(_:)`.
  public var retryAfter: Duration? {
    switch self {
    case .circuitOpen(let wait): wait
    case .rateExceeded(let wait): wait
    case .gateClosed, .queueFull, .waitExpired, .waitsForItself: nil
    }
  }
}

extension PromiseRefusalError: CustomStringConvertible {
  /// A description of the reason.
  public var description: String {
    switch self {
    case .gateClosed: "the gate is closed"
    case .circuitOpen: "the circuit breaker is open"
    case .rateExceeded: "the rate of calls is too high"
    case .queueFull(let width, let maxPending):
      "the queue of the limiter is full: \(width) run at a time, and \(maxPending) may wait"
    case .waitExpired(let maxWait, let width):
      "no place of the limiter became free within \(maxWait): \(width) run at a time"
    case .waitsForItself: "the code would wait for itself"
    }
  }
}
