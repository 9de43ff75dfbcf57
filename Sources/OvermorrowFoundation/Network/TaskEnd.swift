internal import Overmorrow

/// Prevents a task from being cancelled or redirected at the moment at which it ends or is cancelled, because
/// Foundation on Linux crashes then.
final class TaskEnd: Sendable {
  private let isReached = Guarded(false)

  /// Records that the task has ended or was cancelled.
  func reach() { isReached.withLock { $0 = true } }

  /// Calls a closure unless the task has ended. The task cannot end during the call.
  func unlessReached(_ body: () -> Void) {
    isReached.withLock { isReached in
      if !isReached { body() }
    }
  }

  /// Calls a closure unless the task has ended, and then records the end.
  func reach(_ cancel: () -> Void) {
    isReached.withLock { isReached in
      if !isReached { cancel() }
      isReached = true
    }
  }
}
