public import Overmorrow
internal import OvermorrowEngine

/// Loads the value of a key once for any number of callers, and keeps the value for later calls.
///
/// ```swift
/// let images = PromiseCache<URL, Image, any Error>(timeToLive: .seconds(600))
/// let image = images.promise(for: url, on: .utility) { url in fetchImage(url) }
/// ```
///
/// If a cache holds more keys than its capacity allows, it evicts the least recently used key. A cache can serve a
/// stale value while it loads a new value, or after a load has failed. ``counters`` are meant for a metrics library.
///
/// Each caller has a vote on the cancellation of a load. When all callers that wait for the load have asked to cancel,
/// the load is asked to cancel. The cache then evicts the load, so that the next call starts a new load. **A cache may
/// be used from any thread.** No user code, such as the comparison of keys, runs while the lock of the cache is held.
///
/// If the last reference to a cache is released during a load, the load still finishes for the waiting callers.
public final class PromiseCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
  private typealias Entry = CacheEntry<Key, Value, Failure>

  private let table: CacheTable<Key, Value, Failure>
  private let counts = CacheCounts()
  private let timeToLive: Duration?
  /// The time for which a value may be served, fresh or stale, counted from its arrival.
  private let servingTime: Duration?
  private let failureTimeToLive: Duration?
  private let clock: any Clock<Duration>

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: The largest number of keys that may be cached or loading. If there are more keys, the least recently
  ///     used key is removed, with the effect of ``remove(_:)``. A value below 1 counts as 1. `nil`, the default, means
  ///     no limit.
  ///   - timeToLive: The time for which a value is fresh, counted from its arrival. `nil`, the default, means for ever.
  ///     With zero or less, a value is never fresh. If, in addition, `staleTimeToLive` is zero, only callers that wait
  ///     for the same load share the value.
  ///   - failureTimeToLive: The time for which an error is kept, counted from its arrival. With zero, the default, the
  ///     next call starts a new load. `nil` means for ever.
  ///   - staleTimeToLive: The time after `timeToLive` for which an old value may still be returned while a new value is
  ///     loaded, or after a load has failed. Zero by default; `nil` means for ever. A call that gets an old value
  ///     starts a load if no load is in flight and no error of a load is kept. The failure of this load is counted but
  ///     not reported, so handle the failure in `load`.
  ///   - clock: The clock that measures lifetimes. Expired entries are removed automatically, on a global queue. The
  ///     continuous clock by default.
  public init(
    capacity: Int? = nil, timeToLive: Duration? = nil, failureTimeToLive: Duration? = .zero,
    staleTimeToLive: Duration? = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) {
    table = CacheTable(
      capacity: capacity.map { PromiseDiagnostics.replace($0, by: max($0, 1), "PromiseCache.capacity") })
    self.timeToLive = timeToLive
    // Both times are clamped, so that their sum does not overflow.
    let parts = [timeToLive, staleTimeToLive].map { $0.map { min(max($0, .zero), .seconds(Int64.max)) } }
    servingTime = parts[0].flatMap { fresh in parts[1].map { fresh + $0 } }
    self.failureTimeToLive = failureTimeToLive
    self.clock = clock
  }

  /// Returns a promise for the value of a key. The value is cached, in flight, or loaded now.
  ///
  /// - Fulfils, fails, cancels: as the load, without a hop. If the result is cached, the promise is already resolved. A
  ///   request to cancel withdraws the caller's vote on the load. If all callers have asked to cancel before `load` is
  ///   called, their promises are cancelled at once, and `load` is released without being called.
  /// - Pauses: if `context` has a ``PromisePause``, the load begins only when the pause is not suspended.
  /// - Runs on: `context`. With `.immediate` or `.nowOr`, `load` runs inside this call.
  /// - Order: the cache stores or discards the result before any caller receives the result. A cancelled load is never
  ///   stored.
  /// - Parameters:
  ///   - key: The key to look up.
  ///   - context: The context on which `load` runs.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - load: A closure that starts a load and returns a promise for its result. The closure is called if the key has
  ///     no fresh result and no load in flight.
  public func promise(
    for key: Key, on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    load: @escaping @Sendable (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    find(key, on: context, CallSite(fileID, line)) { key in
      do throws(Failure) { return try load(key) } catch { return Promise(with: .thrown(error)) }
    }
  }

  /// Returns a promise for the value of a key. The value is cached, in flight, or loaded now on the actor that the
  /// closure is isolated to.
  ///
  /// Otherwise, this method behaves like ``promise(for:on:fileID:line:load:)``.
  ///
  /// - Runs on: the actor that `load` is isolated to, or `.default` if `load` is not isolated.
  /// - Parameters:
  ///   - key: The key to look up.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - load: A closure that starts a load and returns a promise for its result.
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load:
      @escaping @Sendable @isolated(any) (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    promise(
      for: key, on: .isolated(to: load.isolation, otherwise: .default), fileID: fileID, line: line,
      load: Isolation.uncheckedThrowing(load))
  }

  /// Returns a promise for the value of a key. The value is cached, in flight, or loaded now by an async closure.
  ///
  /// ```swift
  /// let image = images.promise(for: url) { url in try await service.image(at: url) }
  /// ```
  ///
  /// The load runs in its own task. When all callers that wait for the load have asked to cancel, the task is
  /// cancelled. Otherwise, this method behaves like ``promise(for:on:fileID:line:load:)``.
  ///
  /// - Runs on: the actor that `load` is isolated to, or the global executor if `load` is not isolated.
  /// - Parameters:
  ///   - key: The key to look up.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - load: The async closure that loads the value. The closure is called if the key has no fresh result and no load
  ///     in flight.
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let site = CallSite(fileID, line)
    return find(key, on: .immediate, site, isAsync: true) { key in
      Promise(priority: nil, at: site) { () async throws(Failure) in try await load(key) }
    }
  }

  /// Returns the cached result of a key, or `nil` if no result is cached. Does not start a load. While a load is in
  /// flight, returns the old value if that value may still be served.
  ///
  /// - Parameter key: The key to look up.
  public func peek(_ key: Key) -> PromiseResult<Value, Failure>? {
    guard let entry = table.entry(for: key) else { return nil }
    if let kept = servable(entry) { return kept.promise.result }
    guard let result = entry.promise.result, result.value == nil else { return nil }
    return entry.isFresh(lifetime(of: result)) ? result : nil
  }

  /// Removes a key.
  ///
  /// A load in flight finishes for the waiting callers, but the result of the load is not kept. The next call starts a
  /// new load.
  ///
  /// - Parameter key: The key to remove.
  public func remove(_ key: Key) {
    while let entry = table.entry(for: key), !table.replace(entry, by: nil, for: key) {}
  }

  /// Removes all keys, with the effect of ``remove(_:)`` on each key.
  public func removeAll() { table.removeAll() }

  /// The number of keys that are cached or loading.
  public var count: Int { table.count }

  /// The number of hits, misses, loads and failures since the cache was made, for a metrics library.
  ///
  /// - `hits`: calls that returned a cached result, fresh or stale, or joined a load in flight.
  /// - `misses`: calls that found neither a result that may be served nor a load in flight.
  /// - `loads`: loads that have begun, after a miss or to replace a stale value.
  /// - `failures`: loads that have failed.
  public var counters: (hits: Int, misses: Int, loads: Int, failures: Int) { counts.all }

  /// Sets an observer of the changes of the ``counters``, for a metrics library.
  ///
  /// - Parameter observer: A closure that is called with the differences, on any thread, in any order.
  package func observeCounters(_ observer: @escaping @Sendable (_ more: CacheCounters) -> Void) {
    counts.observe(observer)
  }

  private func find(
    _ key: Key, on context: PromiseContext, _ site: CallSite, isAsync: Bool = false,
    _ load: @escaping @Sendable (Key) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    // Each further round means that another thread has added or removed an entry of this key.
    while true {
      let found = table.entry(for: key)
      if let found, let promise = join(found, site) {
        table.touch(found)
        counts.add(hits: 1)
        return promise
      }
      let stale = found.flatMap(servable)
      let (entry, work) = makeEntry(key, after: stale, on: context, site, isAsync, load)
      // The first vote is added before the entry is shared.
      let promise = stale?.promise ?? entry.admit(entry.promise.makeChild(), site)
      if table.replace(found, by: entry, for: key) {
        counts.add(hits: stale == nil ? 0 : 1, misses: stale == nil ? 1 : 0)
        dropIfExpired(stale)
        work.start()
        return promise
      }
      // Another thread has changed the entry of this key first, so this load does not begin.
      work.cancel()
    }
  }

  /// Returns a promise for one more caller, or `nil` if a load has to start.
  private func join(_ entry: Entry, _ site: CallSite) -> Promise<Value, Failure>? {
    let stale = entry.previous.withLock { $0 }.flatMap(servable)
    guard let result = entry.promise.result else {
      return stale?.promise ?? entry.promise.makeChildUnlessCancelling().map { entry.admit($0, site) }
    }
    guard entry.isFresh(lifetime(of: result)) else { return nil }
    return result.error == nil ? entry.promise : (stale ?? entry).promise
  }

  /// Returns the entry whose value may be served, fresh or stale: `entry` or its previous entry. Returns `nil` if
  /// neither value may be served.
  private func servable(_ entry: Entry) -> Entry? {
    if entry.hasValue { return entry.isFresh(servingTime) ? entry : nil }
    return entry.previous.withLock { $0 }.flatMap { $0.isFresh(servingTime) ? $0 : nil }
  }

  /// Returns the time for which a result is kept; `nil` means for ever.
  private func lifetime(of result: PromiseResult<Value, Failure>) -> Duration? {
    switch result {
    case .value: timeToLive
    case .error: failureTimeToLive
    case .cancelled: .zero
    }
  }

  private func makeEntry(
    _ key: Key, after stale: Entry?, on context: PromiseContext, _ site: CallSite, _ isAsync: Bool,
    _ load: @escaping @Sendable (Key) -> Promise<Value, Failure>
  ) -> (Entry, HeldWork<Value, Failure>) {
    let task = isAsync ? SharedWork() : nil
    let (loading, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .load) { [counts] _ in
      counts.add(loads: 1)
      return task.map { SharedWork.$current.withValue($0) { load(key) } } ?? load(key)
    }
    // Loads and timers retain neither the cache nor an entry that was removed from the cache.
    let promise = loading.propagatingCancellation(on: .immediate) { [weak self] promise in
      guard let entry = self?.table.entry(for: key), entry.promise == promise else { return }
      self?.drop(entry)
    }
    // Callers get the old value and not the error of this load, so the error must not be reported as unread.
    if stale != nil { promise.tap(on: .immediate) { _ in } }
    let entry = Entry(key, promise, after: stale, task)
    promise.whenResolved { [weak self, weak entry, counts] result in
      task?.release()
      if result.error != nil { counts.add(failures: 1) }
      if let self, let entry { self.keep(entry, with: result) }
    }
    return (entry, work)
  }

  /// Removes an entry. If the value of its previous entry may still be served, that previous entry replaces the entry.
  /// If the entry of a new load has already replaced this entry, the new entry releases this entry.
  private func drop(_ entry: Entry) {
    let stale = entry.hasValue ? nil : servable(entry)
    if table.replace(entry, by: stale, for: entry.key) { return dropIfExpired(stale) }
    table.entry(for: entry.key)?.release(previous: entry)
  }

  /// Removes an old entry whose lifetime has ended. The caller has just added this entry to the table, by itself or as
  /// the previous entry of a load. The timer of the entry may have ended earlier, when the entry was not in the table.
  private func dropIfExpired(_ stale: Entry?) {
    if let stale, !stale.isFresh(servingTime) { drop(stale) }
  }

  /// Stores the result of a finished load for the lifetime of the result.
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

/// The counters of a cache, and their observer.
private final class CacheCounts: Sendable {
  private let state = Guarded<(all: CacheCounters, observer: CacheCountersObserver?)>(((0, 0, 0, 0), nil))

  var all: CacheCounters { state.withLock { $0.all } }

  func observe(_ observer: @escaping CacheCountersObserver) {
    _ = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
  }

  func add(hits: Int = 0, misses: Int = 0, loads: Int = 0, failures: Int = 0) {
    let observer = state.withLock { state in
      let old = state.all
      state.all = (old.hits + hits, old.misses + misses, old.loads + loads, old.failures + failures)
      return state.observer
    }
    observer?((hits, misses, loads, failures))
  }
}

/// The counters of a cache.
package typealias CacheCounters = (hits: Int, misses: Int, loads: Int, failures: Int)
/// A closure that receives the differences between the new and the old counters.
package typealias CacheCountersObserver = @Sendable (_ more: CacheCounters) -> Void
