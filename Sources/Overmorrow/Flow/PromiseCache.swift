/// Loads the value of a key once, however many callers ask for it, and keeps it for later calls.
///
/// ```swift
/// let images = PromiseCache<URL, Image, any Error>(timeToLive: .seconds(600))
/// let image = images.promise(for: url, on: .utility) { url in fetchImage(url) }
/// ```
///
/// A cache may have a capacity: the least recently used value goes first. It may serve a value that is out of date
/// while it loads a new one, or when loading failed. ``counters`` are for a metrics library.
///
/// Each caller has a vote: a load is asked to cancel when all callers that wait for it have asked. It is forgotten
/// then, so that the next call starts another one. **A cache may be used from any thread.** None of your code runs
/// under its lock, not even the comparison of keys.
///
/// A load that is on its way when the last reference to the cache goes is finished for the callers that wait for it.
public final class PromiseCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
  private typealias Entry = CacheEntry<Key, Value, Failure>

  private let table: CacheTable<Key, Value, Failure>
  private let counts = CacheCounts()
  private let timeToLive: Duration?
  /// For how long a value may be served, out of date or not.
  private let servingTime: Duration?
  private let failureTimeToLive: Duration?
  private let clock: any Clock<Duration>

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - capacity: The number of keys that may be cached or loading; `nil` means any number. Beyond it, the least
  ///     recently used key is forgotten as by ``remove(_:)``. Less than 1 counts as 1.
  ///   - timeToLive: How long a value is kept, from when it is there; `nil` means for ever, zero or less not at all, so
  ///     that only callers that wait for the same load share it.
  ///   - failureTimeToLive: How long an error is kept, in the same way; by default not at all, so that the next call
  ///     tries again.
  ///   - staleTimeToLive: How much longer than `timeToLive` a value is served, without waiting, while it is loaded
  ///     again, and if that fails; by default not at all, `nil` means for ever. A call that gets such a value starts a
  ///     load, whose failure is counted and not reported: look at it in `load`.
  ///   - clock: What measures the time. Expired entries are removed automatically, on a global queue.
  public init(
    capacity: Int? = nil, timeToLive: Duration? = nil, failureTimeToLive: Duration? = .zero,
    staleTimeToLive: Duration? = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) {
    table = CacheTable(capacity: capacity.map { Diagnostics.replace($0, by: max($0, 1), "PromiseCache.capacity") })
    self.timeToLive = timeToLive
    // Within bounds, so that the sum is one.
    let parts = [timeToLive, staleTimeToLive].map { $0.map { min(max($0, .zero), .seconds(Int64.max)) } }
    servingTime = parts[0].flatMap { fresh in parts[1].map { fresh + $0 } }
    self.failureTimeToLive = failureTimeToLive
    self.clock = clock
  }

  /// A promise for what belongs to a key: kept, on its way, or loaded now.
  ///
  /// - Fulfils, fails, cancels: as the load, without a hop; it is resolved already if the result is kept. A request to
  ///   cancel is one of the callers' votes on the load. When all have asked before `load` was called, they are
  ///   cancelled at once, and it is released without having been called.
  /// - Pauses: the load begins when the ``PromisePause`` that `context` is under, if any, is not suspended.
  /// - Runs on: `context`. With `.immediate` or `.nowOr`, `load` runs during this call.
  /// - Order: the result is kept, or forgotten, before any caller gets it. A load that is cancelled is never kept.
  /// - Parameters:
  ///   - key: What to load.
  ///   - context: Where `load` runs.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - load: Begins to load, and returns a promise for the result. Called if nothing is kept for the key, and nothing
  ///     is on its way.
  public func promise(
    for key: Key, on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    load: @escaping @Sendable (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    find(key, on: context, CallSite(fileID, line)) { key in
      do throws(Failure) { return try load(key) } catch { return Promise(with: .thrown(error)) }
    }
  }

  /// A promise for what belongs to a key: kept, on its way, or loaded now, where the closure belongs.
  ///
  /// Behaves as ``promise(for:on:fileID:line:load:)`` otherwise.
  ///
  /// - Runs on: the actor that `load` belongs to, or `.default` if it belongs to none.
  /// - Parameters:
  ///   - key: What to load.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - load: Begins to load, and returns a promise for the result.
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load:
      @escaping @Sendable @isolated(any) (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    promise(
      for: key, on: .here(load.isolation, otherwise: .default), fileID: fileID, line: line,
      load: Isolation.uncheckedThrowing(load))
  }

  /// A promise for what belongs to a key: kept, on its way, or loaded now by an async closure.
  ///
  /// ```swift
  /// let image = images.promise(for: url) { url in try await service.image(at: url) }
  /// ```
  ///
  /// The load is a task of its own, which is cancelled when all callers that wait for it have asked. Behaves as
  /// ``promise(for:on:fileID:line:load:)`` otherwise.
  ///
  /// - Runs on: the actor that `load` belongs to, or else the global executor.
  /// - Parameters:
  ///   - key: What to load.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - load: Loads. Called if nothing is kept for the key, and nothing is on its way.
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let site = CallSite(fileID, line)
    return find(key, on: .immediate, site) { key in
      Promise(priority: nil, at: site) { () async throws(Failure) in try await load(key) }
    }
  }

  /// What is kept for a key; `nil` if there is nothing, or it is still on its way. Starts nothing.
  ///
  /// - Parameter key: What was loaded.
  public func peek(_ key: Key) -> PromiseResult<Value, Failure>? {
    guard let entry = table.entry(for: key) else { return nil }
    if let kept = servable(entry) { return kept.promise.result }
    guard let result = entry.promise.result, result.value == nil else { return nil }
    return entry.isFresh(lifetime(of: result)) ? result : nil
  }

  /// Forgets a key.
  ///
  /// A load on its way is finished for the callers that wait for it, but not kept. The next call starts another one.
  ///
  /// - Parameter key: What to forget.
  public func remove(_ key: Key) {
    while let entry = table.entry(for: key), !table.replace(entry, by: nil, for: key) {}
  }

  /// Forgets all keys, each as by ``remove(_:)``.
  public func removeAll() { table.removeAll() }

  /// How many keys something is kept, or on its way, for.
  public var count: Int { table.count }

  /// What the cache has done since it was made, to be read by a metrics library.
  ///
  /// - `hits`: calls that got what was kept, out of date or not, or that joined a load.
  /// - `misses`: calls for which there was nothing.
  /// - `loads`: loads that have begun: for calls that missed, and for values out of date.
  /// - `failures`: loads that have failed.
  public var counters: (hits: Int, misses: Int, loads: Int, failures: Int) { counts.all }

  /// Tells of each change of the ``counters``, for a metrics library.
  ///
  /// - Parameter observer: Called with the differences, on any thread, in any order.
  package func observeCounters(_ observer: @escaping @Sendable (_ more: CacheCounters) -> Void) {
    counts.observe(observer)
  }

  private func find(
    _ key: Key, on context: PromiseContext, _ site: CallSite,
    _ load: @escaping @Sendable (Key) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    // Each further round means that another thread has added or removed an entry of this key.
    while true {
      let found = table.entry(for: key)
      if let found, let promise = join(found) {
        table.touch(found)
        counts.add(hits: 1)
        return promise
      }
      let stale = found.flatMap(servable)
      let (entry, work) = makeEntry(key, after: stale, on: context, site, load)
      // The first vote is added before the entry is shared.
      let promise = stale?.promise ?? entry.promise.makeChild()
      if table.replace(found, by: entry, for: key) {
        counts.add(hits: stale == nil ? 0 : 1, misses: stale == nil ? 1 : 0)
        work.start()
        return promise
      }
      // Another thread was first; this load will not begin.
      work.cancel()
    }
  }

  /// A promise for one more caller, or `nil` if there has to be a load.
  private func join(_ entry: Entry) -> Promise<Value, Failure>? {
    let stale = entry.previous.withLock { $0 }.flatMap(servable)
    guard let result = entry.promise.result else {
      return stale?.promise ?? entry.promise.makeChildUnlessCancelling()
    }
    guard entry.isFresh(lifetime(of: result)) else { return nil }
    return result.error == nil ? entry.promise : (stale ?? entry).promise
  }

  /// The entry with a value for a key that may be served, if only because there is no newer one: this one or the one
  /// before it.
  private func servable(_ entry: Entry) -> Entry? {
    if entry.hasValue { return entry.isFresh(servingTime) ? entry : nil }
    return entry.previous.withLock { $0 }.flatMap { $0.isFresh(servingTime) ? $0 : nil }
  }

  /// For how long a result is kept; `nil` means for ever.
  private func lifetime(of result: PromiseResult<Value, Failure>) -> Duration? {
    switch result {
    case .value: timeToLive
    case .error: failureTimeToLive
    case .cancelled: .zero
    }
  }

  private func makeEntry(
    _ key: Key, after stale: Entry?, on context: PromiseContext, _ site: CallSite,
    _ load: @escaping @Sendable (Key) -> Promise<Value, Failure>
  ) -> (Entry, HeldWork<Value, Failure>) {
    let (loading, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .load) { [counts] _ in
      counts.add(loads: 1)
      return load(key)
    }
    // Neither a load nor a timer keeps the cache, or an entry that it has forgotten.
    let promise = loading.propagatingCancellation(on: .immediate) { [weak self] promise in
      guard let entry = self?.table.entry(for: key), entry.promise == promise else { return }
      self?.drop(entry)
    }
    // The old value is served instead of the error, so a failure that no caller waits for is no mistake.
    if stale != nil { promise.tap(on: .immediate) { _ in } }
    let entry = Entry(key, promise, after: stale)
    promise.whenOver { [weak self, weak entry, counts] result in
      if result.error != nil { counts.add(failures: 1) }
      if let self, let entry { self.keep(entry, with: result) }
    }
    return (entry, work)
  }

  /// Forgets an entry; the one before it comes back as long as it may be served.
  private func drop(_ entry: Entry) {
    let stale = entry.hasValue ? nil : servable(entry)
    _ = table.replace(entry, by: stale, for: entry.key)
  }

  /// A load is over: its result is kept as long as it may be.
  private func keep(_ entry: Entry, with result: PromiseResult<Value, Failure>) {
    let isValue = result.value != nil
    if isValue { _ = entry.previous.withLock { $0.take() } }
    let lifetime = isValue ? servingTime : lifetime(of: result)
    if let lifetime, lifetime <= .zero { return drop(entry) }
    entry.expire(after: lifetime, on: clock) { [weak self, weak entry] in
      if let self, let entry { self.drop(entry) }
    }
  }
}

/// Counts what a cache does.
private final class CacheCounts: Sendable {
  private let state = Guarded<(all: CacheCounters, observer: CacheCountersObserver?)>(((0, 0, 0, 0), nil))

  var all: CacheCounters { state.withLock { $0.all } }

  func observe(_ observer: @escaping CacheCountersObserver) { state.withLock { $0.observer = observer } }

  func add(hits: Int = 0, misses: Int = 0, loads: Int = 0, failures: Int = 0) {
    let observer = state.withLock { state in
      let old = state.all
      state.all = (old.hits + hits, old.misses + misses, old.loads + loads, old.failures + failures)
      return state.observer
    }
    observer?((hits, misses, loads, failures))
  }
}

/// What a cache counts.
package typealias CacheCounters = (hits: Int, misses: Int, loads: Int, failures: Int)
/// Learns how many more there are.
package typealias CacheCountersObserver = @Sendable (_ more: CacheCounters) -> Void
