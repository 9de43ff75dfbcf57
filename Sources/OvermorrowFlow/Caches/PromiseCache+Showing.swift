package import Overmorrow
package import OvermorrowEngine

extension PromiseCache {
  /// A value that the cache serves, fresh or stale, and its entry.
  package typealias Kept = (value: Value, entry: AnyObject)

  /// What a view shows of a key: the promise of a load or of a kept result, its entry, and the value that the cache
  /// serves while the load is in flight or after it has failed.
  package typealias Shown = (promise: Promise<Value, Failure>, entry: AnyObject, old: Kept?)

  /// Returns the value that the cache serves for a key. Starts no load, and does not count as a use.
  package func kept(_ key: Key) -> Kept? { place(of: key).entry.flatMap { kept(core.servable($0)) } }

  private func kept(_ line: CacheLine?) -> Kept? {
    guard let entry = line as? Entry, let value = promise(of: entry)?.result?.value else { return nil }
    return (value, entry)
  }

  /// Calls a closure on the main queue after each change of the value of a key, until the returned object is released.
  /// If there are several changes before the call, the closure is called once.
  package func follow(_ key: Key, onChange: @escaping @MainActor @Sendable () -> Void) -> CacheFollower {
    CacheFollower(key.hashValue, in: core, onChange)
  }

  /// Returns what a view shows of a key. Starts a load if there is neither a fresh result nor a load in flight.
  ///
  /// While the load is in flight, the cache continues to serve the old value. A load that fails leaves the old value in
  /// the cache.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isReload: Whether a load starts even if there is a fresh result.
  ///   - site: The call that asks for the key.
  ///   - load: A closure that starts a load. It is called inside this call, without a lock.
  package func show(
    _ key: Key, isReload: Bool, at site: CallSite,
    load: @escaping @Sendable (_ key: Key) -> Promise<Value, Failure>
  ) -> Shown {
    show(key, isReload) {
      makeEntry($0, after: $1, on: .immediate, site, load)
    } start: {
      $0.start()
    }
  }

  /// Does the same with an async load, which keeps the priority of this call.
  package func show(
    _ key: Key, isReload: Bool, at site: CallSite,
    load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> Shown {
    show(key, isReload) {
      makeAsyncEntry($0, after: $1, keepsPriority: true, site)
    } start: {
      start(key, $0, load)
    }
  }

  private func show<Work>(
    _ key: Key, _ isReload: Bool,
    make: (_ place: CachePlace<Key, Value, Failure>, _ old: Entry?) -> (entry: Entry, promise: Made, work: Work),
    start: (_ work: Work) -> Void
  ) -> Shown {
    // Each further round means that another thread has added or removed an entry of this key.
    while true {
      let place = place(of: key)
      if let entry = place.entry, let shown = shown(of: entry, isReload) {
        core.use(entry)
        return shown
      }
      let old = place.entry.flatMap { core.servable($0) as? Entry }
      let (entry, promise, work) = make(place, old)
      // The first vote is added before the entry is shared.
      let child = promise.makeChild()
      if old != nil { prepareStaleWait(for: promise, of: entry) }
      if core.add(entry, seen: place.bucket, place.entry) {
        start(work)
        return (child, entry, kept(old))
      }
    }
  }

  /// Returns what a view shows of an entry, or `nil` if a load has to start.
  private func shown(of entry: Entry, _ isReload: Bool) -> Shown? {
    let promise = sharedPromise(of: entry)
    let old = kept(core.stale(before: entry))
    guard let result = promise.result else { return promise.makeChildUnlessCancelling().map { ($0, entry, old) } }
    return !isReload && core.isFresh(entry, lifetime(of: result)) ? (promise, entry, old) : nil
  }
}
