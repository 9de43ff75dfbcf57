internal import Overmorrow
internal import OvermorrowEngine

/// The observers of keys.
extension CacheCore {
  /// Adds an observer of a key.
  func watch(_ watcher: CacheWatcher) {
    state.withLock { $0.watchers[watcher.hash, default: ObserverList()].append(watcher) }
  }

  /// Removes an observer.
  func unwatch(_ watcher: CacheWatcher) {
    let removed = state.withLock { state -> CacheWatcher? in
      let removed = state.watchers[watcher.hash]?.remove(watcher)
      if state.watchers[watcher.hash]?.isEmpty == true { state.watchers[watcher.hash] = nil }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// The observers of all keys.
  var allWatchers: [CacheWatcher] { state.read { state, _ in state.watchers.values.flatMap(\.all) } }
}
