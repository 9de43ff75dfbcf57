internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The part of a cache that does not depend on its types: the entries by hash, their order, their ages and lifetimes.
///
/// Code that depends on the types of a cache is compiled in the module of the client if it runs for each call
/// (`PromiseCache+Hits.swift`). It compares keys and joins promises, and calls this class for everything else.
///
/// No key is compared and no entry is released while the lock is held. To change an entry, a thread replaces the bucket
/// of the entry with a changed copy. If another thread has replaced the bucket meanwhile, the first thread tries again.
@usableFromInline
final class CacheCore: Sendable {
  let counts = CacheCounts()
  let timeToLive: Duration?
  let failureTimeToLive: Duration?
  /// The time for which a value may be served, fresh or stale, counted from its arrival.
  let servingTime: Duration?
  /// The longest time for which a caller waits for a load before it gets a stale value.
  let softTimeout: Duration
  /// Returns the cost of the value of a promise; `nil` if values have no costs.
  private let cost: (@Sendable (_ promise: UntypedPromise) -> Int)?
  /// The largest sum of the costs; `nil` means that values have no costs.
  private let costLimit: Int?
  /// Whether the entries have an order, because there is a limit of their number or of their costs.
  let isOrdered: Bool
  let clock: any Clock<Duration>
  /// How the lifetimes of values differ; `nil` if they are equal.
  private let spread: LifetimeSpread?
  private let stopwatch: Stopwatch
  /// Makes a timer for a time of ``elapsed()``.
  let makeTimer: Timer.AtTime
  let state: ReadMostly<CacheState>

  init(
    capacity: Int?, costLimit: Int?, timeToLive: Duration?, jitter: ClosedRange<Double>,
    failureTimeToLive: Duration?, staleTimeToLive: Duration?, softTimeout: Duration, refreshAhead: Double,
    clock: any Clock<Duration>, cost: (@Sendable (_ promise: UntypedPromise) -> Int)? = nil
  ) {
    self.cost = cost
    isOrdered = capacity != nil || costLimit != nil
    // With an order, each use changes the order.
    state = ReadMostly(CacheState(capacity: capacity, costLimit: costLimit), isShared: !isOrdered)
    self.costLimit = costLimit
    self.timeToLive = timeToLive
    // The times are clamped, so that their sum and the end of a lifetime do not overflow.
    let parts = [timeToLive, staleTimeToLive, failureTimeToLive].map {
      $0.map { min(max($0, .zero), .seconds(Int64.max)) }
    }
    self.failureTimeToLive = parts[2]
    servingTime = parts[0].flatMap { fresh in parts[1].map { fresh + $0 } }
    self.softTimeout = Diagnostics.replace(softTimeout, by: max(softTimeout, .zero), "PromiseCache.softTimeout")
    self.clock = clock
    spread = LifetimeSpread(
      timeToLive: timeToLive,
      jitter: Diagnostics.replace(jitter, by: jitter.finiteNonNegative, "PromiseCache.jitter"),
      refreshAhead: Diagnostics.replace(
        refreshAhead, by: refreshAhead >= 0 ? min(refreshAhead, .greatestFiniteMagnitude) : 0,
        "PromiseCache.refreshAhead"))
    stopwatch = Stopwatch(clock)
    makeTimer = clock.startTimers()
  }

  deinit {
    for watcher in allWatchers { watcher.finish() }
    stopExpiring()
  }

  /// Returns the entries whose keys have a hash, or `nil` if there is none.
  @usableFromInline
  func bucket(_ hash: Int) -> CacheBucket? { state.read { state, _ in state.buckets[hash] } }

  /// Returns the time since the cache was created. Not inlined, because a hit without a lifetime does not call it.
  @inline(never)
  func elapsed() -> Duration { stopwatch.elapsed }

  /// The number of entries.
  var count: Int { state.read { state, _ in state.count } }

  /// The sum of the costs of the entries.
  var totalCost: Int { state.read { state, _ in state.totalCost } }

  /// Runs a closure that reads entries under the lock. The closure must neither release an object nor call user code.
  func read<Result>(_ body: () -> sending Result) -> Result { state.read { _, _ in body() } }

  /// Runs a closure that changes entries under the lock. The closure must neither release an object nor call user code.
  func change<Result>(_ body: () -> sending Result) -> Result { state.withLock { _ in body() } }

  // MARK: Loads

  /// The current time, if the times of loads matter.
  var timeOfLoad: Duration? { spread?.needsLoadTimes == true ? elapsed() : nil }

  /// Adds the entry of a load that runs inside the call of its first caller, and counts the miss and the load.
  ///
  /// - Parameter seen: The bucket of the hash in which the caller has found no entry of the key.
  /// - Returns: `false` if another thread has changed the bucket meanwhile.
  @usableFromInline
  func begin(_ line: CacheLine, seen: CacheBucket?) -> Bool {
    guard replace(seen, nil, by: line, hash: line.hash) else { return false }
    counts.add(misses: 1, loads: 1)
    return true
  }

  /// Returns the entry of a load, if it is in the cache.
  func line(of load: CacheLoad, _ hash: Int) -> CacheLine? {
    state.read { state, _ in
      guard let bucket = state.buckets[hash] else { return nil }
      return bucket.first.load === load ? bucket.first : bucket.others.first { $0.load === load }
    }
  }

  /// Adds the entry of a call that has found no entry in flight, and counts the call.
  ///
  /// - Parameters:
  ///   - seen: The bucket of the hash in which the caller has found `old`.
  ///   - old: The entry of the key; `nil` if there is none.
  /// - Returns: `false` if another thread has changed the bucket meanwhile.
  @usableFromInline
  func add(_ line: CacheLine, seen: CacheBucket?, _ old: CacheLine?) -> Bool {
    let stale = line.previous
    guard replace(seen, old, by: line, hash: line.hash) else { return false }
    counts.add(hits: stale == nil ? 0 : 1, misses: stale == nil ? 1 : 0)
    if stale != nil, softTimeout > .zero, let load = read({ line.load }) { startSoftTimeout(of: load) }
    dropIfExpired(stale)
    return true
  }

  /// Adds one more caller to a load in flight whose key has no old value: adds the caller's vote, and counts the call.
  /// The caller waits for the promise of the entry.
  ///
  /// - Returns: The load; `nil` if there is none, if it has its result, or if its callers have asked to cancel.
  @usableFromInline
  func join(_ line: CacheLine) -> CacheLoad? {
    guard let (load, isCounted) = isOrdered ? joinInOrder(line) : joinAtOnce(line) else { return nil }
    guard let promise = line.untypedPromise, addVote(to: promise) else {
      if isCounted { takeBackHit() }
      return nil
    }
    load.raise()
    if !isCounted { counts.add(hits: 1) }
    return load
  }

  private func joinAtOnce(_ line: CacheLine) -> (load: CacheLoad, isCounted: Bool)? {
    state.read { state, hits in
      guard line.previous == nil, let load = line.load else { return nil }
      if !state.isObserved { hits += 1 }
      return (load, !state.isObserved)
    }
  }

  private func joinInOrder(_ line: CacheLine) -> (load: CacheLoad, isCounted: Bool)? {
    state.withLock { state in
      guard line.previous == nil, let load = line.load else { return nil }
      state.touch(line)
      if !state.isObserved { state.hits += 1 }
      return (load, !state.isObserved)
    }
  }

  /// Adds a vote to a promise, unless it has its result, or its callers have asked to cancel.
  private func addVote(to promise: UntypedPromise) -> Bool {
    guard promise.holdVote() else { return false }
    guard promise.isResolved else { return true }
    promise.forgetVote()
    return false
  }

  /// Keeps the value of a load that has run inside the call of its first caller, and the promise of the load.
  ///
  /// - Returns: `false` if the entry already has a promise, because another caller waits for the load.
  @usableFromInline
  func keepFirst(_ line: CacheLine, _ promise: UntypedPromise) -> Bool {
    let cost = cost(of: promise)
    // Even if a stale value is served for ever, the value is fresh only for its time to live.
    let now = timeToLive == nil ? nil : elapsed()
    let (mayKeep, difference) = (mayKeep(cost), spread?.difference() ?? .zero)
    let (isFirst, watchers) = state.withLock { state -> (Bool, ObserverList<CacheWatcher>?) in
      guard line.untypedPromise == nil else { return (false, nil) }
      line.untypedPromise = promise
      if mayKeep {
        (line.hasValue, line.arrival) = (true, now.map { $0 + difference })
        state.arrive(line)
      }
      return (true, state.watchers(of: line.hash))
    }
    // A cache without limits has nothing else to do.
    if isFirst, !isPlain || watchers != nil {
      let lifetime = mayKeep ? servingTime.map { $0 + difference } : .zero
      settle(line, lifetime: lifetime, cost: mayKeep ? cost : nil, watchers)
    }
    return isFirst
  }

  /// Returns the cost of the value of a promise; zero if values have no costs.
  func cost(of promise: UntypedPromise) -> Int {
    guard let cost = cost?(promise) else { return 0 }
    return Diagnostics.replace(cost, by: max(cost, 0), "PromiseCache.cost")
  }

  /// Keeps the result of a finished load for its lifetime, or removes the entry.
  func keep(_ line: CacheLine) {
    guard let promise = read({ line.untypedPromise }) else { return }
    let (isValue, isError) = (promise.hasValue, !promise.isResolvedWithoutError)
    let cost = isValue ? cost(of: promise) : 0
    let isKept = isValue && mayKeep(cost)
    let difference = isKept ? spread?.difference() ?? .zero : .zero
    let lifetime = isKept ? servingTime.map { $0 + difference } : isError ? failureTimeToLive : .zero
    let now = isKept && timeToLive == nil ? nil : elapsed()
    var ahead: Float = 0
    if isKept, let spread, let now, let beginning = read({ line.load?.beginning }) {
      ahead = spread.ahead(loadTime: now - beginning, difference)
    }
    let (old, watchers) = state.withLock { state in
      if isKept { (line.hasValue, line.ahead) = (true, ahead) }
      if lifetime.map({ $0 > .zero }) != false {
        line.arrival = now.map { $0 + difference }
        state.arrive(line)
      }
      let previous = isValue ? state.detachPrevious(of: line) : nil
      return ((previous, line.load.take()), state.watchers(of: line.hash))
    }
    withExtendedLifetime(old) {}
    settle(line, lifetime: lifetime, cost: isKept ? cost : nil, watchers)
  }

  /// Whether values are kept for ever, whatever their costs.
  private var isPlain: Bool { servingTime == nil && costLimit == nil }

  /// Returns whether a value with a cost may be kept.
  private func mayKeep(_ cost: Int) -> Bool { costLimit.map { cost <= $0 } != false }

  /// Completes the arrival of a result. Evicts entries until there is room for the cost of a value, starts the timer of
  /// the lifetime, and informs the observers of the key.
  ///
  /// - Parameters:
  ///   - cost: The cost of the value; `nil` if the entry has no value.
  ///   - watchers: The observers of the keys with the hash of the entry.
  private func settle(_ line: CacheLine, lifetime: Duration?, cost: Int?, _ watchers: ObserverList<CacheWatcher>?) {
    let isKept = lifetime.map { $0 > .zero } != false
    if let costLimit, let cost, isKept {
      // The lock is released after each 64 evictions, so that other callers do not wait for all of them.
      var isFirst = true
      while let removed = state.withLock({ $0.charge(line, cost, limit: costLimit, isFirst: isFirst) }) {
        isFirst = false
        withExtendedLifetime(removed) {}
      }
    }
    if let lifetime { if lifetime > .zero { expire(line) } else { drop(line) } }
    if let watchers, cost != nil, isKept { for watcher in watchers.all { watcher.update() } }
  }

  // MARK: Changes

  /// Replaces an entry by a new entry whose promise has a value, and keeps the value for its lifetime.
  ///
  /// - Parameters:
  ///   - seen: The bucket of the hash in which the caller has found `old`.
  ///   - cost: The cost of the value.
  /// - Returns: `false` if another thread has changed the bucket meanwhile.
  func replace(_ seen: CacheBucket?, _ old: CacheLine?, byValue new: CacheLine, cost: Int) -> Bool {
    guard mayKeep(cost) else { return old == nil || replace(seen, old, by: nil, hash: new.hash) }
    // No lock is needed, because the new entry is not shared yet. Once it is shared, each caller finds its value.
    new.hasValue = true
    let difference = spread?.difference() ?? .zero
    new.arrival = timeToLive == nil ? nil : elapsed() + difference
    guard replace(seen, old, by: new, hash: new.hash) else { return false }
    let lifetime = servingTime.map { $0 + difference }
    settle(new, lifetime: lifetime, cost: cost, state.read { state, _ in state.watchers(of: new.hash) })
    return true
  }

  /// Replaces an entry if it is still in the cache. `nil` stands for no entry. If the cache then has too many entries,
  /// the first ones in the order are removed.
  ///
  /// - Parameter seen: The bucket of the hash in which the caller has found `old`.
  /// - Returns: `false` if another thread has changed the bucket, or the old value of `old`, meanwhile.
  @inline(__always)
  func replace(_ seen: CacheBucket?, _ old: CacheLine?, by new: CacheLine?, hash: Int) -> Bool {
    let bucket = CacheBucket.changing(seen, from: old, to: new)
    // Removed entries are retained until the lock is released, so that no entry is destroyed under the lock.
    let removed = state.withLock { state -> (lines: [CacheBucket?], timer: Timer?)? in
      let present = state.buckets.updateValue(bucket, at: hash)
      guard CacheBucket.isSame(present, seen), CacheLine.mayReplace(old, new) else {
        state.buckets[hash] = present
        return nil
      }
      state.count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
      if let old { state.expiries.replace(old, by: new) }
      guard isOrdered else { return ([], state.expiries.takeIdleTimer()) }
      state.replace(old, by: new)
      return (state.evict(), state.expiries.takeIdleTimer())
    }
    removed?.timer?.cancel()
    return withExtendedLifetime((seen, removed)) { removed != nil }
  }

  /// Removes an entry. If the value of its previous entry may still be served, that previous entry replaces the entry.
  /// If the entry of a new load has already replaced this entry, the new entry releases this entry.
  func drop(_ line: CacheLine) {
    let hasValue = read { line.hasValue }
    let stale = hasValue ? nil : stale(before: line)
    if let stale { delayNextLoad(of: stale) }
    while let bucket = bucket(line.hash) {
      guard bucket.contains(line) else {
        release(line, before: bucket)
        // Another thread may have put the entry back meanwhile.
        if self.bucket(line.hash)?.contains(line) == true { continue }
        return
      }
      if replace(bucket, line, by: stale, hash: line.hash) {
        // If another thread has taken the old value from the entry meanwhile, it is not to be served any more.
        if let stale, read({ line.previous !== stale }) { return drop(stale) }
        return dropIfExpired(stale)
      }
    }
  }

  /// After a load ahead of the end of a value has failed, makes the value due again when half of the time until its end
  /// has passed.
  private func delayNextLoad(of stale: CacheLine) {
    guard let timeToLive, spread != nil else { return }
    let now = elapsed()
    change {
      guard let arrival = stale.arrival, stale.ahead > 0 else { return }
      stale.ahead = min(stale.ahead, max(Float((timeToLive - (now - arrival)) / .seconds(1)), 0)) / 2
    }
  }

  /// Removes an old entry whose lifetime has ended. The caller has just added this entry to the cache, by itself or as
  /// the previous entry of a load. The timer of the entry may have ended earlier, when the entry was not in the cache.
  func dropIfExpired(_ stale: CacheLine?) {
    if let stale, !isFresh(stale, servingTime) { drop(stale) }
  }

  /// Releases an entry that the entries of a bucket have replaced.
  private func release(_ line: CacheLine, before bucket: CacheBucket) {
    for next in [bucket.first] + bucket.others {
      let (released, timer) = state.withLock { state -> (CacheLine?, Timer?) in
        guard next.previous === line else { return (nil, nil) }
        return (state.takePrevious(of: next), state.expiries.takeIdleTimer())
      }
      timer?.cancel()
      withExtendedLifetime(released) {}
    }
  }

  /// All entries, in no particular order.
  var lines: [CacheLine] {
    state.read { state, _ in state.buckets.values.flatMap { [$0.first] + $0.others } }
  }

  /// Removes all entries.
  func removeAll() {
    let removed = state.withLock { $0.removeAll() }
    removed.expiries.timer?.cancel()
  }
}

extension [Int: CacheBucket] {
  /// Sets or removes a bucket. Returns the bucket that was there.
  fileprivate mutating func updateValue(_ bucket: CacheBucket?, at hash: Int) -> CacheBucket? {
    if let bucket { updateValue(bucket, forKey: hash) } else { removeValue(forKey: hash) }
  }
}
