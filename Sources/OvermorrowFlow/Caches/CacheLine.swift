public import Overmorrow
internal import OvermorrowEngine

/// The part of a cache's entry that does not depend on the types of the cache: its place, its age, and the entry that
/// it has replaced.
@usableFromInline
class CacheLine: @unchecked Sendable {
  // Sendable: all fields that change are only used under the lock of the core, except where a comment says otherwise.

  /// The hash of the key.
  final let hash: Int
  /// The load of the promise; `nil` if there is no such promise, and after its result has arrived.
  final var load: CacheLoad?
  /// The promise of the entry; `nil` if the load runs inside the call of its first caller, and no other caller waits
  /// for the load. When all its children have asked to cancel, the promise passes the request on to the load, even
  /// though this entry retains a handle.
  ///
  /// The promise is set before the entry is shared, or once under the lock. It is read under the lock, or after the
  /// reader has found that the entry has a value or a load.
  final var untypedPromise: UntypedPromise?
  /// The entry that this entry has replaced, or `nil` if there is none or this entry has a value.
  final var previous: CacheLine?
  /// The time at which the result arrived, on the clock of the cache; `nil` while there is no result. If the lifetime
  /// of the result is longer or shorter than the time to live, this time is later or earlier by the difference.
  final var arrival: Duration?
  /// Whether the entry has a value.
  final var hasValue = false
  /// In a cache with a limit of costs: whether the entry is in the cache.
  final var isPresent = false
  /// How many seconds before the end of its time to live the value is due to be loaded again.
  final var ahead: Float = 0
  /// The end of the lifetime of the result, on the clock of the cache, if the entry is among the `CacheExpiries`.
  final var end = Duration.zero
  /// The place of the entry among the `CacheExpiries`, or `CacheLists.none` if the entry is not there.
  private final var expiryIndex = CacheLists.none
  /// The slot of the entry in the order of all entries, or `CacheLists.none` if the entry is not there.
  final var orderIndex = CacheLists.none
  /// The slot of the entry in the order of the entries with a cost, or `CacheLists.none`.
  final var costIndex = CacheLists.none
  /// The cost of the value, or that of the previous value while the entry has no value.
  final var cost = 0

  /// Whether the entry has nothing but a load in flight.
  final var isInFlight: Bool { !hasValue && previous == nil && arrival == nil }

  init(hash: Int, _ promise: UntypedPromise?, after previous: CacheLine?, _ load: CacheLoad?) {
    self.hash = hash
    untypedPromise = promise
    self.previous = previous
    self.load = load
  }

  /// Whether an entry serves the old value that a new one is to serve, so that no other thread has taken this value.
  @inline(__always)
  static func mayReplace(_ old: CacheLine?, _ new: CacheLine?) -> Bool {
    guard let previous = new?.previous else { return true }
    return previous === old || previous === old?.previous
  }

  /// The promise and the load, for inlinable code. If such code could use the stored properties, each use of them would
  /// have a check for exclusive access.
  @usableFromInline final var knownPromise: UntypedPromise? { untypedPromise }
  @usableFromInline final var knownLoad: CacheLoad? { load }

  // Nothing else uses the line any more. If its load is still in flight, no stale value is served before it any more.
  deinit {
    if let load { load.staleWait?.end(serving: nil, of: load) }
  }
}

extension CacheLine: IndexedHeapEntry {
  /// The place of the entry among the `CacheExpiries`.
  @usableFromInline final var index: Int? {
    get { expiryIndex == CacheLists.none ? nil : Int(expiryIndex) }
    set { expiryIndex = newValue.map { Int32($0) } ?? CacheLists.none }
  }

  /// Not stored, because entries whose lifetimes end at the same time have no order.
  @usableFromInline final var number: UInt64 {
    get { 0 }
    set {}
  }

  @usableFromInline
  final func precedes(_ other: CacheLine) -> Bool? { end < other.end }
}

/// The entries of a cache whose keys have the same hash. In most cases there is only one.
@usableFromInline
struct CacheBucket: Sendable {
  @usableFromInline let first: CacheLine
  @usableFromInline let others: [CacheLine]

  init(_ first: CacheLine, _ others: [CacheLine] = []) {
    self.first = first
    self.others = others
  }

  /// Returns the bucket without `old` and with `new` at its end, or `nil` if the bucket is then empty.
  static func changing(_ bucket: CacheBucket?, from old: CacheLine?, to new: CacheLine?) -> CacheBucket? {
    guard let bucket else { return new.map { CacheBucket($0) } }
    var lines = ([bucket.first] + bucket.others).filter { $0 !== old }
    if let new { lines.append(new) }
    guard let first = lines.first else { return nil }
    return CacheBucket(first, Array(lines.dropFirst()))
  }

  func contains(_ line: CacheLine) -> Bool { first === line || others.contains { $0 === line } }

  /// Whether an entry is in the bucket, or is the previous entry of one in the bucket.
  func serves(_ line: CacheLine) -> Bool {
    contains(line) || first.previous === line || others.contains { $0.previous === line }
  }

  /// Returns whether two buckets contain the same entries.
  static func isSame(_ left: CacheBucket?, _ right: CacheBucket?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.first === right.first && left.others.elementsEqual(right.others, by: ===)
  }
}
