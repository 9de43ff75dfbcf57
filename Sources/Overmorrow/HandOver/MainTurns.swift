internal import Dispatch

/// Work of the main queue that calls no user code, such as the delivery of a result after a delay or at a deadline.
///
/// Each item has a turn on the queue. A wait that blocks the queue runs the items itself, so that the wait does not
/// block the work that it waits for. The turns of these items later find empty slots and do nothing.
enum MainTurns {
  private static let lane = Lane(.main, number: Lane.globals.count)
  /// The semaphore that wakes the innermost wait that blocks the main queue.
  private static let blocked = Guarded<DispatchSemaphore?>(nil)

  static func enqueue(_ item: WorkItem) {
    lane.enqueue(item)
    blocked.withLock { _ = $0?.signal() }
  }

  /// Runs the waiting items. Must be called on the main queue.
  static func runAll() {
    while let item = lane.takeAny() { item.run() }
  }

  /// Sets the semaphore that is signalled when work arrives.
  ///
  /// - Returns: The previous semaphore. The caller must restore it when the wait ends.
  static func block(with semaphore: DispatchSemaphore?) -> DispatchSemaphore? {
    blocked.withLock { blocked in
      defer { blocked = semaphore }
      return blocked
    }
  }
}
