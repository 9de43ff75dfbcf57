#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseRetryPolicy {
    /// Returns a policy that behaves like this policy, and counts the further attempts that begin in the counter
    /// `LABEL.retries`.
    ///
    /// The counter `LABEL.refused` counts the further attempts that do not begin because of the deadline or the budget.
    ///
    /// - Runs on: the context of the attempts.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"downloads"`.
    ///   - dimensions: The dimensions of both counters; none by default.
    ///   - factory: The factory of the counters; `nil` means the factory of the program's metrics system.
    public func recordingMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) -> PromiseRetryPolicy {
      let factory = factory ?? MetricsSystem.factory
      let retries = Counter(label: "\(label).retries", dimensions: dimensions, factory: factory)
      let refused = Counter(label: "\(label).refused", dimensions: dimensions, factory: factory)
      var policy = self
      policy.observers.append { event in
        switch event {
        case .begins: retries.increment()
        case .refused: refused.increment()
        default: break
        }
      }
      return policy
    }
  }
#endif
