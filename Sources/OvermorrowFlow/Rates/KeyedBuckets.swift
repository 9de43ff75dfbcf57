internal import Overmorrow

/// A limited number of token buckets, by the hashes of their keys. The buckets do not retain keys.
struct KeyedBuckets: Sendable {
  /// The bucket of a hash, or the only bucket of a limiter without keys. The fields are used under the lock of the
  /// limiter.
  final class Entry: IndexedHeapEntry, @unchecked Sendable {
    // Sendable: `hash` never changes; the other fields are only used under the lock of the limiter.
    fileprivate let hash: Int
    var bucket = TokenBucket()
    var index: Int?
    var number: UInt64 = 0

    init(_ hash: Int) { self.hash = hash }

    func precedes(_ other: Entry) -> Bool? {
      let (time, otherTime) = (bucket.fullTime, other.bucket.fullTime)
      return time == otherTime ? nil : time < otherTime
    }
  }

  private var entries: [Int: Entry] = [:]
  /// All entries, the fullest bucket first.
  private var heap = IndexedHeap<Entry>()
  private let capacity: Int
  /// The observer of the events; `nil` if there is none.
  var observer: FlowObserver?

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// Takes a token from the bucket of a hash. If there are then too many buckets, the fullest other bucket is removed.
  mutating func take(
    _ hash: Int, at time: Duration, _ settings: TokenBucket.Settings
  ) -> (turn: TokenBucket.Turn, entry: Entry) {
    let entry = entries[hash] ?? Entry(hash)
    heap.remove(entry)
    let turn = entry.bucket.take(at: time, settings)
    while heap.count >= capacity, let fullest = heap.popFirst() { entries[fullest.hash] = nil }
    heap.insert(entry)
    entries[entry.hash] = entry
    return (turn, entry)
  }

  /// Puts back a token of a bucket, which may have been removed.
  ///
  /// - Returns: A timer to cancel.
  mutating func giveBack(_ ticket: RateTicket?, to entry: Entry, _ settings: TokenBucket.Settings) -> Timer? {
    let isKept = entry.index != nil
    heap.remove(entry)
    defer { if isKept { heap.insert(entry) } }
    return entry.bucket.giveBack(ticket, settings)
  }
}
