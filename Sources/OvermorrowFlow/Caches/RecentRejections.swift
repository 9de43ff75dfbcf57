/// The hashes of the keys that a cache has rejected last.
///
/// A table with one hash for each index. A newer hash replaces an older one with the same index, so a few are forgotten
/// early.
struct RecentRejections {
  private struct Rejection {
    /// Half of the hash.
    var mark: UInt32 = 0
    /// The number of the rejection; zero if there is none.
    var number: UInt32 = 0
  }

  /// The number of rejections after which a hash is forgotten.
  let entries: Int
  private var table: [Rejection]
  private var lastNumber: UInt32 = 0

  init(entries: Int) {
    self.entries = entries
    table = Array(repeating: Rejection(), count: 4 * entries)
  }

  mutating func add(_ hash: Int) {
    guard !table.isEmpty else { return }
    // After 2³² rejections, the numbers begin again. A hash that is older than that may then count as new once.
    lastNumber = max(lastNumber &+ 1, 1)
    table[index(of: hash)] = Rejection(mark: UInt32(truncatingIfNeeded: hash), number: lastNumber)
  }

  func contains(_ hash: Int) -> Bool {
    guard !table.isEmpty else { return false }
    let found = table[index(of: hash)]
    guard found.number > 0, found.mark == UInt32(truncatingIfNeeded: hash) else { return false }
    return lastNumber &- found.number < entries
  }

  private func index(of hash: Int) -> Int {
    Int((UInt64(UInt32(truncatingIfNeeded: hash) &* 0x1E37_79B9) * UInt64(table.count)) >> 32)
  }
}
