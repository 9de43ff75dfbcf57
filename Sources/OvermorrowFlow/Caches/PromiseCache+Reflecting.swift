internal import Overmorrow

extension PromiseCache: CustomDebugStringConvertible, CustomReflectable {
  /// The types of the cache, the number of its keys, and its counters.
  public var debugDescription: String {
    let (hits, misses, loads, failures) = counters
    let types = "\(Key.self), \(Value.self), \(Failure.self)"
    return "PromiseCache<\(types)>(\(count) keys, \(hits) hits, \(misses) misses, \(loads) loads, \(failures) failures)"
  }

  /// The mirror that `dump` and a debugger show: the `count` and the `counters` of the cache.
  public var customMirror: Mirror {
    Mirror(self, children: ["count": count, "counters": counters], displayStyle: .class)
  }
}
