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

    /// The number of the latest use. Of two buckets that are full at the same time, the one that was used last stays.
    fileprivate var use: UInt64 = 0
    /// The place in the order of the buckets: the time at which the bucket was to be full, and its latest use, when it
    /// was put into the heap or moved in it.
    fileprivate var place = (time: Duration.zero, use: UInt64(0))

    /// Whether the place is the present one.
    fileprivate var isInPlace: Bool { place.use == use }

    fileprivate func findPlace() { place = (bucket.fullTime, use) }

    func precedes(_ other: Entry) -> Bool? {
      place.time == other.place.time ? place.use < other.place.use : place.time < other.place.time
    }
  }

  private var entries: [Int: Entry] = [:]
  /// All entries, the fullest bucket first. As long as there are less than half as many as the capacity, a call
  /// does not move the entry of its bucket, which is then in a place too far to the front. So such a call costs the
  /// same whatever the number of buckets. From then on, each call moves the entry of its bucket, and one entry at
  /// the front, so that hardly any are in a wrong place when the limiter is full.
  private var heap = IndexedHeap<Entry>()
  private let capacity: Int
  /// The number of uses of all buckets.
  private var uses: UInt64 = 0
  /// The observer of the events; `nil` if there is none.
  var observer: FlowObserver?

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  /// Takes a token from the bucket of a hash. If there are then too many buckets, the fullest other bucket is removed.
  mutating func take(
    _ hash: Int, at time: Duration, _ settings: TokenBucket.Settings
  ) -> (turn: TokenBucket.Turn, entry: Entry) {
    uses += 1
    if let entry = entries[hash] {
      entry.use = uses
      let turn = entry.bucket.take(at: time, settings)
      if heap.count >= capacity - capacity / 2 {
        entry.findPlace()
        heap.reorder(entry)
        orderFront()
      }
      return (turn, entry)
    }
    let entry = Entry(hash)
    let turn = entry.bucket.take(at: time, settings)
    while heap.count >= capacity, let fullest = popFullest() { entries[fullest.hash] = nil }
    entry.use = uses
    insert(entry)
    entries[hash] = entry
    if heap.count >= capacity - capacity / 2 { orderFront() }
    return (turn, entry)
  }

  /// Puts back a token of a bucket, which may have been removed.
  ///
  /// - Returns: A timer to cancel.
  mutating func giveBack(_ ticket: RateTicket?, to entry: Entry, _ settings: TokenBucket.Settings) -> Timer? {
    let isKept = entry.index != nil
    heap.remove(entry)
    let timer = entry.bucket.giveBack(ticket, settings)
    if isKept {
      uses += 1
      entry.use = uses
      insert(entry)
    }
    return timer
  }

  private mutating func insert(_ entry: Entry) {
    entry.findPlace()
    heap.insert(entry)
  }

  /// Moves at most one entry at the front to its place, so that few are left when the limiter is full.
  private mutating func orderFront() {
    guard let first = heap.first, !first.isInPlace else { return }
    first.findPlace()
    heap.reorder(first)
  }

  /// Removes the fullest bucket from the heap.
  private mutating func popFullest() -> Entry? {
    while let first = heap.first {
      if first.isInPlace { return heap.popFirst() }
      first.findPlace()
      heap.reorder(first)
    }
    return nil
  }
}
