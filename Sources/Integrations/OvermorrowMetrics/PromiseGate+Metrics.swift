#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseGate {
    /// Records the number of running promises and async closures in the meter `LABEL.running`, and counts the refused
    /// calls in the counter `LABEL.refused`.
    ///
    /// Call this method once, before the first call. A gate without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that calls the gate or ends its work.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"requests"`.
    ///   - dimensions: The dimensions of all metrics; none by default.
    ///   - factory: The factory of the metrics; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      let running = Meter(label: "\(label).running", dimensions: dimensions, factory: factory)
      let refused = Counter(label: "\(label).refused", dimensions: dimensions, factory: factory)
      observe { event in
        switch event {
        case .begins: running.increment()
        case .ends: running.decrement()
        case .refused: refused.increment()
        default: break
        }
      }
    }
  }
#endif
