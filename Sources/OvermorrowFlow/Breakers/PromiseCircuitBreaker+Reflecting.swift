internal import Overmorrow

extension PromiseCircuitBreaker: CustomDebugStringConvertible, CustomReflectable {
  /// The state of the breaker. For a closed breaker, also the numbers of failures and of calls in the window. For an
  /// open breaker, also the time until a trial call is admitted. For a half-open breaker, also the numbers of trial
  /// calls.
  public var debugDescription: String { "PromiseCircuitBreaker(\(situation))" }

  /// The mirror that `dump` and a debugger show: the `state` of the breaker, and a description of its `situation`.
  public var customMirror: Mirror {
    Mirror(self, children: ["state": state, "situation": situation], displayStyle: .class)
  }
}
