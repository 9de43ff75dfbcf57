internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The calls that find a stale value.
extension PromiseCache {
  /// Makes callers that find the old value of an entry wait for its load. The entry is not shared yet. A value without
  /// a time to live is never stale.
  func prepareStaleWait(for promise: Made, of entry: Entry) {
    guard core.softTimeout > .zero, core.timeToLive != nil, let load = entry.load else { return }
    load.staleWait = StaleWait(for: UntypedPromise(promise), since: core.elapsed())
  }

  /// Returns the promise of a caller that has found an old value before a load in flight. With a soft timeout, this is
  /// a promise that waits for the load, unless the old value is fresh or the load waits for the caller.
  ///
  /// - Parameters:
  ///   - stale: The promise of the old value.
  ///   - promise: The promise of the entry, and of its load.
  func answer(
    of old: Entry, _ stale: Made, before promise: Made, of entry: Entry, _ load: CacheLoad?, _ site: CallSite
  ) -> Made {
    guard core.softTimeout > .zero, let load, let wait = load.staleWait, !core.isFresh(old, core.timeToLive),
      !load.waitsForCurrentWork
    else { return stale }
    guard wait.isBegun || core.softTimeLeft(of: wait) > .zero, let shared = wait.join(orBegin: { parts(of: entry) })
    else {
      // The load may have ended meanwhile.
      return promise.hasValue ? promise : stale
    }
    load.raise()
    let made: Made = shared.typed()
    let child = made.makeChildCancelledOnRequest()
    if let work = SharedWork.current, !wait.note(WeakPromise(child), by: work, site) {
      _ = admits(child, to: load, site)
    }
    return child
  }

  /// Makes the promise of the callers that wait for the load of an entry.
  private func parts(of entry: Entry) -> StaleWait.Parts {
    let (shared, resolver) = Made.makeForLoad(at: entry.site, by: .staleWait)
    if UntypedPromise.isWatching { resolver.noteKey(entry.key) }
    shared.hideInTrails()
    return (UntypedPromise(shared), UntypedResolver(resolver))
  }
}
