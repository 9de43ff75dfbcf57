internal import Overmorrow
internal import OvermorrowEngine

/// The table of a cache: its entries by hash, in the order of their use, and their costs.
///
/// The methods only change the table, and the cache calls them under its lock. They return the entries and buckets that
/// they remove, so that none of these is released under the lock.
struct CacheState: Sendable {
  /// The largest number of entries that one call of ``charge(_:_:limit:)`` evicts.
  static var evictionsPerLock: Int { 64 }

  var buckets: [Int: CacheBucket] = [:]
  var count = 0
  /// If the cache has a capacity: all entries.
  private(set) var order = CacheOrder(.all)
  /// If the cache has a limit of costs: the entries that have a cost.
  private(set) var costly = CacheOrder(.costly)
  /// The sum of the costs of the entries.
  private(set) var totalCost = 0
  /// The observers of keys, by the hashes of the keys.
  var watchers: [Int: ObserverList<CacheWatcher>] = [:]

  /// Returns the observers of the keys with a hash; `nil` if there are none.
  func watchers(of hash: Int) -> ObserverList<CacheWatcher>? { watchers.isEmpty ? nil : watchers[hash] }

  /// Makes an entry the most recently used entry.
  @inline(__always)
  mutating func touch(_ line: CacheLine) {
    order.touch(line)
    if line.cost > 0 { costly.touch(line) }
  }

  /// Replaces an entry by another one, and passes the cost of a stale value on with that value. `nil` stands for no
  /// entry. The caller has changed the bucket and the count.
  mutating func replace(_ old: CacheLine?, by new: CacheLine?, hasCapacity: Bool, hasCosts: Bool) {
    if hasCapacity {
      if let old { order.remove(old) }
      if let new { order.insert(new) }
    }
    guard hasCosts else { return }
    let cost = old?.cost ?? 0
    if let old {
      setCost(of: old, 0)
      old.isPresent = false
    }
    guard let new else { return }
    new.isPresent = true
    // The stale value is the previous value of the new entry, or has been the previous value of the old entry.
    if new.previous != nil || old?.previous === new { setCost(of: new, cost) }
  }

  /// Removes the least recently used entries beyond a capacity. Returns the replaced buckets.
  mutating func evict(beyond capacity: Int) -> [CacheBucket?] {
    var removed: [CacheBucket?] = []
    while order.count > capacity, let line = order.oldest { removed.append(evict(line)) }
    return removed
  }

  /// Sets the cost of an entry whose value has just arrived. The entry counts as used now.
  ///
  /// First removes the least recently used values that have a cost, until the sum of the costs with the new one is
  /// within the limit. One call removes at most 64 values. The caller then releases them without the lock, and calls
  /// again.
  ///
  /// - Returns: The replaced buckets. `nil` if the cost is set, or if the value is no longer in the cache.
  mutating func charge(_ line: CacheLine, _ cost: Int, limit: Int) -> [CacheBucket?]? {
    guard let holder = holder(of: line) else { return nil }
    touch(holder)
    var removed: [CacheBucket?] = []
    // Both costs and the sum are at most the limit, so that no difference overflows.
    while totalCost - holder.cost > limit - cost, let oldest = costly.oldest {
      if removed.count == Self.evictionsPerLock { return removed }
      if !oldest.hasValue, let stale = oldest.previous.take() {
        // The cost was that of the stale value. The load or the error stays.
        setCost(of: oldest, 0)
        removed.append(CacheBucket(stale))
      } else {
        removed.append(evict(oldest))
      }
    }
    if !removed.isEmpty { return removed }
    setCost(of: holder, cost)
    return nil
  }

  /// Returns the entry in the cache that serves the value of an entry: the entry itself, or the entry of a load that
  /// has replaced it.
  private func holder(of line: CacheLine) -> CacheLine? {
    if line.isPresent { return line }
    guard let bucket = buckets[line.hash] else { return nil }
    return ([bucket.first] + bucket.others).first { $0.isPresent && $0.previous === line }
  }

  /// Sets the cost of an entry. An entry that gets a cost is the most recently used entry with a cost.
  mutating func setCost(of line: CacheLine, _ cost: Int) {
    totalCost += cost - line.cost
    line.cost = cost
    if cost == 0 { costly.remove(line) } else if line.costIndex == CacheOrder.none { costly.insert(line) }
  }

  /// Removes all entries, and returns a table with these entries.
  mutating func removeAll() -> CacheState {
    let removed = self
    // The entries are marked, so that a removed entry does not count as present.
    for bucket in removed.buckets.values {
      for line in [bucket.first] + bucket.others {
        (line.index, line.costIndex, line.cost, line.isPresent) = (CacheOrder.none, CacheOrder.none, 0, false)
      }
    }
    self = CacheState()
    watchers = removed.watchers
    return removed
  }

  /// Removes an entry, and returns its bucket.
  private mutating func evict(_ line: CacheLine) -> CacheBucket? {
    let bucket = buckets[line.hash]
    buckets[line.hash] = CacheBucket.changing(bucket, from: line, to: nil)
    count -= 1
    order.remove(line)
    setCost(of: line, 0)
    line.isPresent = false
    return bucket
  }
}
