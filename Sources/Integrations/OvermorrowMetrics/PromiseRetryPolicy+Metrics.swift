#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseRetryPolicy {
    /// Returns a policy that behaves like this policy, and counts the errors after which another attempt may begin. The
    /// counter is `LABEL.retries`.
    ///
    /// An error is counted even if the deadline of the policy rules out another attempt. Conditions that are added to
    /// the policy after this call are evaluated after the error is counted, so add conditions before this call.
    ///
    /// - Runs on: the context of the attempts.
    /// - Parameters:
    ///   - label: The prefix of the label, such as `"downloads"`.
    ///   - dimensions: The dimensions of the counter; none by default.
    ///   - factory: The factory of the counter; `nil` means the factory of the program's metrics system.
    public func recordingMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) -> PromiseRetryPolicy {
      let retries = Counter(
        label: "\(label).retries", dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
      return onlyIf { _ in
        retries.increment()
        return true
      }
    }
  }
#endif
