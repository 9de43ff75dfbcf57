internal import Overmorrow
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
  /// The largest number of entries; `nil` means no limit.
  private let capacity: Int?
  /// The largest sum of the costs; `nil` means that values have no costs.
  private let costLimit: Int?
  /// Whether the entries have an order, because there is a limit of their number or of their costs.
  private let isOrdered: Bool
  private let clock: any Clock<Duration>
  /// Returns the time since the cache was created.
  private let elapsed: @Sendable () -> Duration
  fileprivate let state = Guarded(CacheState())

  init(
    capacity: Int?, costLimit: Int?, timeToLive: Duration?, failureTimeToLive: Duration?, staleTimeToLive: Duration?,
    clock: any Clock<Duration>
  ) {
    self.capacity = capacity
    self.costLimit = costLimit
    isOrdered = capacity != nil || costLimit != nil
    self.timeToLive = timeToLive
    self.failureTimeToLive = failureTimeToLive
    // Both times are clamped, so that their sum does not overflow.
    let parts = [timeToLive, staleTimeToLive].map { $0.map { min(max($0, .zero), .seconds(Int64.max)) } }
    servingTime = parts[0].flatMap { fresh in parts[1].map { fresh + $0 } }
    self.clock = clock
    if clock is ContinuousClock {
      // Not generic, because this code runs for each hit of a cache with a lifetime.
      let start = ContinuousClock.now
      elapsed = { start.duration(to: .now) }
    } else {
      elapsed = clock.stopwatch()
    }
  }

  deinit {
    for watcher in allWatchers { watcher.finish() }
  }

  /// Returns the entries whose keys have a hash, or `nil` if there is none.
  @usableFromInline
  func bucket(_ hash: Int) -> CacheBucket? { state.withLock { $0.buckets[hash] } }

  /// The number of entries.
  var count: Int { state.withLock { $0.count } }

  /// The sum of the costs of the entries.
  var totalCost: Int { state.withLock { $0.totalCost } }

  /// Runs a closure under the lock. The closure must neither release an object nor call user code.
  func read<Result>(_ body: () -> sending Result) -> Result { state.withLock { _ in body() } }

  // MARK: Hits

  /// Returns whether an entry has a fresh value. If so, counts a hit and makes the entry the most recently used entry.
  @usableFromInline
  func serves(_ line: CacheLine) -> Bool {
    let now = timeToLive == nil ? nil : elapsed()
    let isServed = state.withLock { state in
      guard line.hasValue, Self.isFresh(line, timeToLive, at: now) else { return false }
      if isOrdered { state.touch(line) }
      return true
    }
    if isServed { counts.add(hits: 1) }
    return isServed
  }

  /// Counts a hit, and makes the entry the most recently used entry.
  func use(_ line: CacheLine) {
    if isOrdered { state.withLock { $0.touch(line) } }
    counts.add(hits: 1)
  }

  /// Returns whether a result with a lifetime may still be used. A lifetime of `nil` never ends.
  func isFresh(_ line: CacheLine, _ lifetime: Duration?) -> Bool {
    let now = lifetime == nil ? nil : elapsed()
    return state.withLock { _ in
      // If the promise has just resolved, another thread has perhaps not kept its result yet. A kept value has an
      // arrival if it has a lifetime.
      let isKept = line.hasValue || line.arrival != nil
      return !isKept && lifetime.map { $0 > .zero } != false || Self.isFresh(line, lifetime, at: now)
    }
  }

  private static func isFresh(_ line: CacheLine, _ lifetime: Duration?, at now: Duration?) -> Bool {
    guard let lifetime, let now else { return true }
    guard lifetime > .zero, let arrival = line.arrival else { return false }
    return now - arrival < lifetime
  }

  /// Returns the entry whose value may be served, fresh or stale: `line` or its previous entry. Returns `nil` if
  /// neither value may be served.
  func servable(_ line: CacheLine) -> CacheLine? {
    let (hasValue, previous) = state.withLock { _ in (line.hasValue, line.previous) }
    guard let candidate = hasValue ? line : previous, isFresh(candidate, servingTime) else { return nil }
    return candidate
  }

  /// Returns the previous entry of an entry if its value may still be served.
  func stale(before line: CacheLine) -> CacheLine? {
    state.withLock { _ in line.previous }.flatMap { isFresh($0, servingTime) ? $0 : nil }
  }

  // MARK: Loads

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

  /// Keeps the value of a load that has run inside the call of its first caller.
  ///
  /// - Parameters:
  ///   - cost: The cost of the value.
  ///   - write: A closure that sets the promise of the entry.
  /// - Returns: `false` if the entry already has a promise, because another caller waits for the load.
  @usableFromInline
  func keepFirst(_ line: CacheLine, cost: Int, _ write: () -> Void) -> Bool {
    // Even if a stale value is served for ever, the value is fresh only for its time to live.
    let now = timeToLive == nil ? nil : elapsed()
    let mayKeep = mayKeep(cost)
    let (isFirst, watchers) = state.withLock { state -> (Bool, ObserverList<CacheWatcher>?) in
      guard !line.hasPromise else { return (false, nil) }
      line.hasPromise = true
      write()
      if mayKeep { (line.hasValue, line.arrival) = (true, now) }
      return (true, state.watchers(of: line.hash))
    }
    // A cache without limits has nothing else to do.
    if isFirst, !isPlain || watchers != nil {
      settle(line, lifetime: mayKeep ? servingTime : .zero, cost: mayKeep ? cost : nil, watchers)
    }
    return isFirst
  }

  /// Sets the promise of an entry by a closure that runs under the lock. Returns `false` if the entry has a promise.
  func setPromise(of line: CacheLine, _ write: () -> Void) -> Bool {
    state.withLock { _ in
      guard !line.hasPromise else { return false }
      line.hasPromise = true
      write()
      return true
    }
  }

  /// Keeps the result of a finished load for its lifetime, or removes the entry.
  ///
  /// - Parameter cost: The cost of the value; zero if there is none.
  func keep(_ line: CacheLine, isValue: Bool, isError: Bool, cost: Int) {
    let isKept = isValue && mayKeep(cost)
    let lifetime = isKept ? servingTime : isError ? failureTimeToLive : .zero
    let now = elapsed()
    let (previous, watchers) = state.withLock { state -> (CacheLine?, ObserverList<CacheWatcher>?) in
      if isKept { line.hasValue = true }
      if lifetime.map({ $0 > .zero }) != false { line.arrival = now }
      return (isValue ? line.previous.take() : nil, state.watchers(of: line.hash))
    }
    withExtendedLifetime(previous) {}
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
      while let removed = state.withLock({ $0.charge(line, cost, limit: costLimit) }) {
        withExtendedLifetime(removed) {}
      }
    }
    if let lifetime { expire(line, after: lifetime) }
    if let watchers, cost != nil, isKept { for watcher in watchers.all { watcher.update() } }
  }

  /// Removes an entry when its lifetime has ended. If the entry is released earlier, nothing happens.
  private func expire(_ line: CacheLine, after lifetime: Duration) {
    guard lifetime > .zero else { return drop(line) }
    let link = CacheLink(to: self)
    link.connect(line)
    let timer = Timer(after: lifetime, on: clock, isHousekeeping: true) {
      PromiseContext.default.perform { link.follow { $0.drop($1) } }
    }
    state.withLock { _ in line.timer = timer }
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
    new.arrival = timeToLive == nil ? nil : elapsed()
    guard replace(seen, old, by: new, hash: new.hash) else { return false }
    settle(new, lifetime: servingTime, cost: cost, state.withLock { $0.watchers(of: new.hash) })
    return true
  }

  /// Replaces an entry if it is still in the cache. `nil` stands for no entry. If the cache then has too many entries,
  /// the least recently used entries are removed.
  ///
  /// - Parameter seen: The bucket of the hash in which the caller has found `old`.
  /// - Returns: `false` if another thread has changed the bucket meanwhile.
  @inline(__always)
  func replace(_ seen: CacheBucket?, _ old: CacheLine?, by new: CacheLine?, hash: Int) -> Bool {
    let bucket = CacheBucket.changing(seen, from: old, to: new)
    // Removed entries are retained until the lock is released, so that no entry is destroyed under the lock.
    let removed = state.withLock { state -> [CacheBucket?]? in
      let present = state.buckets.updateValue(bucket, at: hash)
      guard CacheBucket.isSame(present, seen) else {
        state.buckets[hash] = present
        return nil
      }
      state.count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
      guard isOrdered else { return [] }
      state.replace(old, by: new, hasCapacity: capacity != nil, hasCosts: costLimit != nil)
      return capacity.map { state.evict(beyond: $0) } ?? []
    }
    return withExtendedLifetime((seen, removed)) { removed != nil }
  }

  /// Removes an entry. If the value of its previous entry may still be served, that previous entry replaces the entry.
  /// If the entry of a new load has already replaced this entry, the new entry releases this entry.
  func drop(_ line: CacheLine) {
    let hasValue = state.withLock { _ in line.hasValue }
    let stale = hasValue ? nil : stale(before: line)
    while let bucket = bucket(line.hash) {
      guard bucket.contains(line) else { return release(line, before: bucket) }
      if replace(bucket, line, by: stale, hash: line.hash) { return dropIfExpired(stale) }
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
      let released = state.withLock { state -> CacheLine? in
        guard next.previous === line else { return nil }
        // The cost of the entry was that of the previous value.
        if next.isPresent { state.setCost(of: next, 0) }
        return next.previous.take()
      }
      withExtendedLifetime(released) {}
    }
  }

  /// All entries, in no particular order.
  var lines: [CacheLine] {
    state.withLock { state in state.buckets.values.flatMap { [$0.first] + $0.others } }
  }

  /// Removes all entries.
  func removeAll() {
    let removed = state.withLock { $0.removeAll() }
    withExtendedLifetime(removed) {}
  }
}

// MARK: Observers

extension CacheCore {
  /// Adds an observer of a key.
  func watch(_ watcher: CacheWatcher) {
    state.withLock { $0.watchers[watcher.hash, default: ObserverList()].append(watcher) }
  }

  /// Removes an observer.
  func unwatch(_ watcher: CacheWatcher) {
    let removed = state.withLock { state -> CacheWatcher? in
      let removed = state.watchers[watcher.hash]?.remove(watcher)
      if state.watchers[watcher.hash]?.isEmpty == true { state.watchers[watcher.hash] = nil }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// The observers of all keys.
  var allWatchers: [CacheWatcher] { state.withLock { $0.watchers.values.flatMap(\.all) } }
}

extension [Int: CacheBucket] {
  /// Sets or removes a bucket. Returns the bucket that was there.
  fileprivate mutating func updateValue(_ bucket: CacheBucket?, at hash: Int) -> CacheBucket? {
    if let bucket { updateValue(bucket, forKey: hash) } else { removeValue(forKey: hash) }
  }
}
