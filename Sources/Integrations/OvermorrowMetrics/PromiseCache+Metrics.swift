#if Metrics
  public import Metrics
  public import Overmorrow

  extension PromiseCache {
    /// Counts what the cache does, as the counters `LABEL.hits`, `LABEL.misses`, `LABEL.loads` and `LABEL.failures`.
    ///
    /// They count what ``Overmorrow/PromiseCache/counters`` counts, from this call on. A cache on which it was not
    /// called does nothing for it.
    ///
    /// - Runs on: the thread that asks the cache, or ends a load.
    /// - Parameters:
    ///   - label: The beginning of the labels, such as `"images"`.
    ///   - dimensions: Dimensions of all counters.
    ///   - factory: What makes the counters; `nil` means the one that the program has chosen for all its metrics.
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
