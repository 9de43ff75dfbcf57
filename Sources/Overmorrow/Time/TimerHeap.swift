/// One timer. Its fields belong to the lock of the queue that it is in.
package final class TimerEntry<Instant: Comparable & Sendable>: @unchecked Sendable {
  // Sendable: `deadline` never changes; the rest is only touched under the lock of the clock that has the heap.
  package let deadline: Instant
  private var action: (@Sendable () -> Void)?
  /// Where the heap has it, or `nil`.
  fileprivate(set) var index: Int?
  /// Which one it was in its heap: of equal deadlines the first one set fires first.
  fileprivate var number: UInt64 = 0

  package init(deadline: Instant, action: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.action = action
  }

  fileprivate static func < (left: TimerEntry, right: TimerEntry) -> Bool {
    (left.deadline, left.number) < (right.deadline, right.number)
  }

  /// The action, once.
  package func takeAction() -> (@Sendable () -> Void)? {
    defer { action = nil }
    return action
  }
}

/// Timers in a binary heap, the earliest first; each knows its place, so that it can be taken out.
package struct TimerHeap<Instant: Comparable & Sendable>: Sendable {
  package init() {}

  private var entries: [TimerEntry<Instant>] = []
  private var inserted: UInt64 = 0

  package var count: Int { entries.count }
  package var first: TimerEntry<Instant>? { entries.first }

  package mutating func insert(_ entry: TimerEntry<Instant>) {
    inserted += 1
    entry.number = inserted
    entry.index = entries.count
    entries.append(entry)
    siftUp(entries.count - 1)
  }

  /// Takes a timer out; does nothing if it is not in.
  package mutating func remove(_ entry: TimerEntry<Instant>) {
    guard let index = entry.index else { return }
    entry.index = nil
    let last = entries.removeLast()
    if last !== entry {
      put(last, at: index)
      siftDown(index)
      siftUp(index)
    }
    // A burst of timers must not keep its memory for ever.
    if entries.isEmpty, entries.capacity > 1024 { entries = [] }
  }

  private mutating func put(_ entry: TimerEntry<Instant>, at index: Int) {
    entries[index] = entry
    entry.index = index
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    let entry = entries[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry < entries[parent] else { break }
      put(entries[parent], at: index)
      index = parent
    }
    put(entry, at: index)
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    let entry = entries[index]
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < entry else { break }
      put(entries[child], at: index)
      index = child
    }
    put(entry, at: index)
  }
}
