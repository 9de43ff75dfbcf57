package import Dispatch

// On some platforms, such as older watches, an `Int` has 32 bits and a maximum of about two billion.

extension Duration {
  /// The longest wait, about 95 years. Instants much farther away cannot be computed.
  package static var longestWait: Duration { Duration(secondsComponent: 3_000_000_000, attosecondsComponent: 0) }

  /// This duration, clamped to the range from zero to ``longestWait``.
  package var asWait: Duration { min(max(self, .zero), .longestWait) }

  /// Returns this duration, clamped like ``asWait``, as an interval of Dispatch. The interval is rounded up. If the
  /// clamped duration is too long for Dispatch, the interval is the longest that Dispatch takes.
  ///
  /// - Parameter largest: The largest number of units that Dispatch takes, as an `Int`. The unit is the finest one for
  ///   which the number fits.
  package func dispatchInterval(upTo largest: Int64 = Int64(Int.max)) -> DispatchTimeInterval {
    let (seconds, attoseconds) = asWait.components
    func count(perSecond units: Int64) -> Int? {
      let attosecondsPerUnit = 1_000_000_000 * (1_000_000_000 / units)
      let count = seconds * units + (attoseconds + attosecondsPerUnit - 1) / attosecondsPerUnit
      return count <= largest ? Int(count) : nil
    }
    if let number = count(perSecond: 1_000_000_000) { return .nanoseconds(number) }
    if let number = count(perSecond: 1_000_000) { return .microseconds(number) }
    if let number = count(perSecond: 1000) { return .milliseconds(number) }
    return .seconds(count(perSecond: 1) ?? Int(largest))
  }
}
