/// Entries by key, behind a lock under which neither a key is compared nor an entry released.
///
/// The lock guards whole buckets, which never change, by the hash of their keys. A change is made to a copy of the bucket
/// seen, and tried again if another one is there by then.
final class CacheTable<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  typealias Entry = CacheEntry<Key, Value, Failure>

  private final class Bucket: Sendable {
    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }
  }

  private let buckets = Guarded<[Int: Bucket]>([:])

  /// The entry of a key.
  func entry(for key: Key) -> Entry? {
    let hash = key.hashValue
    return buckets.withLock { $0[hash] }?.entries.first { $0.key == key }
  }

  /// Puts an entry in the place of another one, of the same key, if that is the one that is there; `nil` is none.
  func replace(_ old: Entry?, by new: Entry?, for key: Key) -> Bool {
    let hash = key.hashValue
    while true {
      let seen = buckets.withLock { $0[hash] }
      let entries = seen?.entries ?? []
      // The old one by identity: there are keys that do not equal themselves.
      guard old != nil || !entries.contains(where: { $0.key == key }) else { return false }
      guard old == nil || entries.contains(where: { $0 === old }) else { return false }
      let changed = entries.filter { $0 !== old } + (new.map { [$0] } ?? [])
      let bucket = changed.isEmpty ? nil : Bucket(changed)
      // Held beyond the lock, so that nothing of the bucket's ends under it.
      let isDone = withExtendedLifetime(seen) {
        buckets.withLock { buckets in
          guard buckets[hash] === seen else { return false }
          buckets[hash] = bucket
          return true
        }
      }
      if isDone { return true }
    }
  }

  /// Takes everything out.
  func removeAll() {
    let removed = buckets.withLock { buckets in
      defer { buckets = [:] }
      return buckets
    }
    withExtendedLifetime(removed) {}
  }

  /// How many entries there are.
  var count: Int { buckets.withLock { Array($0.values) }.reduce(0) { $0 + $1.entries.count } }
}
