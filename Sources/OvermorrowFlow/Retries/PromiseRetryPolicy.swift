internal import Overmorrow
internal import OvermorrowEngine

/// A policy for retries: the number of attempts, the errors after which to retry, the delays, and a deadline.
///
/// ```swift
/// let policy = PromiseRetryPolicy<LoadError>(attempts: 5, backoff: .exponential(.seconds(1)), deadline: .seconds(30))
///   .onlyIf { $0.isTransient }
///   .retryAfter { $0.serverAdvice }
/// ```
///
/// A policy is a value that can be used for any number of retries. `Promise.retry` applies a policy.
public struct PromiseRetryPolicy<Failure: Sendable>: Sendable {
  /// The largest number of attempts, including the first. A value below 1 counts as 1.
  public var attempts: Int {
    didSet { attempts = PromiseRetryBackoff.usable(attempts: attempts) }
  }

  /// The delays between attempts.
  public var backoff: PromiseRetryBackoff

  /// The deadline for starting an attempt, measured from the call of `retry`; `nil` means no deadline.
  ///
  /// If the next attempt would begin at the deadline or later, the last result is final, and the retry ends at once
  /// instead of waiting. The first attempt always begins, and a running attempt is not interrupted. Zero or less means
  /// that only one attempt begins.
  public var deadline: Duration?

  /// The budget from which each further attempt takes a retry; `nil`, the default, means no limit. If the budget is
  /// used up, the last result is final.
  ///
  /// The retry is taken before the delay, so that the last result is final at once and not after the delay. If the
  /// further attempt does not begin because of a request to cancel during the delay, or because the deadline passes,
  /// the budget gets the retry back.
  public var budget: PromiseRetryBudget?

  /// The HTTP statuses after which a network session sends a request again, and the methods of the requests that it may
  /// send more than once; `nil` if the policy does not depend on them.
  @usableFromInline package var requests: (statuses: Set<Int>, methods: Set<String>)?

  /// The observers of the further attempts that begin, and of those that the deadline or the budget refuses.
  @usableFromInline package var observers: [FlowObserver] = []

  @usableFromInline var conditions: [@Sendable (Failure) -> Bool] = []
  /// The closures that may return a delay. `isAtLeastBackoff` tells whether the delay of the backoff replaces a shorter
  /// delay that the closure returns.
  @usableFromInline var advisers: [(advice: @Sendable (Failure) -> Duration?, isAtLeastBackoff: Bool)] = []

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attempts: The largest number of attempts, including the first. 3 by default. A value below 1 counts as 1.
  ///   - backoff: The delays between attempts. None by default.
  ///   - deadline: The deadline for starting an attempt, measured from the call of `retry`. `nil`, the default, means
  ///     no deadline.
  @inlinable
  public init(attempts: Int = 3, backoff: PromiseRetryBackoff = .none, deadline: Duration? = nil) {
    self.attempts = PromiseRetryBackoff.usable(attempts: attempts)
    self.backoff = backoff
    self.deadline = deadline
  }

  /// Returns a policy that retries only after certain errors.
  ///
  /// - Parameter isWorthwhile: A closure that returns whether to retry after an error. The closure is called on the
  ///   context of the retry, and only if attempts are left. If there are several such closures, they are called in the
  ///   order in which they were added. The retry goes on only if all of them return `true`.
  public func onlyIf(_ isWorthwhile: @escaping @Sendable (_ error: Failure) -> Bool) -> PromiseRetryPolicy {
    var policy = self
    policy.conditions.append(isWorthwhile)
    return policy
  }

  /// Returns a policy in which an error may specify the delay, for instance through a server's `Retry-After`.
  ///
  /// - Parameter advice: A closure that returns the delay after an error. This delay replaces the delay of ``backoff``,
  ///   so the cap and the jitter of the backoff do not apply to it. `nil` means the delay of the backoff, and zero or
  ///   less means no delay. The closure is called on the context of the retry. If there are several such closures, they
  ///   are called in the order in which they were added, until one of them returns a delay.
  public func retryAfter(_ advice: @escaping @Sendable (_ error: Failure) -> Duration?) -> PromiseRetryPolicy {
    adding(advice, isAtLeastBackoff: false)
  }

  /// Returns a policy in which an error may specify a longer delay than the delay of ``backoff``.
  package func retryAfterAtLeast(_ advice: @escaping @Sendable (_ error: Failure) -> Duration?) -> PromiseRetryPolicy {
    adding(advice, isAtLeastBackoff: true)
  }

  private func adding(
    _ advice: @escaping @Sendable (Failure) -> Duration?, isAtLeastBackoff: Bool
  ) -> PromiseRetryPolicy {
    var policy = self
    policy.advisers.append((advice, isAtLeastBackoff))
    return policy
  }

  /// Returns the delay before the next attempt, and the retry that was taken from the budget, if there is one. Returns
  /// `nil` if there is no further attempt.
  ///
  /// - Parameter error: The error of the attempt; `nil` if the attempt has a value that is not right.
  func delay(
    after attempt: Int, _ error: Failure?, elapsed: () -> Duration, using generator: inout some RandomNumberGenerator
  ) -> (delay: Duration, retry: PromiseRetryBudget.Retry?)? {
    guard attempt < attempts, error.map({ error in conditions.allSatisfy { $0(error) } }) ?? true else { return nil }
    let advice = error.flatMap { error in
      advisers.lazy.compactMap { adviser in
        adviser.advice(error).map { (delay: $0, isAtLeastBackoff: adviser.isAtLeastBackoff) }
      }.first
    }
    let delay =
      if let advice, !advice.isAtLeastBackoff { advice.delay } else {
        max(advice?.delay ?? .zero, backoff.delay(after: attempt, using: &generator))
      }
    guard allowsAttempt(after: delay, elapsed: elapsed) else { return nil }
    guard let budget else { return (delay, nil) }
    guard let retry = budget.takeRetry() else {
      note(.refused)
      return nil
    }
    return (delay, retry)
  }

  /// Returns whether a further attempt that begins after a delay begins before the deadline.
  func allowsAttempt(after delay: Duration = .zero, elapsed: () -> Duration) -> Bool {
    guard let deadline, delay.asWait >= deadline.asWait - elapsed().asWait else { return true }
    note(.refused)
    return false
  }

  /// Records that a further attempt begins.
  func beginRetry(_ retry: PromiseRetryBudget.Retry?) {
    retry?.use()
    note(.begins)
  }

  private func note(_ event: FlowEvent) { for observer in observers { observer(event) } }
}

extension PromiseRetryPolicy where Failure == any Error {
  /// Creates a policy for any error.
  ///
  /// If no type says otherwise, `PromiseRetryPolicy(attempts: 3)` is a policy for any error.
  ///
  /// - Parameters:
  ///   - attempts: The largest number of attempts, including the first. 3 by default. A value below 1 counts as 1.
  ///   - backoff: The delays between attempts. None by default.
  ///   - deadline: The deadline for starting an attempt, measured from the call of `retry`. `nil`, the default, means
  ///     no deadline.
  @inlinable
  public init(attempts: Int = 3, backoff: PromiseRetryBackoff = .none, deadline: Duration? = nil) {
    self.attempts = PromiseRetryBackoff.usable(attempts: attempts)
    self.backoff = backoff
    self.deadline = deadline
  }
}
