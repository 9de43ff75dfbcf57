internal import Overmorrow

/// How the lifetimes of the values of a cache differ from its time to live.
struct LifetimeSpread: Sendable {
  private let timeToLive: Duration
  private let jitter: ClosedRange<Double>
  /// How long before its end a value is due to be loaded again, in times that its load has taken.
  private let refreshAhead: Double

  /// `nil` if all lifetimes are equal.
  init?(timeToLive: Duration?, jitter: ClosedRange<Double>, refreshAhead: Double) {
    guard let timeToLive, timeToLive > .zero, jitter != 1...1 || refreshAhead > 0 else { return nil }
    (self.timeToLive, self.jitter, self.refreshAhead) = (timeToLive, jitter, refreshAhead)
  }

  /// Whether the times of loads matter.
  var needsLoadTimes: Bool { refreshAhead > 0 }

  /// Returns the difference between the lifetime of one value and the time to live.
  func difference() -> Duration {
    jitter == 1...1 ? .zero : timeToLive.scaled(by: Double.random(in: jitter)) - timeToLive
  }

  /// Returns how long before the end of its lifetime a value is due to be loaded again, in seconds: once to twice the
  /// time of its load, multiplied by the factor, and at most half of the lifetime.
  ///
  /// - Parameter difference: The difference between the lifetime and the time to live.
  func ahead(loadTime: Duration, _ difference: Duration) -> Float {
    guard refreshAhead > 0, loadTime > .zero else { return 0 }
    let time = loadTime / .seconds(1) * refreshAhead * Double.random(in: 1...2)
    return Float(max(min(time, (timeToLive + difference) / .seconds(2)), 0))
  }
}
