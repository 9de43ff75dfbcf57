/// How often to try something again, after which errors, how long to wait in between, and when to give up.
///
/// ```swift
/// let policy = PromiseRetryPolicy<LoadError>(attempts: 5, backoff: .exponential(.seconds(1)), deadline: .seconds(30))
///   .onlyIf { $0.isTransient }
///   .retryAfter { $0.serverAdvice }
/// ```
///
/// A policy is a value, to be made once and used for any number of retries; `Promise.retry` runs it.
public struct PromiseRetryPolicy<Failure: Sendable>: Sendable {
  /// How many attempts there are at most, the first one included. Less than 1 counts as 1.
  public var attempts: Int {
    didSet { attempts = PromiseRetryPolicy.usable(attempts) }
  }

  /// How long to wait between attempts.
  public var backoff: PromiseRetryBackoff

  /// For how long attempts may begin, measured from the call of `retry`; `nil` means for ever.
  ///
  /// An attempt that would begin later than that does not: the error of the one before is final, and nothing is waited
  /// for in vain. The first attempt always begins, and an attempt on its way is left alone. Zero or less means a single
  /// attempt.
  public var deadline: Duration?

  /// What another module of the library keeps with the policy, and looks up.
  package var note: (any Sendable)?

  private var conditions: [@Sendable (Failure) -> Bool] = []
  private var advisers: [@Sendable (Failure) -> Duration?] = []

  /// A policy.
  ///
  /// - Parameters:
  ///   - attempts: How many attempts there are at most, the first one included. Less than 1 counts as 1.
  ///   - backoff: How long to wait between attempts.
  ///   - deadline: For how long attempts may begin, measured from the call of `retry`; `nil` means for ever.
  public init(attempts: Int = 3, backoff: PromiseRetryBackoff = .none, deadline: Duration? = nil) {
    self.attempts = PromiseRetryPolicy.usable(attempts)
    self.backoff = backoff
    self.deadline = deadline
  }

  private static func usable(_ attempts: Int) -> Int {
    Diagnostics.replace(attempts, by: max(attempts, 1), "PromiseRetryPolicy.attempts")
  }

  /// The same policy for fewer errors.
  ///
  /// - Parameter isWorthwhile: Whether another attempt may do better after an error. Called where the attempts run, and
  ///   only if there are attempts left. Of several closures all have to agree; the first one given is asked first.
  public func onlyIf(_ isWorthwhile: @escaping @Sendable (_ error: Failure) -> Bool) -> PromiseRetryPolicy {
    var policy = self
    policy.conditions.append(isWorthwhile)
    return policy
  }

  /// The same policy, but for errors that say themselves how long to wait, as a server's `Retry-After` does.
  ///
  /// - Parameter advice: How long to wait after an error, instead of what ``backoff`` says, its cap and its jitter
  ///   included; `nil` leaves it to the backoff. Zero or less means not at all. Called where the attempts run. Of
  ///   several closures the first one given is asked first.
  public func retryAfter(_ advice: @escaping @Sendable (_ error: Failure) -> Duration?) -> PromiseRetryPolicy {
    var policy = self
    policy.advisers.append(advice)
    return policy
  }

  /// How long to wait before the next attempt; `nil` if there is to be none.
  func pause(
    after attempt: Int, _ error: Failure, elapsed: () -> Duration, using generator: inout some RandomNumberGenerator
  ) -> Duration? {
    guard attempt < attempts, conditions.allSatisfy({ $0(error) }) else { return nil }
    let advice = advisers.lazy.compactMap { $0(error) }.first
    let pause = advice ?? backoff.delay(after: attempt, using: &generator)
    return allowsAttempt(after: pause, elapsed: elapsed) ? pause : nil
  }

  /// Whether an attempt may still begin after a pause.
  func allowsAttempt(after pause: Duration = .zero, elapsed: () -> Duration) -> Bool {
    deadline.map { pause.asWait < $0.asWait - elapsed().asWait } ?? true
  }
}
