/// How often the hashes of keys were added in the recent past: a count-min sketch.
///
/// A hash selects a word, and three of the 15 counters of that word. A counter counts to 15. When 15 times as many
/// hashes have been counted as the sketch has entries, an age begins, and all counters are halved. A word stores the
/// age in which it was last changed, and is brought up to date when it is used, so that no call has to halve them all.
/// Each call also brings the next word up to date, so that the number of an age is not used again before all words are.
struct FrequencySketch {
  /// The words: 15 counters of four bits each, and the age in the highest four bits.
  private var words: [UInt64]
  /// The number of entries for which the sketch is large enough.
  let entries: Int
  /// The number of hashes that are counted. It is halved with the counters.
  private var count = 0
  private var age: UInt64 = 0
  /// The word that was brought up to date last without a use.
  private var swept = 0

  init(entries: Int) {
    self.entries = entries
    words = Array(repeating: 0, count: 2 * entries)
  }

  /// Counts a hash.
  mutating func add(_ hash: Int) {
    guard !words.isEmpty else { return }
    let index = index(of: hash)
    var word = current(words[index])
    let positions = positions(of: hash)
    var isCounted = false
    for position in [positions.0, positions.1, positions.2] where (word >> position) & 15 < 15 {
      word += 1 << position
      isCounted = true
    }
    words[index] = word
    guard isCounted else { return }
    swept = swept + 1 == words.count ? 0 : swept + 1
    words[swept] = current(words[swept])
    count += 1
    guard count >= 15 * entries else { return }
    count /= 2
    age = (age + 1) & 15
  }

  /// How often a hash was added: at most 15, and rarely too large.
  func frequency(of hash: Int) -> Int {
    guard !words.isEmpty else { return 0 }
    let (word, positions) = (current(words[index(of: hash)]), positions(of: hash))
    return Int(min((word >> positions.0) & 15, (word >> positions.1) & 15, (word >> positions.2) & 15))
  }

  /// Halves the counters of a word once for each age that has begun since its last change.
  private func current(_ word: UInt64) -> UInt64 {
    let ages = (age &- (word >> 60)) & 15
    let counters = word & ~(15 << 60)
    if ages == 0 { return word }
    if ages >= 4 { return age << 60 }
    // The bits that a shift moves into the next lower counter are removed.
    let kept = (UInt64.max >> 4) / 15 * (15 >> ages)
    return (counters >> ages) & kept | age << 60
  }

  /// The word of a hash: the lower half of the hash as a fraction of the number of words.
  private func index(of hash: Int) -> Int {
    Int((UInt64(UInt32(truncatingIfNeeded: hash)) * UInt64(words.count)) >> 32)
  }

  /// The lowest bits of the counters of a hash: one of each five counters, selected by one of the highest bytes.
  private func positions(of hash: Int) -> (UInt64, UInt64, UInt64) {
    // The product also has high bytes where an integer has 32 bits.
    let bits = UInt64(UInt(bitPattern: hash)) &* (0x1E37_79B9 << 32 | 0x7F4A_7C15)
    return (
      ((bits >> 40) & 255) * 5 / 256 * 4, (5 + ((bits >> 48) & 255) * 5 / 256) * 4, (10 + (bits >> 56) * 5 / 256) * 4
    )
  }
}
