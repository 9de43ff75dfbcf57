/// How long to wait between the attempts of a retry.
///
/// ```swift
/// let backoff = PromiseRetryBackoff.exponential(.milliseconds(200)).capped(at: .seconds(10)).jittered(0.5...1)
/// ```
///
/// A delay is never negative, and never longer than about 95 years; whatever would be is the nearest that is not.
public struct PromiseRetryBackoff: Sendable {
  private enum Base: Sendable {
    case constant(Duration)
    case exponential(Duration, factor: Double)
    case custom(@Sendable (Int) -> Duration)
  }

  private enum Change: Sendable {
    case cap(Duration)
    case jitter(ClosedRange<Double>)
  }

  private let base: Base
  /// In the order in which they were asked for.
  private var changes: [Change] = []

  private init(_ base: Base) { self.base = base }

  /// Delays that a closure computes.
  ///
  /// - Parameter delay: Called with the number of the attempt that has failed, from 1 on, where the retry runs its
  ///   attempts.
  public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) { self.init(.custom(delay)) }

  /// No delay at all.
  public static var none: PromiseRetryBackoff { PromiseRetryBackoff(.constant(.zero)) }

  /// Always the same delay.
  ///
  /// - Parameter delay: How long to wait; zero or less means not at all.
  public static func constant(_ delay: Duration) -> PromiseRetryBackoff { PromiseRetryBackoff(.constant(delay)) }

  /// Each delay longer than the one before.
  ///
  /// - Parameters:
  ///   - initial: How long to wait after the first attempt; zero or less means never to wait.
  ///   - factor: How many times longer each further delay is. One that is negative or not a number counts as 1.
  public static func exponential(_ initial: Duration, factor: Double = 2) -> PromiseRetryBackoff {
    let factor = Diagnostics.replace(factor, by: factor >= 0 ? factor : 1, "PromiseRetryBackoff.exponential(factor:)")
    return PromiseRetryBackoff(.exponential(initial, factor: factor))
  }

  /// The same delays, none longer than a limit. What comes later in the chain, such as jitter, may go beyond it.
  ///
  /// - Parameter limit: The longest delay; zero or less means not to wait at all.
  public func capped(at limit: Duration) -> PromiseRetryBackoff { adding(.cap(limit)) }

  /// The same delays, each multiplied by a number drawn at random, so that many callers do not come back all at once.
  ///
  /// - Parameter range: What to draw from: `0...1`, the default, is known as full jitter, `0.5...1` as equal jitter.
  ///   Bounds below 0 count as 0.
  public func jittered(_ range: ClosedRange<Double> = 0...1) -> PromiseRetryBackoff {
    adding(.jitter(Diagnostics.replace(range, by: range.drawable, "PromiseRetryBackoff.jittered(_:)")))
  }

  /// The delay after an attempt that has failed.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt, from 1 on; less than 1 counts as 1.
  ///   - generator: Where jitter takes its random numbers from.
  public func delay(after attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let attempt = max(attempt, 1)
    let delay =
      switch base {
      case .constant(let delay): delay
      case .exponential(let initial, let factor): initial.scaled(by: factor.power(attempt - 1))
      case .custom(let delay): delay(attempt)
      }
    return changes.reduce(delay.scaled(by: 1)) { delay, change in
      switch change {
      case .cap(let limit): max(min(delay, limit), .zero)
      case .jitter(let range): delay.scaled(by: .random(in: range, using: &generator))
      }
    }
  }

  private func adding(_ change: Change) -> PromiseRetryBackoff {
    var backoff = self
    backoff.changes.append(change)
    return backoff
  }
}

extension Duration {
  /// So many times as long, from zero to ``longestWait``.
  fileprivate func scaled(by factor: Double) -> Duration {
    guard self > .zero, factor > 0 else { return .zero }
    // A product that could not be expressed would trap.
    return self / .seconds(1) * factor < Duration.longestWait / .seconds(1) ? self * factor : .longestWait
  }
}

extension Double {
  /// This number to the power of a whole one, in as many steps as that has bits.
  fileprivate func power(_ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, self, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}

extension ClosedRange<Double> {
  /// The nearest range that numbers can be drawn from.
  fileprivate var drawable: ClosedRange<Double> {
    // No number can be drawn from a range that has no end.
    clamped(to: 0...(.greatestFiniteMagnitude))
  }
}
