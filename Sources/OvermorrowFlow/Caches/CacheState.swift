internal import Overmorrow
internal import OvermorrowEngine

/// The table of a cache: its entries by hash, in the order in which they are evicted, and their costs.
///
/// The methods only change the table, and the cache calls them under its lock. They return the entries and buckets
/// that they remove, so that none of these is released under the lock. The table cannot be copied, because a copy
/// would retain its parts, and then each of them would be a word that all readers change.
struct CacheState: ~Copyable, Sendable {
  /// The largest number of entries that one call of ``charge(_:_:limit:)`` evicts.
  static var evictionsPerLock: Int { 64 }

  var buckets: [Int: CacheBucket] = [:]
  var count = 0
  /// With an order: the number of hits that were counted together with the uses of their keys.
  var hits = 0
  /// Whether the counters have an observer. All hits are then counted by ``CacheCounts``.
  var isObserved = false
  /// The observers of keys, by the hashes of the keys.
  var watchers: [Int: ObserverList<CacheWatcher>] = [:]
  /// The largest number of entries; `nil` means no limit.
  let capacity: Int?
  /// The largest sum of the costs; `nil` means that values have no costs.
  let costLimit: Int?
  /// If the cache has a capacity: all entries.
  private(set) var order: CacheOrder
  /// If the cache has a limit of costs: the entries that have a cost.
  private(set) var costly: CacheOrder
  /// The entries whose results have a lifetime.
  var expiries = CacheExpiries()
  /// The sum of the costs of the entries.
  private(set) var totalCost = 0

  init(capacity: Int?, costLimit: Int?) {
    (self.capacity, self.costLimit) = (capacity, costLimit)
    order = CacheOrder(.all, limit: capacity ?? .max)
    costly = CacheOrder(.costly, limit: costLimit ?? .max)
  }

  /// Returns the observers of the keys with a hash; `nil` if there are none.
  func watchers(of hash: Int) -> ObserverList<CacheWatcher>? { watchers.isEmpty ? nil : watchers[hash] }

  /// Notes that the key of an entry was asked for.
  @inline(__always)
  mutating func touch(_ line: CacheLine) {
    if capacity != nil { order.touch(line) }
    if line.cost > 0 { costly.touch(line) }
  }

  /// Notes that the result of an entry has arrived.
  mutating func arrive(_ line: CacheLine) {
    if capacity != nil { order.arrive(line) }
    if line.cost > 0 { costly.arrive(line) }
  }

  /// Takes the old value of an entry that has no other one.
  mutating func takePrevious(of line: CacheLine) -> CacheLine? {
    // The cost of the entry was that of the old value.
    if line.isPresent { setCost(of: line, 0) }
    let previous = detachPrevious(of: line)
    if capacity != nil, line.isInFlight { order.loseValue(line) }
    return previous
  }

  /// Takes the old value of an entry. If no other entry serves this value, it also leaves the list of lifetimes.
  mutating func detachPrevious(of line: CacheLine) -> CacheLine? {
    guard let previous = line.previous.take() else { return nil }
    if buckets[previous.hash]?.serves(previous) != true { expiries.remove(previous) }
    return previous
  }

  /// Replaces an entry by another one, and passes the cost of a stale value on with that value. `nil` stands for no
  /// entry. The caller has changed the bucket and the count.
  mutating func replace(_ old: CacheLine?, by new: CacheLine?) {
    if capacity != nil {
      switch (old, new) {
      case (nil, nil): break
      case (nil, let new?): order.insert(new)
      case (let old?, nil): order.remove(old)
      case (let old?, let new?): order.replace(old, by: new)
      }
    }
    guard costLimit != nil else { return }
    new?.isPresent = true
    old?.isPresent = false
    guard let old, old.cost > 0 else { return }
    // The stale value is the previous value of the new entry, or has been the previous value of the old entry.
    guard let new, new.previous != nil || old.previous === new else { return setCost(of: old, 0) }
    new.cost = old.cost
    costly.replace(old, by: new)
    old.cost = 0
  }

  /// Removes the entries beyond the capacity. Returns the replaced buckets.
  mutating func evict() -> [CacheBucket?] {
    guard let capacity else { return [] }
    var removed: [CacheBucket?] = []
    while order.count > capacity, let line = order.victim() { removed.append(evict(line)) }
    return removed
  }

  /// Sets the cost of an entry whose value has just arrived. The entry counts as used now.
  ///
  /// First removes values that have a cost, until the sum of the costs with the new one is within the limit. One call
  /// removes at most 64 values. The caller then releases them without the lock, and calls again.
  ///
  /// - Parameter isFirst: Whether this is the first call for this value.
  /// - Returns: The replaced buckets. `nil` if the cost is set, or if the value is no longer in the cache.
  mutating func charge(_ line: CacheLine, _ cost: Int, limit: Int, isFirst: Bool) -> [CacheBucket?]? {
    guard let holder = holder(of: line) else { return nil }
    if isFirst {
      // An order that counts requests has moved the entry already.
      if capacity != nil, !order.isCounting { order.touch(holder) }
      if holder.cost > 0 { costly.touch(holder) }
    }
    var removed: [CacheBucket?] = []
    // Both costs and the sum are at most the limit, so that no difference overflows.
    while totalCost - holder.cost > limit - cost, let victim = costly.victim(otherThan: holder) {
      if removed.count == Self.evictionsPerLock { return removed }
      if !victim.hasValue, victim.previous != nil {
        // The cost was that of the stale value. The load or the error stays.
        takePrevious(of: victim).map { removed.append(CacheBucket($0)) }
      } else {
        removed.append(evict(victim))
      }
    }
    if !removed.isEmpty { return removed }
    setCost(of: holder, cost)
    costly.arrive(holder)
    return nil
  }

  /// Notes the end of the lifetime of an entry. Does nothing if the entry has left the cache.
  ///
  /// - Returns: The alarm to set; `nil` if there is an alarm that is early enough.
  mutating func expire(_ line: CacheLine, at end: Duration) -> CacheExpiries.Alarm? {
    guard let bucket = buckets[line.hash], bucket.serves(line) else { return nil }
    return expiries.insert(line, at: end)
  }

  /// Returns the entry in the cache that serves the value of an entry: the entry itself, or the entry of a load that
  /// has replaced it.
  private func holder(of line: CacheLine) -> CacheLine? {
    if line.isPresent { return line }
    guard let bucket = buckets[line.hash] else { return nil }
    return ([bucket.first] + bucket.others).first { $0.isPresent && $0.previous === line }
  }

  /// Sets the cost of an entry. An entry that gets a cost counts as used now.
  mutating func setCost(of line: CacheLine, _ cost: Int) {
    let difference = cost - line.cost
    totalCost += difference
    if cost == 0 { costly.remove(line) } else { costly.changeWeight(of: line, by: difference) }
    let isNew = line.cost == 0
    line.cost = cost
    if isNew, cost > 0 { costly.insert(line) }
  }

  /// Removes all entries, and returns a table with these entries.
  mutating func removeAll() -> CacheState {
    // The entries are marked, so that a removed entry does not count as present.
    for bucket in buckets.values {
      for line in [bucket.first] + bucket.others {
        (line.orderIndex, line.costIndex, line.cost, line.isPresent) = (CacheLists.none, CacheLists.none, 0, false)
        line.index = nil
        line.previous?.index = nil
      }
    }
    var removed = CacheState(capacity: capacity, costLimit: costLimit)
    swap(&self, &removed)
    expiries = removed.expiries.successor
    (watchers, hits, isObserved) = (removed.watchers, removed.hits, removed.isObserved)
    return removed
  }

  /// Removes an entry, and returns its bucket.
  private mutating func evict(_ line: CacheLine) -> CacheBucket? {
    let bucket = buckets[line.hash]
    buckets[line.hash] = CacheBucket.changing(bucket, from: line, to: nil)
    count -= 1
    expiries.replace(line, by: nil)
    order.remove(line)
    setCost(of: line, 0)
    line.isPresent = false
    return bucket
  }
}
