public import Overmorrow
public import OvermorrowEngine

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
  @usableFromInline typealias Entry = CacheEntry<Key, Value, Failure>

  @usableFromInline let core: CacheCore
  /// Returns the cost of a value; `nil` if values have no costs.
  @usableFromInline let costFunction: (@Sendable (_ value: Value) -> Int)?

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
    costFunction = nil
    core = CacheCore(
      capacity: capacity.map { PromiseDiagnostics.replace($0, by: max($0, 1), "PromiseCache.capacity") },
      costLimit: nil, timeToLive: timeToLive, failureTimeToLive: failureTimeToLive, staleTimeToLive: staleTimeToLive,
      clock: clock)
  }

  /// Creates an empty cache that limits the sum of the costs of its values, such as their bytes.
  ///
  /// ```swift
  /// let files = PromiseCache<String, [UInt8], any Error>(totalCostLimit: 50_000_000, cost: \.count)
  /// ```
  ///
  /// If a new value does not fit, the least recently used values are removed until it fits. A value whose cost exceeds
  /// the limit is passed to its callers and not kept, and no other value is removed for it. Loads in flight, errors and
  /// values of cost zero are not removed because of the limit.
  ///
  /// - Parameters:
  ///   - totalCostLimit: The largest sum of the costs of all values, fresh and stale. A negative number counts as 0.
  ///   - capacity: The largest number of keys that may be cached or loading. `nil`, the default, means no limit.
  ///   - timeToLive: The time for which a value is fresh. `nil`, the default, means for ever.
  ///   - failureTimeToLive: The time for which an error is kept. Zero by default.
  ///   - staleTimeToLive: The time after `timeToLive` for which an old value may still be returned. Zero by default.
  ///   - clock: The clock that measures lifetimes. The continuous clock by default.
  ///   - cost: A closure that returns the cost of a value. The closure is called when the value arrives, on any thread.
  ///     A negative cost counts as 0.
  public init(
    totalCostLimit: Int, capacity: Int? = nil, timeToLive: Duration? = nil, failureTimeToLive: Duration? = .zero,
    staleTimeToLive: Duration? = .zero, clock: any Clock<Duration> = ContinuousClock(),
    cost: @escaping @Sendable (_ value: Value) -> Int
  ) {
    costFunction = cost
    core = CacheCore(
      capacity: capacity.map { PromiseDiagnostics.replace($0, by: max($0, 1), "PromiseCache.capacity") },
      costLimit: PromiseDiagnostics.replace(totalCostLimit, by: max(totalCostLimit, 0), "PromiseCache.totalCostLimit"),
      timeToLive: timeToLive, failureTimeToLive: failureTimeToLive, staleTimeToLive: staleTimeToLive, clock: clock)
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
  @inlinable
  public func promise(
    for key: Key, on context: PromiseContext, fileID: StaticString = #fileID, line: UInt = #line,
    load: @escaping @Sendable (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let place = place(of: key)
    if let entry = place.entry {
      if let promise = hit(entry) { return promise }
    } else if case .immediate = context, let promise = loadNow(place, CallSite(fileID, line), load) {
      return promise
    }
    return find(place, on: context, CallSite(fileID, line), load)
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
  @inlinable
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load:
      @escaping @Sendable @isolated(any) (_ key: Key) throws(Failure) -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let place = place(of: key)
    return place.entry.flatMap(hit) ?? find(place, CallSite(fileID, line), load)
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
  @inlinable
  public func promise(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let (place, site) = (place(of: key), CallSite(fileID, line))
    return place.entry.flatMap(hit) ?? find(place, site, load) ?? Promise(with: .cancelled, site: site)
  }

  /// Returns the value of a key. The value is cached, in flight, or loaded now by an async closure. The calling task is
  /// suspended until the value arrives.
  ///
  /// ```swift
  /// let photo = try await images.value(for: url) { url in try await service.image(at: url) }
  /// ```
  ///
  /// The load is shared, like that of ``promise(for:fileID:line:load:)``, and runs in its own task. If the calling task
  /// is cancelled, the call throws at once and withdraws its vote on the load. A task that is cancelled already starts
  /// and joins no load. A cached value is returned even to a cancelled task, without suspending it. If the call joins a
  /// load, it raises the load to the priority of its task. (On Apple's platforms, from macOS 26, iOS 26, tvOS 26,
  /// watchOS 26 and visionOS 26.)
  ///
  /// - Runs on: the actor that `load` is isolated to, or the global executor if `load` is not isolated.
  /// - Parameters:
  ///   - key: The key to look up.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - load: The async closure that loads the value. The closure is called if the key has no fresh result and no load
  ///     in flight.
  /// - Throws: The error of the load. `CancellationError` if the load or the calling task is cancelled.
  ///   ``PromiseRefusalError/waitsForItself`` if the call is made by the load of the same key, or by a load for which
  ///   that load waits, or by a closure with a turn of a ``PromiseLimiter`` for which the task of the load waits.
  @inlinable
  nonisolated(nonsending) public func value(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) load: @escaping @Sendable @isolated(any) (_ key: Key) async throws(Failure) -> Value
  ) async throws -> Value {
    let place = place(of: key)
    if let entry = place.entry, let promise = hit(entry), case .value(let value)? = promise.result { return value }
    try Task.checkCancellation()
    return try await loadedValue(place, CallSite(fileID, line), load)
  }

  /// Returns the cached result of a key, or `nil` if no result is cached. Does not start a load. While a load is in
  /// flight, returns the old value if that value may still be served.
  ///
  /// - Parameter key: The key to look up.
  public func peek(_ key: Key) -> PromiseResult<Value, Failure>? {
    guard let entry = place(of: key).entry else { return nil }
    if let kept = core.servable(entry) as? Entry { return promise(of: kept)?.result }
    guard let result = promise(of: entry)?.result, result.value == nil else { return nil }
    return core.isFresh(entry, lifetime(of: result)) ? result : nil
  }

  /// Removes a key.
  ///
  /// A load in flight finishes for the waiting callers, but the result of the load is not kept. The next call starts a
  /// new load.
  ///
  /// - Parameter key: The key to remove.
  public func remove(_ key: Key) {
    while true {
      let place = place(of: key)
      guard let entry = place.entry, !core.replace(place.bucket, entry, by: nil, hash: place.hash) else { return }
    }
  }

  /// Removes all keys, with the effect of ``remove(_:)`` on each key.
  public func removeAll() { core.removeAll() }

  /// The number of keys that are cached or loading.
  public var count: Int { core.count }

  /// The sum of the costs of the cached values; zero if the cache has no `totalCostLimit`.
  public var totalCost: Int { core.totalCost }

  /// The number of hits, misses, loads and failures since the cache was made, for a metrics library.
  ///
  /// - `hits`: calls that returned a cached result, fresh or stale, or joined a load in flight.
  /// - `misses`: calls that found neither a result that may be served nor a load in flight.
  /// - `loads`: loads that have begun, after a miss or to replace a stale value.
  /// - `failures`: loads that have failed. A load that all callers have cancelled and released does not count.
  public var counters: (hits: Int, misses: Int, loads: Int, failures: Int) { core.counts.all }

  /// Sets an observer of the changes of the ``counters``, for a metrics library.
  ///
  /// - Parameter observer: A closure that is called with the differences, on any thread, in any order.
  package func observeCounters(_ observer: @escaping @Sendable (_ more: CacheCounters) -> Void) {
    core.counts.observe(observer)
  }
}
