internal import Dispatch

/// Work of the main queue in which nobody's callback is called: a result that comes after a delay, or at a deadline.
///
/// Each piece has a turn on the queue. A wait that blocks the queue runs what is there by itself, and the turns find nothing: so it
/// does not wait for what it keeps from running.
enum MainTurns {
  private static let lane = Lane(.main, number: Lane.globals.count)
  /// What the innermost wait that blocks the main queue is woken up by.
  private static let blocked = Guarded<DispatchSemaphore?>(nil)

  static func enqueue(_ item: WorkItem) {
    lane.enqueue(item)
    blocked.withLock { _ = $0?.signal() }
  }

  /// Runs what is there. On the main queue only.
  static func runAll() {
    while let item = lane.takeAny() { item.run() }
  }

  /// From now on `semaphore` is signalled when work comes.
  ///
  /// - Returns: What was signalled before, to be put back when the wait ends.
  static func block(with semaphore: DispatchSemaphore?) -> DispatchSemaphore? {
    blocked.withLock { blocked in
      defer { blocked = semaphore }
      return blocked
    }
  }
}
