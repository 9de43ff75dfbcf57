#if Metrics
  public import Metrics
  public import OvermorrowFlow

  extension PromiseCache {
    /// Counts the events of the cache in the counters `LABEL.hits`, `LABEL.misses`, `LABEL.loads` and `LABEL.failures`.
    ///
    /// The counters count the same events as ``OvermorrowFlow/PromiseCache/counters``, but only from this call on. A
    /// cache without this call has no cost from metrics.
    ///
    /// - Runs on: the thread that calls the cache or ends a load.
    /// - Parameters:
    ///   - label: The prefix of the labels, such as `"images"`.
    ///   - dimensions: The dimensions of all counters; none by default.
    ///   - factory: The factory of the counters; `nil` means the factory of the program's metrics system.
    public func recordMetrics(
      label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
    ) {
      let factory = factory ?? MetricsSystem.factory
      let (hits, misses, loads, failures) = (
        Counter(label: "\(label).hits", dimensions: dimensions, factory: factory),
        Counter(label: "\(label).misses", dimensions: dimensions, factory: factory),
        Counter(label: "\(label).loads", dimensions: dimensions, factory: factory),
        Counter(label: "\(label).failures", dimensions: dimensions, factory: factory)
      )
      observeCounters { more in
        for (counter, count) in [
          (hits, more.hits), (misses, more.misses), (loads, more.loads), (failures, more.failures),
        ]
        where count > 0 {
          counter.increment(by: count)
        }
      }
    }
  }
#endif
