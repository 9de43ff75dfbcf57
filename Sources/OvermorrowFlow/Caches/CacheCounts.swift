internal import Overmorrow
internal import OvermorrowEngine

/// The counters of a cache, and their observer.
final class CacheCounts: Sendable {
  private struct State {
    var all: CacheCounters = (0, 0, 0, 0)
    var observer: CacheCountersObserver?
  }

  private let state = Guarded(State())

  var all: CacheCounters { state.withLock { $0.all } }

  func observe(_ observer: @escaping CacheCountersObserver) {
    _ = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
  }

  func add(hits: Int = 0, misses: Int = 0, loads: Int = 0, failures: Int = 0) {
    let observer = state.withLock { state in
      state.all.hits += hits
      state.all.misses += misses
      state.all.loads += loads
      state.all.failures += failures
      return state.observer
    }
    observer?((hits, misses, loads, failures))
  }
}

/// The counters of a cache.
package typealias CacheCounters = (hits: Int, misses: Int, loads: Int, failures: Int)
/// A closure that receives the differences between the new and the old counters.
package typealias CacheCountersObserver = @Sendable (_ more: CacheCounters) -> Void
