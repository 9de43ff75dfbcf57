import Testing

@testable import Overmorrow

@Suite(.inTurn) struct TimerHeapTests {
  private static let start = ContinuousClock.now

  private static func entry(_ seconds: Int) -> TimerEntry<ContinuousClock.Instant> {
    TimerEntry(deadline: start.advanced(by: .seconds(seconds))) {}
  }

  @Test("6.3 the heap releases the entries that are removed")
  func releasesRemoved() {
    var heap = TimerHeap<ContinuousClock.Instant>()
    weak var weakEntry: TimerEntry<ContinuousClock.Instant>?
    do {
      let entry = Self.entry(3)
      weakEntry = entry
      heap.insert(entry)
    }
    heap.insert(Self.entry(1))
    #expect(weakEntry != nil)
    if let entry = weakEntry { heap.remove(entry) }
    #expect(weakEntry == nil)
    #expect(heap.count == 1)
  }

  @Test("6.3 an entry returns its action once")
  func actionOnce() {
    let runs = Counter()
    let entry = TimerEntry(deadline: Self.start) { runs.increment() }
    entry.takeAction()?()
    #expect(runs.count == 1)
    #expect(entry.takeAction() == nil)
  }

  @Test(
    "6.3 random insertions and removals have the same result as on a sorted array",
    arguments: [1, 2, 3, 4] as [UInt64])
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var heap = TimerHeap<ContinuousClock.Instant>()
    var model: [TimerEntry<ContinuousClock.Instant>] = []
    for step in 0..<3000 {
      // The heap first grows, then shrinks. Two of the seeds use few different deadlines.
      let grows = random.next() % 10 < (step < 1500 ? 7 : 3)
      if grows || model.isEmpty {
        let entry = Self.entry(Int(random.next() % (seed % 2 == 0 ? 8 : 100_000)))
        heap.insert(entry)
        let place = model.firstIndex { entry.deadline < $0.deadline } ?? model.endIndex
        model.insert(entry, at: place)
      } else {
        // Removes the earliest entry, as when it fires, or any entry, as when it is cancelled.
        let fires = random.next() % 2 == 0
        guard let entry = fires ? heap.first : model.randomElement(using: &random) else { break }
        // The second removal has no effect.
        for _ in 0..<2 { heap.remove(entry) }
        model.removeAll { $0 === entry }
        #expect(entry.index == nil)
      }
      guard heap.count == model.count, heap.first?.deadline == model.first?.deadline else {
        Issue.record("step \(step): \(heap.count) timers instead of \(model.count), or another one in front")
        return
      }
    }
    #expect(Set(model.compactMap(\.index)) == Set(0..<model.count))
    for entry in model {
      #expect(heap.first?.deadline == entry.deadline)
      if let first = heap.first { heap.remove(first) }
    }
    #expect(heap.count == 0)
  }
}
