/// The distribution of any number of durations, in a fixed amount of memory.
///
/// ```swift
/// let waits = limiter.waitTimes.since(minuteAgo)
/// print(waits.count, waits.quantile(0.5) ?? .zero, waits.quantile(0.99) ?? .zero)
/// ```
///
/// A histogram counts durations in 704 buckets. A bucket is at most a sixteenth as wide as its shortest duration, so a
/// duration that ``quantile(_:)`` returns differs from the exact one by at most 1/32, or about 3 %. Durations below 16
/// nanoseconds are exact. A duration of more than 39 hours counts as 39 hours, and a negative one as zero.
public struct PromiseHistogram: Sendable {
  /// The number of buckets for each power of two.
  private static var steps: UInt64 { 16 }
  /// The binary logarithm of `steps`.
  private static var stepBits: Int { 4 }
  /// The number of bits of the largest number of nanoseconds: 39 hours.
  private static var bits: Int { 47 }
  private static var bucketCount: Int { (bits - stepBits + 1) << stepBits }

  /// The counts of the buckets. Empty before the first duration.
  private var counts: [UInt64] = []
  private var total: UInt64 = 0

  /// Creates a histogram without durations.
  public init() {}

  /// The number of recorded durations.
  public var count: Int { Int(clamping: total) }

  /// Records a duration.
  mutating func record(_ duration: Duration) {
    if counts.isEmpty { counts = Array(repeating: 0, count: PromiseHistogram.bucketCount) }
    counts[PromiseHistogram.bucket(of: duration)] &+= 1
    total &+= 1
  }

  /// Adds the durations of another histogram.
  public mutating func merge(_ other: PromiseHistogram) {
    if other.counts.isEmpty { return }
    if counts.isEmpty {
      self = other
      return
    }
    for bucket in counts.indices { counts[bucket] &+= other.counts[bucket] }
    total &+= other.total
  }

  /// Returns a histogram of the durations that were recorded after an earlier state of this histogram, for instance in
  /// the latest minute.
  ///
  /// - Parameter earlier: A copy that was made earlier.
  public func since(_ earlier: PromiseHistogram) -> PromiseHistogram {
    if counts.isEmpty || earlier.counts.isEmpty { return self }
    var later = PromiseHistogram()
    later.counts = zip(counts, earlier.counts).map { $0 > $1 ? $0 - $1 : 0 }
    later.total = later.counts.reduce(0, &+)
    return later
  }

  /// Returns a duration that is at least as long as a share of all durations; `nil` if there are no durations.
  ///
  /// - Parameter share: The share, such as 0.5 for the median. A number below 0 and NaN count as 0, which stands for
  ///   the shortest duration. A number above 1 counts as 1, which stands for the longest duration.
  /// - Complexity: Linear in the number of buckets.
  public func quantile(_ share: Double) -> Duration? {
    let share = share > 0 ? min(share, 1) : 0
    var seen: UInt64 = 0
    for (bucket, count) in counts.enumerated() {
      seen &+= count
      // A quotient equals the nearest number to a decimal fraction. A product with the share may be above the rank.
      if count > 0, Double(seen) / Double(total) >= share { return PromiseHistogram.middle(of: bucket) }
    }
    return nil
  }

  private static func bucket(of duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    // The number of nanoseconds of a longer duration may not fit.
    if seconds < 0 { return 0 }
    if seconds >= 1 << (bits - 29) { return bucketCount - 1 }
    let nanoseconds = UInt64(max(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, 0))
    if nanoseconds >= 1 << bits { return bucketCount - 1 }
    if nanoseconds < steps { return Int(nanoseconds) }
    // The highest bit selects a power of two, and the next four bits select one of its buckets.
    let shift = UInt64.bitWidth - nanoseconds.leadingZeroBitCount - 1 - stepBits
    return shift << stepBits + Int(nanoseconds >> shift)
  }

  private static func middle(of bucket: Int) -> Duration {
    if bucket < Int(steps) { return .nanoseconds(bucket) }
    let shift = bucket >> stepBits - 1
    let first = (UInt64(bucket) & (steps - 1) + steps) << shift
    return .nanoseconds(Int64(first + 1 << shift / 2))
  }
}
