import Testing

@testable import OvermorrowFlow

/// The estimates of how often a key was asked for, and the memory of rejected keys.
@Suite(.inTurn) struct FrequencySketchTests {
  /// A sketch that halves all counters at the beginning of an age.
  private struct Model {
    let entries: Int
    private var counters: [Int: [Int]] = [:]
    private var count = 0

    init(entries: Int) { self.entries = entries }

    /// The places of the counters of a hash: its word, and a number from 0 to 14.
    private func places(_ hash: Int) -> [Int] {
      let bits = UInt64(UInt(bitPattern: hash))
      let product = bits &* (0x1E37_79B9 << 32 | 0x7F4A_7C15)
      let word = Int(((bits & 0xFFFF_FFFF) * UInt64(2 * entries)) >> 32)
      return [40, 48, 56].enumerated().map { (group: Int, shift: UInt64) -> Int in
        let place = Int((product >> shift) & 255) * 5 / 256
        return word * 15 + group * 5 + place
      }
    }

    mutating func add(_ hash: Int) {
      var isCounted = false
      for place in places(hash) where counters[place, default: [0]][0] < 15 {
        counters[place] = [counters[place, default: [0]][0] + 1]
        isCounted = true
      }
      guard isCounted else { return }
      count += 1
      guard count >= 15 * entries else { return }
      count /= 2
      for (place, counter) in counters { counters[place] = [counter[0] / 2] }
    }

    func frequency(of hash: Int) -> Int { places(hash).map { counters[$0, default: [0]][0] }.min()! }
  }

  @Test("14.12 in random programs, a sketch has the counters of one that halves them all")
  func halving() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20 {
      let entries = Int.random(in: 2..<20, using: &generator)
      var (sketch, model) = (FrequencySketch(entries: entries), Model(entries: entries))
      let hashes = (0..<3 * entries).map { _ in Int.random(in: .min ... .max, using: &generator) }
      // At most 15 additions for each entry begin an age, so there are at least 40 ages.
      for step in 0..<1200 * entries {
        // A few hashes are added often, and all others rarely.
        let limit = Int.random(in: 0..<20, using: &generator) == 0 ? 2 : hashes.count - step / 200 % hashes.count
        let hash = hashes[Int.random(in: 0..<limit, using: &generator)]
        sketch.add(hash)
        model.add(hash)
        guard step % 97 == 0 else { continue }
        for hash in hashes where sketch.frequency(of: hash) != model.frequency(of: hash) {
          Issue.record("\(entries) entries, step \(step): \(sketch.frequency(of: hash)), \(model.frequency(of: hash))")
          return
        }
      }
    }
  }

  @Test("14.12 the estimate of a frequent key is higher than nearly all others")
  func estimates() {
    var generator = SeededGenerator(seed: 2)
    var sketch = FrequencySketch(entries: 1000)
    let hashes = (0..<2000).map { _ in Int.random(in: .min ... .max, using: &generator) }
    for _ in 0..<5 { for hash in hashes.prefix(500) { sketch.add(hash) } }
    for hash in hashes { sketch.add(hash) }
    #expect(hashes.prefix(500).allSatisfy { sketch.frequency(of: $0) >= 6 }, "no estimate is too low")
    #expect(hashes.dropFirst(500).count { sketch.frequency(of: $0) >= 6 } < 75, "few estimates are much too high")
    #expect(FrequencySketch(entries: 0).frequency(of: hashes[0]) == 0)
  }

  @Test("14.12 a rejected key is known until as many others have been rejected")
  func rejections() {
    var generator = SeededGenerator(seed: 3)
    let hashes = (0..<20_000).map { _ in Int.random(in: .min ... .max, using: &generator) }
    var rejections = RecentRejections(entries: 100)
    var known = 0
    for (index, hash) in hashes.enumerated() {
      #expect(!rejections.contains(hash))
      rejections.add(hash)
      #expect(rejections.contains(hash))
      if index >= 99 { known += rejections.contains(hashes[index - 99]) ? 1 : 0 }
      if index >= 100 { #expect(!rejections.contains(hashes[index - 100])) }
    }
    // A newer one has the same place in the table with a probability of a fifth.
    #expect(known > 14_000, "\(known) of 19,901")
    #expect(!RecentRejections(entries: 0).contains(0))
  }
}
