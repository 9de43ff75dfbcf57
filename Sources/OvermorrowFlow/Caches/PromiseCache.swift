public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// Loads the value of a key once for any number of callers, and keeps the value for later calls.
///
/// ```swift
/// let images = PromiseCache<URL, Image, any Error>(timeToLive: .seconds(600))
/// let image = images.promise(for: url, on: .utility) { url in fetchImage(url) }
/// ```
///
/// If a cache holds more keys than its capacity allows, it evicts a key that was used long ago or seldom. A cache can
/// serve a stale value while it loads a new value, or after a load has failed. ``counters`` are meant for a metrics
/// library.
///
/// Each caller has a vote on the cancellation of a load. When all callers that wait for the load have asked to cancel,
/// the load is asked to cancel. The cache then evicts the load, so that the next call starts a new load. **A cache may
/// be used from any thread.** No user code, such as the comparison of keys, runs while the lock of the cache is held.
///
/// If the last reference to a cache is released during a load, the load still finishes for the waiting callers.
public final class PromiseCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Entry = CacheEntry<Key, Value, Failure>

  @usableFromInline let core: CacheCore

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: The largest number of keys that may be cached or loading. If there are more keys, one is removed,
  ///     with the effect of ``remove(_:)``: if the cache has held at most 128 keys, the least recently used one;
  ///     otherwise, one that was used long ago or seldom. A value below 1 counts as 1. `nil`, the default, means no
  ///     limit.
  ///   - timeToLive: The time for which a value is fresh, counted from its arrival. `nil`, the default, means for ever.
  ///     With zero or less, a value is never fresh. If, in addition, `staleTimeToLive` is zero, only callers that wait
  ///     for the same load share the value.
  ///   - jitter: The range of a random factor of the time to live of each value. With `0.8...1.2`, values that have
  ///     arrived at the same time do not expire at the same time. `1...1` by default. Bounds below 0 count as 0.
  ///   - failureTimeToLive: The time for which an error is kept, counted from its arrival. With zero, the default, the
  ///     next call starts a new load. `nil` means for ever.
  ///   - staleTimeToLive: The time after `timeToLive` for which an old value may still be returned while a new value is
  ///     loaded, or after a load has failed. Zero by default; `nil` means for ever. A call that gets an old value
  ///     starts a load if no load is in flight and no error of a load is kept. The failure of this load is counted but
  ///     not reported, so handle the failure in `load`.
  ///   - softTimeout: The longest time for which a call that finds a stale value waits for the load of a new value,
  ///     counted from the call that has started the load. A call gets the new value if it arrives in this time.
  ///     Otherwise, it gets the stale value at the end of this time, or as soon as the load fails or is cancelled.
  ///     With zero, the default, a call gets the stale value at once. Without `staleTimeToLive`, this time has no
  ///     effect. A negative time counts as 0.
  ///   - refreshAhead: How long before the end of its time to live a value is loaded again when it is asked for, as a
  ///     multiple of the time that its load has taken. Callers get the present value meanwhile. The time is random,
  ///     between once and twice this long, and at most half of the value's time to live. Zero, the default, means not
  ///     before its end.
  ///   - clock: The clock that measures lifetimes. Expired entries are removed automatically, on a global queue. The
  ///     continuous clock by default.
  public init(
    capacity: Int? = nil, timeToLive: Duration? = nil, jitter: ClosedRange<Double> = 1...1,
    failureTimeToLive: Duration? = .zero, staleTimeToLive: Duration? = .zero, softTimeout: Duration = .zero,
    refreshAhead: Double = 0, clock: any Clock<Duration> = ContinuousClock()
  ) {
    core = CacheCore(
      capacity: capacity.map { Diagnostics.replace($0, by: max($0, 1), "PromiseCache.capacity") },
      costLimit: nil, timeToLive: timeToLive, jitter: jitter, failureTimeToLive: failureTimeToLive,
      staleTimeToLive: staleTimeToLive, softTimeout: softTimeout, refreshAhead: refreshAhead, clock: clock)
  }

  /// Creates an empty cache that limits the sum of the costs of its values, such as their bytes.
  ///
  /// ```swift
  /// let files = PromiseCache<String, [UInt8], any Error>(totalCostLimit: 50_000_000, cost: \.count)
  /// ```
  ///
  /// If a new value does not fit, values that were used long ago or seldom are removed until it fits. A value whose
  /// cost exceeds the limit is passed to its callers and not kept, and no other value is removed for it. Loads in
  /// flight, errors and values of cost zero are not removed because of the limit.
  ///
  /// - Parameters:
  ///   - totalCostLimit: The largest sum of the costs of all values, fresh and stale. A negative number counts as 0.
  ///   - capacity: The largest number of keys that may be cached or loading. `nil`, the default, means no limit.
  ///   - timeToLive: The time for which a value is fresh. `nil`, the default, means for ever.
  ///   - jitter: The range of a random factor of the time to live of each value. `1...1` by default.
  ///   - failureTimeToLive: The time for which an error is kept. Zero by default.
  ///   - staleTimeToLive: The time after `timeToLive` for which an old value may still be returned. Zero by default.
  ///   - softTimeout: The longest time for which a call that finds a stale value waits for the load of a new value.
  ///     Zero by default.
  ///   - refreshAhead: How long before its end a value is loaded again when it is asked for, as a multiple of the time
  ///     of its load. Zero by default.
  ///   - clock: The clock that measures lifetimes. The continuous clock by default.
  ///   - cost: A closure that returns the cost of a value. The closure is called when the value arrives, on any thread.
  ///     A negative cost counts as 0.
  public init(
    totalCostLimit: Int, capacity: Int? = nil, timeToLive: Duration? = nil, jitter: ClosedRange<Double> = 1...1,
    failureTimeToLive: Duration? = .zero, staleTimeToLive: Duration? = .zero, softTimeout: Duration = .zero,
    refreshAhead: Double = 0, clock: any Clock<Duration> = ContinuousClock(),
    cost: @escaping @Sendable (_ value: Value) -> Int
  ) {
    core = CacheCore(
      capacity: capacity.map { Diagnostics.replace($0, by: max($0, 1), "PromiseCache.capacity") },
      costLimit: Diagnostics.replace(totalCostLimit, by: max(totalCostLimit, 0), "PromiseCache.totalCostLimit"),
      timeToLive: timeToLive, jitter: jitter, failureTimeToLive: failureTimeToLive,
      staleTimeToLive: staleTimeToLive, softTimeout: softTimeout, refreshAhead: refreshAhead, clock: clock
    ) { Self.result(of: $0)?.value.map(cost) ?? 0 }
  }

  /// Returns a promise for the value of a key. The value is cached, in flight, or loaded now.
  ///
  /// - Fulfils, fails, cancels: as the load, without a hop. If the result is cached, the promise is already resolved. A
  ///   request to cancel withdraws the caller's vote on the load. If all callers have asked to cancel before `load` is
  ///   called, their promises are cancelled at once, and `load` is released without being called.
  ///   At the end of a `softTimeout`, the promise is fulfilled with the stale value: on a global queue, or inside the
  ///   call that moves the time of a `PromiseSchedulingClock`. A request to cancel a promise that waits for this end
  ///   cancels the promise at once, and the load continues.
  /// - Pauses: if `context` has a ``PromisePause``, the load begins only when the pause is not suspended.
  /// - Runs on: `context`. With `.immediate` or `.nowOr`, `load` runs inside this call.
  /// - Order: the cache stores or discards the result before the callers that wait for it receive it. A call in the
  ///   moment when the result arrives may receive it earlier. A cancelled load is never stored.
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
    let place = usedPlace(of: key)
    if place.entry != nil {
      if let promise = place.hit(in: core) { return promise }
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
    let place = usedPlace(of: key)
    return place.hit(in: core) ?? find(place, CallSite(fileID, line), load)
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
    let (place, site) = (usedPlace(of: key), CallSite(fileID, line))
    return place.hit(in: core) ?? find(place, site, load)?.promise
      ?? Promise(with: .cancelled, site: site)
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
    let place = usedPlace(of: key)
    if let promise = place.hit(in: core), case .value(let value)? = promise.result { return value }
    if Task.isCancelled { return try valueWithoutLoad(place) }
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
  /// - `loads`: loads that have begun, after a miss or to replace a value that is stale or near its end.
  /// - `failures`: loads that have failed. A load that all callers have cancelled and released does not count.
  public var counters: (hits: Int, misses: Int, loads: Int, failures: Int) { core.counters }

  /// Sets an observer of the changes of the ``counters``, for a metrics library.
  ///
  /// - Parameter observer: A closure that is called with the differences, on any thread, in any order.
  package func observeCounters(_ observer: @escaping @Sendable (_ more: CacheCounters) -> Void) {
    core.observeCounters(observer)
  }
}
