/// One timer in a heap. The heap belongs to a queue or a clock, and the lock of that queue or clock guards the fields
/// of the timer.
package final class TimerEntry<Instant: Comparable & Sendable>: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `deadline` and `isHousekeeping` never change; the other fields are only used under the lock of the queue
  // or clock.
  package let deadline: Instant
  private var action: (@Sendable () -> Void)?
  package var index: Int? {
    get { storedIndex }
    set { storedIndex = newValue }
  }
  /// Whether the action only releases what is no longer valid.
  package let isHousekeeping: Bool
  package var number: UInt64 {
    get { storedNumber }
    set { storedNumber = newValue }
  }
  // A stored property that a protocol requires can be modified in place by any code, so that the compiler would check
  // each access.
  private var storedIndex: Int?
  private var storedNumber: UInt64 = 0

  package init(deadline: Instant, isHousekeeping: Bool = false, action: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.isHousekeeping = isHousekeeping
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
