#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseCircuitBreaker {
    /// Counts the calls in the counters `LABEL.successes`, `LABEL.failures` and `LABEL.refused`, and the changes to
    /// ``OvermorrowFlow/PromiseCircuitBreaker/State/open`` in the counter `LABEL.openings`.
    ///
    /// A success or failure is counted if it counts for the breaker. For a gauge of the state, use
    /// ``OvermorrowFlow/PromiseCircuitBreaker/states``.
    ///
    /// Call this method once, before the first call. A breaker without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that calls the breaker or ends a call.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"service"`.
    ///   - dimensions: The dimensions of all counters; none by default.
    ///   - factory: The factory of the counters; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      let (successes, failures, refused, openings) = (
        Counter(label: "\(label).successes", dimensions: dimensions, factory: factory),
        Counter(label: "\(label).failures", dimensions: dimensions, factory: factory),
        Counter(label: "\(label).refused", dimensions: dimensions, factory: factory),
        Counter(label: "\(label).openings", dimensions: dimensions, factory: factory)
      )
      observe { event in
        switch event {
        case .succeeds: successes.increment()
        case .fails: failures.increment()
        case .refused: refused.increment()
        case .opens: openings.increment()
        default: break
        }
      }
    }
  }
#endif
