internal import Overmorrow
internal import OvermorrowEngine

/// The part of a cache's entry that does not depend on the types of the cache: its place, its age, and the entry that
/// it has replaced.
@usableFromInline
class CacheLine: @unchecked Sendable {
  // Sendable: all fields that change are only used under the lock of the core, except where a comment says otherwise.

  /// The hash of the key.
  final let hash: Int
  /// The task of an async load; `nil` for other loads.
  final let task: SharedWork?
  /// The entry that this entry has replaced, or `nil` if there is none or this entry has a value.
  final var previous: CacheLine?
  /// Whether the entry has a value.
  final var hasValue = false
  /// Whether the entry has a promise. A load that runs inside the call of its first caller has no promise while no
  /// other caller waits for it.
  final var hasPromise: Bool
  /// In a cache with a limit of costs: whether the entry is in the cache.
  final var isPresent = false
  /// The time at which the result arrived, on the clock of the cache; `nil` while there is no result.
  final var arrival: Duration?
  /// The timer for the end of the lifetime of the result. Without a timer, the lifetime never ends.
  final var timer: Timer?
  /// The slot of the entry in the order of use of all entries, or `CacheOrder.none` if the entry is not there.
  final var index = CacheOrder.none
  /// The slot of the entry in the order of use of the entries with a cost, or `CacheOrder.none`.
  final var costIndex = CacheOrder.none
  /// The cost of the value, or that of the previous value while the entry has no value.
  final var cost = 0

  init(hash: Int, hasPromise: Bool, after previous: CacheLine?, task: SharedWork?) {
    self.hash = hash
    self.hasPromise = hasPromise
    self.previous = previous
    self.task = task
  }

  // Nothing else uses the line any more.
  deinit { timer?.cancel() }
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

  /// Returns whether two buckets contain the same entries.
  static func isSame(_ left: CacheBucket?, _ right: CacheBucket?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.first === right.first && left.others.elementsEqual(right.others, by: ===)
  }
}
