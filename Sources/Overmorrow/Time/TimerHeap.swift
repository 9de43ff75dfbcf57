/// One timer. The lock of its queue guards its fields.
package final class TimerEntry<Instant: Comparable & Sendable>: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `deadline` never changes; the rest is only touched under the lock of the clock that has the heap.
  package let deadline: Instant
  private var action: (@Sendable () -> Void)?
  package var index: Int?
  package var number: UInt64 = 0

  package init(deadline: Instant, action: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.action = action
  }

  package func precedes(_ other: TimerEntry) -> Bool? { deadline == other.deadline ? nil : deadline < other.deadline }

  /// Takes the action out. Later calls return `nil`.
  package func takeAction() -> (@Sendable () -> Void)? {
    defer { action = nil }
    return action
  }
}

/// A heap of timers: the earliest deadline first, and equal deadlines in the order of insertion.
package typealias TimerHeap<Instant: Comparable & Sendable> = IndexedHeap<TimerEntry<Instant>>
