#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseRateLimiter {
    /// Counts the calls that have got a token and the refused calls in the counters `LABEL.admitted` and
    /// `LABEL.refused`, and records the number of calls that wait for a token in the meter `LABEL.pending`.
    ///
    /// Call this method once, before the first call. A limiter without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that calls the limiter or ends a wait.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"calls"`.
    ///   - dimensions: The dimensions of all metrics; none by default.
    ///   - factory: The factory of the metrics; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      observe(RateMetrics(label, dimensions, factory).record)
    }
  }

  extension PromiseKeyedRateLimiter {
    /// Counts the calls of all keys that have got a token and the refused calls in the counters `LABEL.admitted` and
    /// `LABEL.refused`, and records the number of calls that wait for a token in the meter `LABEL.pending`.
    ///
    /// Call this method once, before the first call. A limiter without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that calls the limiter or ends a wait.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"clients"`.
    ///   - dimensions: The dimensions of all metrics; none by default.
    ///   - factory: The factory of the metrics; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      observe(RateMetrics(label, dimensions, factory).record)
    }
  }

  /// The metrics of a rate limiter.
  private struct RateMetrics: Sendable {
    private let admitted: Counter
    private let refused: Counter
    private let pending: Meter

    init(_ label: String, _ dimensions: [(String, String)], _ factory: (any MetricsFactory)?) {
      let factory = factory ?? MetricsSystem.factory
      admitted = Counter(label: "\(label).admitted", dimensions: dimensions, factory: factory)
      refused = Counter(label: "\(label).refused", dimensions: dimensions, factory: factory)
      pending = Meter(label: "\(label).pending", dimensions: dimensions, factory: factory)
    }

    @Sendable func record(_ event: FlowEvent) {
      switch event {
      case .begins: admitted.increment()
      case .refused: refused.increment()
      case .waits: pending.increment()
      case .leaves: pending.decrement()
      default: break
      }
    }
  }
#endif
