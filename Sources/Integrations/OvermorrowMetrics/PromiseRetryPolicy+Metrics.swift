#if Metrics
  public import Metrics
  public import Overmorrow

  extension PromiseRetryPolicy {
    /// The same policy, which counts the errors that are worth another attempt, as the counter `LABEL.retries`.
    ///
    /// An attempt that the deadline of the policy rules out is counted, too. Conditions that are added to the policy
    /// afterwards are asked after the error is counted, so add them before.
    ///
    /// - Runs on: where the attempts run.
    /// - Parameters:
    ///   - label: The beginning of the label, such as `"downloads"`.
    ///   - dimensions: Dimensions of the counter.
    ///   - factory: What makes the counter; `nil` means the one that the program has chosen for all its metrics.
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
