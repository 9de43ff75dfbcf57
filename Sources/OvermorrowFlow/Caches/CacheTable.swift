internal import Overmorrow
internal import OvermorrowEngine

/// The entries of a cache by key, behind a lock. No key is compared and no entry is released while the lock is held.
///
/// The lock guards a dictionary that maps the hashes of keys to immutable buckets. To change an entry, a thread
/// replaces the bucket of the entry with a changed copy. If another thread has replaced the bucket meanwhile, the first
/// thread tries again.
final class CacheTable<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  typealias Entry = CacheEntry<Key, Value, Failure>

  private final class Bucket: Sendable {
    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }
  }

  private struct State: Sendable {
    var buckets: [Int: Bucket] = [:]
    /// All entries, the least recently used entry first.
    var order = IndexedHeap<Entry>()
  }

  private let state = Guarded(State())
  /// The largest number of entries; `nil` means no limit.
  private let capacity: Int?

  init(capacity: Int?) { self.capacity = capacity }

  /// Returns the entry of a key, or `nil` if the key has no entry.
  func entry(for key: Key) -> Entry? {
    let hash = key.hashValue
    return state.withLock { $0.buckets[hash] }?.entries.first { $0.key == key }
  }

  /// Makes an entry the most recently used entry. Does nothing if the entry is not in the table.
  func touch(_ entry: Entry) {
    guard capacity != nil else { return }
    state.withLock { state in
      guard entry.index != nil else { return }
      state.order.remove(entry)
      state.order.insert(entry)
    }
  }

  /// Replaces the entry of a key if `old` is still the entry of that key. `nil` stands for no entry.
  ///
  /// If the table then has too many entries, the least recently used entries are removed.
  ///
  /// - Returns: Whether the entry was replaced.
  func replace(_ old: Entry?, by new: Entry?, for key: Key) -> Bool {
    let hash = key.hashValue
    while true {
      let seen = state.withLock { $0.buckets[hash] }
      let entries = seen?.entries ?? []
      // The old entry is compared by identity, because some keys do not equal themselves.
      guard old != nil || !entries.contains(where: { $0.key == key }) else { return false }
      guard old == nil || entries.contains(where: { $0 === old }) else { return false }
      let changed = entries.filter { $0 !== old } + (new.map { [$0] } ?? [])
      let bucket = changed.isEmpty ? nil : Bucket(changed)
      // Removed entries are retained until the lock is released, so that no entry is destroyed under the lock.
      let removed = state.withLock { state -> [Bucket?]? in
        guard state.buckets[hash] === seen else { return nil }
        state.buckets[hash] = bucket
        if let old { state.order.remove(old) }
        if let new { state.order.insert(new) }
        return evict(from: &state)
      }
      if let removed { return withExtendedLifetime((seen, removed)) { true } }
    }
  }

  /// Removes the entries beyond the capacity. Returns the replaced buckets. The caller releases these buckets after
  /// unlocking.
  private func evict(from state: inout State) -> [Bucket?] {
    var removed: [Bucket?] = []
    while let capacity, state.order.count > capacity, let entry = state.order.popFirst() {
      let bucket = state.buckets[entry.hash]
      let rest = bucket?.entries.filter { $0 !== entry } ?? []
      state.buckets[entry.hash] = rest.isEmpty ? nil : Bucket(rest)
      removed.append(bucket)
    }
    return removed
  }

  /// Removes all entries.
  func removeAll() {
    let removed = state.withLock { state in
      // Each call of `popFirst` clears the index of an entry, so that a removed entry does not count as present.
      while state.order.popFirst() != nil {}
      defer { state.buckets = [:] }
      return state.buckets
    }
    withExtendedLifetime(removed) {}
  }

  /// The number of entries.
  var count: Int { state.withLock { $0.order.count } }
}
