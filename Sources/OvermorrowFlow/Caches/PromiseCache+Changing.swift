internal import Overmorrow
internal import OvermorrowEngine

extension PromiseCache {
  /// Caches a value for a key, as if a load had just returned the value.
  ///
  /// A load in flight finishes for the waiting callers, but its result is not kept. Callers that wait with a stale
  /// value during a `softTimeout` get the set value, and their steps on `.immediate` run inside this call. The counters
  /// do not change.
  ///
  /// - Parameters:
  ///   - value: The value. It is fresh for the cache's time to live.
  ///   - key: The key of the value.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  public func setValue(_ value: Value, for key: Key, fileID: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(fileID, line)
    let promise = UntypedPromise(Promise<Value, Failure>(with: .value(value), site: site))
    let cost = core.cost(of: promise)
    while true {
      let place = place(of: key)
      let entry = Entry(key, hash: place.hash, at: site, promise)
      let load = core.softTimeout > .zero ? place.entry.flatMap { old in core.read { old.load } } : nil
      // The value is offered first, because the load or its soft timeout may end while the value replaces the entry.
      load?.staleWait?.offer(promise)
      guard core.replace(place.bucket, place.entry, byValue: entry, cost: cost) else { continue }
      if let load { load.staleWait?.end(serving: promise, of: load) }
      return
    }
  }

  /// Removes the keys that satisfy a predicate, with the effect of ``remove(_:)`` on each key.
  ///
  /// The predicate may use the cache. It is called for all keys that are in the cache when this call begins.
  ///
  /// - Parameter shouldBeRemoved: A closure that returns whether a key is removed.
  /// - Throws: The error that the predicate throws. No key is removed then.
  public func removeAll<E: Error>(where shouldBeRemoved: (_ key: Key) throws(E) -> Bool) throws(E) {
    var removed: [Entry] = []
    for line in core.lines {
      if let entry = line as? Entry, try shouldBeRemoved(entry.key) { removed.append(entry) }
    }
    // The key is removed and not the entry, because a load may have replaced the entry meanwhile.
    for entry in removed { remove(entry.key) }
  }
}
