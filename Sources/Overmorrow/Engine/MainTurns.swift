internal import Dispatch

/// Work of the main queue in which nobody's callback is called: a result that comes after a delay, or at a deadline.
///
/// Each piece has a turn on the queue. A wait that blocks the queue runs what is there by itself, and the turns find nothing: so it
/// does not wait for what it keeps from running.
enum MainTurns {
  private struct State {
    /// Those that came last, and those in front of them, which are in reverse.
    var new: [Errand] = []
    var old: [Errand] = []
    /// What the innermost wait that blocks the main queue is woken up by.
    var blocked: DispatchSemaphore?

    mutating func take() -> Errand? {
      if old.isEmpty {
        swap(&old, &new)
        old.reverse()
      }
      return old.popLast()
    }
  }

  private static let state = Guarded(State())

  static func enqueue(_ errand: Errand) {
    state.withLock { state in
      state.new.append(errand)
      state.blocked?.signal()
    }
    DispatchQueue.main.async { runNext() }
  }

  /// Runs the first of them; `false` if there is none. On the main queue only.
  @discardableResult
  static func runNext() -> Bool {
    guard let errand = state.withLock({ $0.take() }) else { return false }
    errand.run()
    return true
  }

  /// From now on `semaphore` is signalled when work comes.
  ///
  /// - Returns: What was signalled before, to be put back when the wait ends.
  static func block(with semaphore: DispatchSemaphore?) -> DispatchSemaphore? {
    state.withLock { state in
      defer { state.blocked = semaphore }
      return state.blocked
    }
  }
}
