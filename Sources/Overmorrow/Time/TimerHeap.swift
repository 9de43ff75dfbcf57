/// One timer. Its fields belong to the lock of the queue that it is in.
final class TimerEntry: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `deadline` never changes; the rest is only touched under the lock of `TimerQueue`.
  let deadline: ContinuousClock.Instant
  private var action: (@Sendable () -> Void)?
  var index: Int?
  var number: UInt64 = 0

  init(deadline: ContinuousClock.Instant, action: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.action = action
  }

  func precedes(_ other: TimerEntry) -> Bool? { deadline == other.deadline ? nil : deadline < other.deadline }

  /// The action, once.
  func takeAction() -> (@Sendable () -> Void)? {
    defer { action = nil }
    return action
  }
}

/// Timers, the earliest first; of equal deadlines the first one set.
typealias TimerHeap = IndexedHeap<TimerEntry>
