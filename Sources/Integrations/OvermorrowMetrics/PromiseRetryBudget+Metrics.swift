#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseRetryBudget {
    /// Counts the retries that the budget has paid in the counter `LABEL.retries`, and those that it has refused in the
    /// counter `LABEL.refused`.
    ///
    /// A retry that the budget gets back, because its attempt does not begin, is not counted.
    ///
    /// Call this method once, before the first call. A budget without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that begins or ends an attempt.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"service"`.
    ///   - dimensions: The dimensions of all counters; none by default.
    ///   - factory: The factory of the counters; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      let retries = Counter(label: "\(label).retries", dimensions: dimensions, factory: factory)
      let refused = Counter(label: "\(label).refused", dimensions: dimensions, factory: factory)
      observe { event in
        switch event {
        case .begins: retries.increment()
        case .refused: refused.increment()
        default: break
        }
      }
    }
  }
#endif
