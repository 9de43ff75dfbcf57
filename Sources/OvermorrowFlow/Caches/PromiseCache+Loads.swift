public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// The promise of a caller, the load that the promise waits for, and whether the promise is that of the entry, on which
/// the caller has a vote without an observer.
@usableFromInline
typealias CacheCall<Value: Sendable, Failure: Error> =
  (promise: Promise<Value, Failure>, load: CacheLoad?, hasVote: Bool)

/// The calls that start a load or wait for one. A call that finds a fresh value uses nothing of this file.
extension PromiseCache {
  @usableFromInline typealias Made = Promise<Value, Failure>

  /// Returns a promise for the value of a key. Starts a load on a context if the value is neither cached nor in flight.
  @usableFromInline
  func find(
    _ place: CachePlace<Key, Value, Failure>, on context: PromiseContext, _ site: CallSite,
    _ load: @escaping @Sendable (_ key: Key) throws(Failure) -> Made
  ) -> Made {
    let call = find(place, asChild: true, site) { place, stale in
      makeEntry(place, after: stale, on: context, site) { key in
        do throws(Failure) { return try load(key) } catch { return Promise(with: .thrown(error), site: .library) }
      }
    } start: { work, _ in
      work.start()
    }
    return call?.promise ?? Promise(with: .cancelled, site: site)
  }

  /// Like ``find(_:on:_:_:)``, on the actor that the closure is isolated to.
  @usableFromInline
  func find(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) throws(Failure) -> Made
  ) -> Made {
    find(place, on: .isolated(to: load.isolation, otherwise: .default), site, Isolation.uncheckedThrowing(load))
  }

  /// Adds a caller to the entry of a key, or makes an entry and starts its load. Returns `nil` if the caller would wait
  /// for itself.
  ///
  /// - Parameters:
  ///   - asChild: Whether the caller gets a promise of its own. If `false`, it may get a vote on the entry's promise.
  ///   - make: A closure that makes an entry with the work of its load. If another thread changes the entry of the key
  ///     first, the work is released without a start.
  ///   - start: A closure that starts the work. It receives whether the caller has a vote on the entry's promise.
  @inlinable
  func find<Work>(
    _ place: CachePlace<Key, Value, Failure>, asChild: Bool, _ site: CallSite,
    make: (_ place: CachePlace<Key, Value, Failure>, _ stale: Entry?) -> (entry: Entry, promise: Made, work: Work),
    start: (_ work: Work, _ hasVote: Bool) -> Void
  ) -> CacheCall<Value, Failure>? {
    // Each further round means that another thread has added or removed an entry of this key.
    var place = place
    while true {
      var stale: Entry?
      if let found = place.entry {
        if !asChild, let load = core.join(found), let promise = found.promise { return (promise, load, true) }
        switch join(found, site) {
        case .call(let promise, let load): return (promise, load, false)
        case .cycle: return nil
        case .needsLoad(let old): stale = old
        }
      }
      let (entry, promise, work) = make(place, stale)
      // The first vote is added before the entry is shared.
      let isVote = !asChild && stale == nil && UntypedPromise(promise).holdVote()
      let child = isVote ? promise : firstChild(of: promise, entry, after: stale, site)
      // The wait for a load with a soft timeout ends in any case, so that it is in no cycle of waits.
      let load = stale == nil ? entry.knownLoad : nil
      if core.add(entry, seen: place.bucket, place.entry) {
        start(work, isVote)
        return child.map { ($0, load, isVote) }
      }
      place = self.place(of: place.key)
    }
  }

  @usableFromInline
  enum Joined {
    case call(Made, CacheLoad?)
    case cycle
    /// A load has to start. The entry has a value that may be served until the load has ended.
    case needsLoad(after: Entry?)
  }

  /// Adds one more caller to an entry, and counts the call.
  @usableFromInline
  func join(_ entry: Entry, _ site: CallSite) -> Joined {
    let promise = sharedPromise(of: entry)
    let load = core.read { entry.load }
    let old = core.stale(before: entry) as? Entry
    let stale = old.flatMap { self.promise(of: $0) }
    guard let result = promise.result else {
      if let old, let stale {
        core.use(entry)
        let child = answer(of: old, stale, before: promise, of: entry, load, site)
        if let load { core.startSoftTimeout(of: load) }
        return .call(child, nil)
      }
      guard let child = promise.makeChildUnlessCancelling() else { return needsLoad(entry) }
      let isAdmitted = admits(child, to: load, site)
      if isAdmitted { load?.raise() }
      core.use(entry)
      return isAdmitted ? .call(child, load) : .cycle
    }
    guard core.isFresh(entry, lifetime(of: result), isAhead: true) else { return needsLoad(entry) }
    core.use(entry)
    return .call(result.error == nil ? promise : stale ?? promise, load)
  }

  /// Returns the value of a key that may be served without a load, and counts a hit. Otherwise, throws, because the
  /// task is cancelled.
  @usableFromInline
  func valueWithoutLoad(_ place: CachePlace<Key, Value, Failure>) throws -> Value {
    guard let entry = place.entry, let kept = core.servable(entry) as? Entry,
      case .value(let value)? = promise(of: kept)?.result
    else { throw CancellationError() }
    core.use(entry)
    return value
  }

  private func needsLoad(_ entry: Entry) -> Joined { .needsLoad(after: core.servable(entry) as? Entry) }

  /// Returns whether one more caller may wait for a load. If the caller runs on behalf of this load, or of a load that
  /// this load waits for, reports the cycle, withdraws the vote of `child`, and returns `false`.
  func admits(_ child: Made, to load: CacheLoad?, _ site: CallSite) -> Bool {
    if load?.admits(child) != false { return true }
    Diagnostics.report(.resolvedWithItself(origin: site.text))
    child.requestCancel()
    return false
  }

  /// Returns the promise of an entry, or `nil` if the load of the entry runs inside a call and no other caller waits
  /// for it.
  func promise(of entry: Entry) -> Made? { core.read { entry.untypedPromise }?.typed() }

  /// Returns the result of a promise of the cache.
  static func result(of promise: UntypedPromise) -> PromiseResult<Value, Failure>? {
    let promise: Made = promise.typed()
    return promise.result
  }

  /// Returns the time for which a result is kept; `nil` means for ever.
  func lifetime(of result: PromiseResult<Value, Failure>) -> Duration? {
    switch result {
    case .value: core.timeToLive
    case .error: core.failureTimeToLive
    case .cancelled: .zero
    }
  }

  /// Makes the entry and the promise of a load that returns a promise.
  func makeEntry(
    _ place: CachePlace<Key, Value, Failure>, after stale: Entry?, on context: PromiseContext, _ site: CallSite,
    _ make: @escaping @Sendable (Key) -> Made
  ) -> (entry: Entry, promise: Made, work: HeldWork<Value, Failure>) {
    let (key, load) = (place.key, CacheLoad(in: core, hash: place.hash))
    let (promise, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .load) { _ in
      load.countStart()
      return make(key)
    }
    connect(promise, work.resolver, to: load, key)
    return (Entry(key, hash: place.hash, at: site, UntypedPromise(promise), after: stale, load), promise, work)
  }

  /// Makes the promise of a load remove its entry when its last child has asked to cancel, and keep its result in its
  /// entry before any child receives the result.
  @inlinable
  func connect(_ promise: Made, _ resolver: Made.Resolver, to load: CacheLoad, _ key: Key) {
    if UntypedPromise.isWatching { resolver.noteKey(key) }
    UntypedPromise(promise).forwardRequestsWhileHeld()
    resolver.onRequest { _ in load.cancel() }
    promise.whenResolvedOrUnneeded { load.finish(isError: $0.error != nil) }
  }

  /// Returns the promise of the call that has begun a load: a child, which trails leave out, because the load stands
  /// for this call, or the promise of a caller that has found a stale value. Returns `nil` if the caller would wait for
  /// itself.
  @usableFromInline
  func firstChild(of promise: Made, _ entry: Entry, after stale: Entry?, _ site: CallSite) -> Made? {
    if let stale, let old = self.promise(of: stale) {
      // Callers get the old value and not the error of this load, so the error must not be reported as unread.
      promise.whenResolvedOrUnneeded(isReader: true) { _ in }
      prepareStaleWait(for: promise, of: entry)
      return answer(of: stale, old, before: promise, of: entry, entry.load, site)
    }
    let child = promise.makeChild()
    child.hideInTrails()
    return admits(child, to: entry.load, site) ? child : nil
  }

  // MARK: Loads inside the call of their first caller

  /// Returns the promise of an entry. If the load of the entry runs inside the call of its first caller, and no other
  /// caller has asked for the key yet, creates the promise of the entry and the promise of the first caller.
  @discardableResult
  func sharedPromise(of entry: Entry) -> Made {
    if let promise = promise(of: entry) { return promise }
    let (promise, resolver) = Made.makeForLoad(at: entry.site)
    let load = CacheLoad(in: core, hash: entry.hash)
    connect(promise, resolver, to: load, entry.key)
    let child = promise.makeChild()
    child.hideInTrails()
    let held = (UntypedResolver(resolver), UntypedPromise(child))
    // If another thread has set the promise, the promise of this call ends without a trace.
    return core.change {
      if let other = entry.untypedPromise { return other.typed() }
      load.held = held
      (entry.untypedPromise, entry.load) = (UntypedPromise(promise), load)
      return promise
    }
  }

  /// Ends a load that has run inside the call of its first caller, and that has returned a promise without a value, or
  /// for which other callers wait.
  ///
  /// - Returns: The promise of the first caller.
  @usableFromInline
  func finish(_ entry: Entry, _ made: UntypedPromise) -> Made {
    sharedPromise(of: entry)
    guard let held = core.change({ entry.load?.held.take() }) else { return made.typed() }
    held.resolver.resolve(with: made)
    return held.first.typed()
  }
}
