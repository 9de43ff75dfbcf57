#if Metrics
  public import Metrics
  public import Overmorrow

  extension PromiseLimiter {
    /// Records how many jobs run and how many wait, as the meters `LABEL.running` and `LABEL.pending`.
    ///
    /// Call it once, before the first job. A limiter on which it was not called does nothing for it.
    ///
    /// - Runs on: the thread that gives a job to the limiter, or ends one.
    /// - Parameters:
    ///   - label: The beginning of the labels, such as `"downloads"`.
    ///   - dimensions: Dimensions of both meters.
    ///   - factory: What makes the meters; `nil` means the one that the program has chosen for all its metrics.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      let running = Meter(label: "\(label).running", dimensions: dimensions, factory: factory)
      let pending = Meter(label: "\(label).pending", dimensions: dimensions, factory: factory)
      // By differences, whose order does not matter: two threads may get here in another order than at the limiter.
      observeCounts { change in
        running.change(by: change.running)
        pending.change(by: change.pending)
      }
    }
  }

  extension Meter {
    fileprivate func change(by difference: Int) {
      if difference > 0 { increment(by: Double(difference)) }
      if difference < 0 { decrement(by: Double(-difference)) }
    }
  }
#endif
