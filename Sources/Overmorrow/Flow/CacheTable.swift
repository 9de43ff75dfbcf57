/// Entries by key, behind a lock under which neither a key is compared nor an entry released.
///
/// The lock guards whole buckets, which never change, by the hash of their keys. A change is made to a copy of the
/// bucket seen, and tried again if another one is there by then.
final class CacheTable<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  typealias Entry = CacheEntry<Key, Value, Failure>

  private final class Bucket: Sendable {
    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }
  }

  private struct State: Sendable {
    var buckets: [Int: Bucket] = [:]
    /// All entries, the least recently used one first.
    var order = IndexedHeap<Entry>()
  }

  private let state = Guarded(State())
  /// How many entries there may be; `nil` for any number.
  private let capacity: Int?

  init(capacity: Int?) { self.capacity = capacity }

  /// The entry of a key.
  func entry(for key: Key) -> Entry? {
    let hash = key.hashValue
    return state.withLock { $0.buckets[hash] }?.entries.first { $0.key == key }
  }

  /// Makes an entry the most recently used one, if it is there.
  func touch(_ entry: Entry) {
    guard capacity != nil else { return }
    state.withLock { state in
      guard entry.index != nil else { return }
      state.order.remove(entry)
      state.order.insert(entry)
    }
  }

  /// Replaces an entry of a key, if it is still the expected one; `nil` means no entry.
  ///
  /// If there are too many entries then, the least recently used ones are removed.
  func replace(_ old: Entry?, by new: Entry?, for key: Key) -> Bool {
    let hash = key.hashValue
    while true {
      let seen = state.withLock { $0.buckets[hash] }
      let entries = seen?.entries ?? []
      // The old one by identity: there are keys that do not equal themselves.
      guard old != nil || !entries.contains(where: { $0.key == key }) else { return false }
      guard old == nil || entries.contains(where: { $0 === old }) else { return false }
      let changed = entries.filter { $0 !== old } + (new.map { [$0] } ?? [])
      let bucket = changed.isEmpty ? nil : Bucket(changed)
      // Removed entries are kept until the lock is released, so that none is destroyed under it.
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

  /// Removes entries beyond the capacity, one for each new one.
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
      // Each of them is marked, so that no removed entry counts as present.
      while state.order.popFirst() != nil {}
      defer { state.buckets = [:] }
      return state.buckets
    }
    withExtendedLifetime(removed) {}
  }

  /// How many entries there are.
  var count: Int { state.withLock { $0.order.count } }
}
