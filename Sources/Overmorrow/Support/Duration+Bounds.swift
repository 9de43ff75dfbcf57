internal import Dispatch

// An `Int` has 32 bits on some platforms, such as older watches, so it ends at two thousand million.

extension Duration {
  /// The longest wait, nearly a hundred years: instants much farther away cannot be computed.
  static var longestWait: Duration { Duration(secondsComponent: 3_000_000_000, attosecondsComponent: 0) }

  /// The same length, within zero and ``longestWait``.
  package var asWait: Duration { min(max(self, .zero), .longestWait) }

  /// The length of a wait as Dispatch takes it, rounded up; less only if Dispatch cannot express it.
  ///
  /// - Parameter largest: The largest number of units that Dispatch takes, in an `Int`. The unit is the finest one in
  ///   which the number fits.
  func dispatchInterval(upTo largest: Int64 = Int64(Int.max)) -> DispatchTimeInterval {
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
