package import Overmorrow
package import OvermorrowEngine

extension PromiseCache {
  /// What a view shows of a key: a value that may already be shown, and the promise of a load or of a kept result.
  package typealias Shown = (value: Value?, promise: Promise<Value, Failure>)

  /// Returns what a view shows of a key. Starts a load if there is neither a fresh result nor a load in flight.
  ///
  /// While the load is in flight, the cache continues to serve the old value. A load that fails leaves the old value in
  /// the cache.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isReload: Whether a load starts even if there is a fresh result.
  ///   - isAsync: Whether `load` starts a task.
  ///   - site: The call that asks for the key.
  ///   - load: A closure that starts a load. It is called inside this call, without a lock.
  package func show(
    _ key: Key, isReload: Bool, isAsync: Bool, at site: CallSite,
    load: @escaping @Sendable (_ key: Key) -> Promise<Value, Failure>
  ) -> Shown {
    // Each further round means that another thread has added or removed an entry of this key.
    while true {
      let place = place(of: key)
      if let entry = place.entry, let shown = shown(of: entry, isReload) {
        core.use(entry)
        return shown
      }
      let old = place.entry.flatMap { core.servable($0) as? Entry }
      let (entry, promise, work) = makeEntry(place, after: old, on: .immediate, site, isAsync, load)
      // The first vote is added before the entry is shared.
      let child = promise.makeChild()
      if core.replace(place.bucket, place.entry, by: entry, hash: place.hash) {
        core.counts.add(hits: old == nil ? 0 : 1, misses: old == nil ? 1 : 0)
        let value = old.flatMap { self.promise(of: $0)?.result?.value }
        core.dropIfExpired(old)
        work.start()
        return (value, child)
      }
      work.cancel()
    }
  }

  /// Returns what a view shows of an entry, or `nil` if a load has to start.
  private func shown(of entry: Entry, _ isReload: Bool) -> Shown? {
    let promise = sharedPromise(of: entry)
    let stale = (core.stale(before: entry) as? Entry).flatMap { self.promise(of: $0)?.result?.value }
    guard let result = promise.result else { return promise.makeChildUnlessCancelling().map { (stale, $0) } }
    return !isReload && core.isFresh(entry, lifetime(of: result)) ? (stale, promise) : nil
  }
}
