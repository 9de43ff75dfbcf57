internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The delays between the attempts of a retry.
///
/// ```swift
/// let backoff = PromiseRetryBackoff.exponential(.milliseconds(200)).capped(at: .seconds(10)).jittered(0.5...1)
/// ```
///
/// Each delay is clamped to the range from zero to about 95 years.
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
  /// The changes, in the order in which they were added.
  private var changes: [Change] = []

  private init(_ base: Base) { self.base = base }

  /// Creates a backoff whose delays are computed by a closure.
  ///
  /// - Parameter delay: A closure that returns the delay after a failed attempt. The closure is called with the number
  ///   of that attempt, counted from 1, on the context of the retry.
  public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) { self.init(.custom(delay)) }

  /// A backoff without delays.
  public static var none: PromiseRetryBackoff { PromiseRetryBackoff(.constant(.zero)) }

  /// Returns a backoff that always has the same delay.
  ///
  /// - Parameter delay: The delay. Zero or less means no delay.
  public static func constant(_ delay: Duration) -> PromiseRetryBackoff { PromiseRetryBackoff(.constant(delay)) }

  /// Returns a backoff in which each delay is the previous delay multiplied by a factor.
  ///
  /// - Parameters:
  ///   - initial: The delay after the first attempt. Zero or less means that there is never a delay.
  ///   - factor: The ratio of each delay to the previous delay, 2 by default. If the factor is below 1, each delay is
  ///     shorter than the previous delay. A negative factor or NaN counts as 1.
  public static func exponential(_ initial: Duration, factor: Double = 2) -> PromiseRetryBackoff {
    let factor = Diagnostics.replace(
      factor, by: factor >= 0 ? factor : 1, "PromiseRetryBackoff.exponential(factor:)")
    return PromiseRetryBackoff(.exponential(initial, factor: factor))
  }

  /// Returns a backoff with the same delays, limited to a maximum. If jitter is added after this call, a delay may
  /// exceed the maximum.
  ///
  /// - Parameter limit: The longest delay. Zero or less means no delay.
  public func capped(at limit: Duration) -> PromiseRetryBackoff { adding(.cap(limit)) }

  /// Returns a backoff with the same delays, each multiplied by a random factor. If many callers use such a backoff,
  /// their retries are spread over time.
  ///
  /// - Parameter range: The range of the random factor. The default, `0...1`, is known as full jitter; `0.5...1` is
  ///   known as equal jitter. Bounds below 0 count as 0.
  public func jittered(_ range: ClosedRange<Double> = 0...1) -> PromiseRetryBackoff {
    adding(.jitter(Diagnostics.replace(range, by: range.finiteNonNegative, "PromiseRetryBackoff.jittered(_:)")))
  }

  /// Returns the delay after a failed attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt, counted from 1. A number below 1 counts as 1.
  ///   - generator: The source of random numbers for jitter.
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

  /// A description of the delays.
  var text: String {
    let delays =
      switch base {
      case .constant(.zero): "no delays"
      case .constant(let delay): "delays of \(delay)"
      case .exponential(let initial, let factor): "delays from \(initial) with a factor of \(factor)"
      case .custom: "delays from a closure"
      }
    return changes.reduce(delays) { text, change in
      switch change {
      case .cap(let limit): "\(text), capped at \(limit)"
      case .jitter(let range): "\(text), jittered by \(range)"
      }
    }
  }

  /// Returns a valid number of attempts. The function is here because this type is not generic.
  @usableFromInline
  static func usable(attempts: Int) -> Int {
    attempts >= 1 ? attempts : Diagnostics.replace(attempts, by: 1, "PromiseRetryPolicy.attempts")
  }

  private func adding(_ change: Change) -> PromiseRetryBackoff {
    var backoff = self
    backoff.changes.append(change)
    return backoff
  }
}

extension Double {
  /// Returns this number to the power of an integer, in one step for each bit of the exponent.
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
