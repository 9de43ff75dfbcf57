public import Overmorrow
public import OvermorrowEngine

/// The calls that start a load or wait for one. A call that finds a fresh value uses nothing of this file.
extension PromiseCache {
  @usableFromInline typealias Made = Promise<Value, Failure>

  /// Returns a promise for the value of a key. Starts a load on a context if the value is neither cached nor in flight.
  @usableFromInline
  func find(
    _ place: CachePlace<Key, Value, Failure>, on context: PromiseContext, _ site: CallSite,
    _ load: @escaping @Sendable (_ key: Key) throws(Failure) -> Made
  ) -> Made {
    find(place, on: context, site, isAsync: false) { key in
      do throws(Failure) { return try load(key) } catch { return Promise(with: .thrown(error), site: .library) }
    }?.promise ?? Promise(with: .cancelled, site: site)
  }

  /// Like ``find(_:on:_:_:)``, on the actor that the closure is isolated to.
  @usableFromInline
  func find(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) throws(Failure) -> Made
  ) -> Made {
    find(
      place, on: .isolated(to: load.isolation, otherwise: .default), site, Isolation.uncheckedThrowing(load))
  }

  /// Like ``find(_:on:_:_:)``, with an async load. Returns `nil` if the caller would wait for itself.
  @usableFromInline
  func find(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> Made? {
    findAsync(place, site, load)?.promise
  }

  /// Waits for the value of a key in the current task. Starts an async load if the value is neither cached nor in
  /// flight. Throws if the task would wait for itself.
  @usableFromInline
  nonisolated(nonsending) func loadedValue(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) async throws -> Value {
    guard let (promise, task) = findAsync(place, site, load) else { throw PromiseRefusalError.waitsForItself }
    guard !promise.isResolved, let holding = TaskHolding.innermost, let code = task?.code else {
      return try await promise.value
    }
    let wait = TaskHolding(within: holding)
    guard wait.beginWait(for: code) else {
      PromiseDiagnostics.report(.resolvedWithItself(origin: site.text))
      promise.requestCancel()
      throw PromiseRefusalError.waitsForItself
    }
    // The wait must not release the code, whose holdings may be the last ones, under its lock.
    defer { withExtendedLifetime(code) { wait.endWait() } }
    return try await promise.value
  }

  private func findAsync(
    _ place: CachePlace<Key, Value, Failure>, _ site: CallSite,
    _ load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> (promise: Made, task: SharedWork?)? {
    find(place, on: .immediate, site, isAsync: true) { key in
      let (promise, task) = Promise.startTask(at: site) { () async throws(Failure) in
        SharedWork.current?.code?.begin()
        return try await load(key)
      }
      SharedWork.current?.keep(task)
      return promise
    }
  }

  private func find(
    _ place: CachePlace<Key, Value, Failure>, on context: PromiseContext, _ site: CallSite, isAsync: Bool,
    _ load: @escaping @Sendable (Key) -> Made
  ) -> (promise: Made, task: SharedWork?)? {
    // Each further round means that another thread has added or removed an entry of this key.
    var place = place
    while true {
      if let found = place.entry {
        switch join(found, site) {
        case .promise(let promise):
          core.use(found)
          return (promise, found.task)
        case .cycle:
          core.use(found)
          return nil
        case .needsLoad: break
        }
      }
      let stale = place.entry.flatMap { core.servable($0) as? Entry }
      let (entry, promise, work) = makeEntry(place, after: stale, on: context, site, isAsync, load)
      // The first vote is added before the entry is shared.
      let child = stale.flatMap { self.promise(of: $0) } ?? firstChild(of: promise)
      let isAdmitted = stale != nil || entry.admits(child, site)
      if core.replace(place.bucket, place.entry, by: entry, hash: place.hash) {
        core.counts.add(hits: stale == nil ? 0 : 1, misses: stale == nil ? 1 : 0)
        core.dropIfExpired(stale)
        work.start()
        return isAdmitted ? (child, entry.task) : nil
      }
      // Another thread has changed the entry of this key first, so this load does not begin.
      work.cancel()
      place = self.place(of: place.key)
    }
  }

  private enum Join {
    case promise(Made)
    case cycle
    case needsLoad
  }

  /// Adds one more caller to an entry.
  private func join(_ entry: Entry, _ site: CallSite) -> Join {
    let promise = sharedPromise(of: entry)
    let stale = (core.stale(before: entry) as? Entry).flatMap { self.promise(of: $0) }
    guard let result = promise.result else {
      if let stale { return .promise(stale) }
      guard let child = promise.makeChildUnlessCancelling() else { return .needsLoad }
      guard entry.admits(child, site) else { return .cycle }
      entry.task?.raise()
      return .promise(child)
    }
    guard core.isFresh(entry, lifetime(of: result)) else { return .needsLoad }
    return .promise(result.error == nil ? promise : stale ?? promise)
  }

  /// Returns the promise of an entry, or `nil` if the load of the entry runs inside a call and no other caller waits
  /// for it.
  func promise(of entry: Entry) -> Made? { core.read { entry.promise } }

  /// Returns the time for which a result is kept; `nil` means for ever.
  func lifetime(of result: PromiseResult<Value, Failure>) -> Duration? {
    switch result {
    case .value: core.timeToLive
    case .error: core.failureTimeToLive
    case .cancelled: .zero
    }
  }

  func makeEntry(
    _ place: CachePlace<Key, Value, Failure>, after stale: Entry?, on context: PromiseContext, _ site: CallSite,
    _ isAsync: Bool, _ load: @escaping @Sendable (Key) -> Made
  ) -> (Entry, Made, HeldWork<Value, Failure>) {
    let (key, task) = (place.key, isAsync ? SharedWork(within: TaskHolding.innermost) : nil)
    let (loading, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .load) { [counts = core.counts] _ in
      counts.add(loads: 1)
      guard let task else { return load(key) }
      return SharedWork.$current.withValue(task) { TaskHolding.local.withValue(task.code) { load(key) } }
    }
    work.noteKey(key)
    let link = CacheLink(to: core)
    let promise = follow(loading, link, task)
    // Callers get the old value and not the error of this load, so the error must not be reported as unread.
    if stale != nil { promise.whenResolvedOrUnneeded(isReader: true) { _ in } }
    let entry = Entry(key, hash: place.hash, at: site, promise, after: stale, task)
    link.connect(entry)
    return (entry, promise, work)
  }

  /// Returns a promise for a load. The promise removes its entry when its last child has asked to cancel, and keeps its
  /// result in its entry before any child receives the result. It retains neither the cache nor the entry.
  private func follow(_ loading: Made, _ link: CacheLink, _ task: SharedWork?) -> Made {
    let promise = loading.propagatingCancellation(on: .immediate) { _ in link.follow { $0.drop($1) } }
    promise.hideInTrails()
    promise.whenResolvedOrUnneeded { [counts = core.counts, costFunction] result in
      task?.release()
      let isError = result.error != nil
      if isError { counts.add(failures: 1) }
      link.follow { core, entry in
        let cost = result.value.map { Self.cost(of: $0, costFunction) }
        core.keep(entry, isValue: cost != nil, isError: isError, cost: cost ?? 0)
      }
    }
    return promise
  }

  /// Returns the child for the call that has begun a load. In trails, the load stands for this call.
  private func firstChild(of promise: Made) -> Made {
    let child = promise.makeChild()
    child.hideInTrails()
    return child
  }

  // MARK: Loads inside the call of their first caller

  /// Returns the promise of an entry. If the load of the entry runs inside the call of its first caller, and no other
  /// caller has asked for the key yet, creates the promise of the entry and the promise of the first caller.
  @discardableResult
  func sharedPromise(of entry: Entry) -> Made {
    if let promise = promise(of: entry) { return promise }
    let (loading, resolver) = Made.makeForLoad(at: entry.site)
    if UntypedPromise.isWatching { resolver.noteKey(entry.key) }
    let link = CacheLink(to: core)
    let promise = follow(loading, link, nil)
    let held = (resolver: resolver, first: firstChild(of: promise))
    link.connect(entry)
    let isSet = core.setPromise(of: entry) {
      entry.promise = promise
      entry.held = held
    }
    // If another thread has set the promise, the promise of this call ends without a trace.
    if !isSet { link.disconnect() }
    return self.promise(of: entry) ?? promise
  }

  /// Ends a load that has run inside the call of its first caller, and that has returned a promise without a value, or
  /// for which other callers wait.
  ///
  /// - Returns: The promise of the first caller.
  @usableFromInline
  func finish(_ entry: Entry, _ made: Made) -> Made {
    sharedPromise(of: entry)
    let held = core.read {
      defer { entry.held = nil }
      return entry.held
    }
    guard let held else { return made }
    held.resolver.resolve(with: made)
    return held.first
  }
}
