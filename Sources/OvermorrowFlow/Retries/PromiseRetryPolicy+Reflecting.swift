internal import Overmorrow

extension PromiseRetryBudget: CustomDebugStringConvertible, CustomReflectable {
  /// The numbers of retries and of successes in the window, and the number of retries that the budget allows.
  public var debugDescription: String {
    let (retries, successes, allowed) = content
    return
      "PromiseRetryBudget(\(retries) of \(allowed) retries used, after \(successes.counting("successful attempt")))"
  }

  /// The mirror that `dump` and a debugger show: the numbers of `retries` and `successes` in the window, and the number
  /// of retries that the budget allows, `allowed`.
  public var customMirror: Mirror {
    let (retries, successes, allowed) = content
    return Mirror(
      self, children: ["retries": retries, "successes": successes, "allowed": allowed], displayStyle: .class)
  }
}

extension PromiseRetryPolicy: CustomDebugStringConvertible {
  /// The number of attempts, the backoff and the deadline of the policy, the numbers of its closures, and its budget.
  public var debugDescription: String {
    let parts = [
      "at most \(attempts.counting("attempt"))", backoff.text, deadline.map { "none begins after \($0)" },
      conditions.isEmpty ? nil : conditions.count.counting("condition"),
      advisers.isEmpty ? nil : "\(advisers.count.counting("closure")) for the delay",
      budget?.debugDescription,
    ]
    return "PromiseRetryPolicy<\(Failure.self)>(\(parts.compactMap { $0 }.joined(separator: ", ")))"
  }
}

extension PromiseRetryBackoff: CustomDebugStringConvertible {
  /// The kind of the delays, and the caps and the jitter in the order in which they were added.
  public var debugDescription: String { "PromiseRetryBackoff(\(text))" }
}
