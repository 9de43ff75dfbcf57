internal import Overmorrow

/// A limited number of token buckets, by the hashes of their keys. The buckets do not retain keys.
struct KeyedBuckets: Sendable {
  /// The bucket of a hash. The fields are used under the lock of the limiter.
  final class Entry: IndexedHeapEntry, @unchecked Sendable {
    // Sendable: `hash` never changes; the other fields are only used under the lock of the limiter.
    fileprivate let hash: Int
    fileprivate var bucket = TokenBucket()
    var index: Int?
    var number: UInt64 = 0

    fileprivate init(_ hash: Int) { self.hash = hash }

    func precedes(_ other: Entry) -> Bool? {
      let (time, otherTime) = (bucket.fullTime, other.bucket.fullTime)
      return time == otherTime ? nil : time < otherTime
    }
  }

  private var entries: [Int: Entry] = [:]
  /// All entries, the fullest bucket first.
  private var heap = IndexedHeap<Entry>()
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// Takes a token from the bucket of a hash. If there are then too many buckets, the fullest other bucket is removed.
  mutating func take(
    _ hash: Int, at time: Duration, _ settings: TokenBucket.Settings
  ) -> (turn: TokenBucket.Turn, entry: Entry) {
    let entry = entries[hash] ?? Entry(hash)
    let turn = change(entry) { $0.take(at: time, settings) }
    return (turn, entry)
  }

  /// Returns a token to a bucket. Does nothing if the bucket was removed.
  mutating func giveBack(_ token: Duration, to entry: Entry, _ settings: TokenBucket.Settings) {
    if entry.index != nil { change(entry) { $0.giveBack(token, settings) } }
  }

  @discardableResult
  private mutating func change<Result>(_ entry: Entry, _ body: (inout TokenBucket) -> Result) -> Result {
    heap.remove(entry)
    let result = body(&entry.bucket)
    while heap.count >= capacity, let fullest = heap.popFirst() { entries[fullest.hash] = nil }
    heap.insert(entry)
    entries[entry.hash] = entry
    return result
  }
}
