/// Measures the time since its creation on a clock.
struct Stopwatch: Sendable {
  private let start: ContinuousClock.Instant
  /// Returns the time on a clock other than the continuous clock; `nil` on the continuous clock.
  private let elapsedOnOtherClock: (@Sendable () -> Duration)?

  init(_ clock: any Clock<Duration>) {
    elapsedOnOtherClock = clock is ContinuousClock ? nil : clock.stopwatch()
    start = .now
  }

  /// The time since the creation. On the continuous clock, this code is not generic, because it runs for each call of a
  /// breaker or a rate limiter.
  var elapsed: Duration {
    if let elapsedOnOtherClock { elapsedOnOtherClock() } else { start.duration(to: .now) }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Returns a closure that returns the time since this call.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
