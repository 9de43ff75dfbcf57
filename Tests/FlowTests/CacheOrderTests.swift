import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The order of use of a cache's keys, compared with a list.
@Suite(.inTurn) struct CacheOrderTests {
  /// The keys of a cache with a capacity, the least recently used key first.
  private struct Model {
    let capacity: Int
    private(set) var keys: [Int] = []

    init(capacity: Int) { self.capacity = capacity }

    mutating func use(_ key: Int) {
      remove(key)
      keys.append(key)
      if keys.count > capacity { keys.removeFirst() }
    }

    mutating func remove(_ key: Int) { keys.removeAll { $0 == key } }

    mutating func removeAll() { keys = [] }
  }

  @Test("14.12 in random programs, a cache evicts the same keys as a list")
  func randomPrograms() {
    var generator = SeededGenerator(seed: 14)
    for round in 0..<scaled(20_000) / 20 {
      let (cache, range) = (PromiseCache<Int, Int, Never>(capacity: 4), 0..<8)
      var model = Model(capacity: 4)
      for step in 0..<40 {
        let key = Int.random(in: range, using: &generator)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
          cache.removeAll()
          model.removeAll()
        case 1..<4:
          cache.remove(key)
          model.remove(key)
        case 4..<8:
          cache.setValue(step, for: key)
          model.use(key)
        default:
          _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }
          model.use(key)
        }
        let kept = range.filter { cache.peek($0) != nil }
        guard kept == model.keys.sorted(), cache.count == kept.count else {
          Issue.record("round \(round), step \(step): \(kept) are kept, and not \(model.keys.sorted())")
          return
        }
      }
    }
  }
}
