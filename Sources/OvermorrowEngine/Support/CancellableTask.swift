/// A handle through which any thread can cancel a task in a part of its run, from ``begin()`` to ``end()``.
///
/// A child task has no handle of its own. Its group can cancel it, but only from the task of the group. If the child
/// has begun inside that task's call, that task does not continue before the child is suspended.
package final class CancellableTask: Sendable {
  @safe private struct Running: @unchecked Sendable {
    // Sendable: other threads use the task only to cancel it, which any thread may do.
    private let task: UnsafeCurrentTask

    @unsafe
    init(_ task: UnsafeCurrentTask) { unsafe self.task = task }

    /// Cancels the task, which has not left its state yet.
    @unsafe
    func cancel() { unsafe task.cancel() }
  }

  private enum State: Sendable {
    /// The part has not begun.
    case idle
    case running(Running)
    /// A thread is cancelling the task.
    case cancelling
    /// The part has ended, and the task waits for the thread that is cancelling it.
    case leaving(CheckedContinuation<Void, Never>)
    case cancelled
    /// The part has ended without a request.
    case ended
  }

  private let state = Guarded(State.idle)

  package init() {}

  /// Whether the task was asked to cancel before the part had ended.
  package var isCancelled: Bool {
    state.withLock { state in
      switch state {
      case .cancelling, .leaving, .cancelled: true
      case .idle, .running, .ended: false
      }
    }
  }

  /// Lets any thread cancel the current task from now on. If the request has come already, the task is cancelled inside
  /// this call. The task calls this method once.
  package func begin() {
    unsafe withUnsafeCurrentTask { task in
      guard let task = unsafe task else { return }
      // Unsafe: the task is the current one here, and lives until it has left its state in `end` or `wait`.
      let running = unsafe Running(task)
      let isCancelled = state.withLock { state in
        guard case .idle = state else { return true }
        state = .running(running)
        return false
      }
      if isCancelled { unsafe running.cancel() }
    }
  }

  /// Ends the part of the run in which the task can be cancelled. Returns whether a thread is cancelling the task now.
  /// Then the task must call ``wait(isolation:)`` before it ends.
  package func end() -> Bool {
    state.withLock { state in
      switch state {
      case .idle, .running: state = .ended
      case .cancelling: return true
      case .leaving, .cancelled, .ended: break
      }
      return false
    }
  }

  /// Waits for the thread that is cancelling the task.
  package func wait(isolation: isolated (any Actor)?) async {
    await withCheckedContinuation(isolation: isolation) { wait($0) }
  }

  /// Cancels the task, inside this call if its part has begun. Does nothing if the part has ended.
  package func cancel() {
    let running = state.withLock { state -> Running? in
      switch state {
      case .idle: state = .cancelled
      case .running(let running):
        state = .cancelling
        return running
      case .cancelling, .leaving, .cancelled, .ended: break
      }
      return nil
    }
    guard let running else { return }
    // Unsafe: the task does not leave its state before the state changes below. The lock is free, because this call
    // runs the cancellation handlers of the user.
    unsafe running.cancel()
    let leaving = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .cancelled }
      return if case .leaving(let leaving) = state { leaving } else { nil }
    }
    leaving?.resume()
  }

  private func wait(_ leaving: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      guard case .cancelling = state else { return true }
      state = .leaving(leaving)
      return false
    }
    if isOver { leaving.resume() }
  }
}
