internal import Overmorrow

/// Keeps a task from being cancelled, or redirected, at the very moment at which it ends or is cancelled: Foundation on
/// Linux stops the program then.
final class TaskEnd: Sendable {
  private let isReached = Guarded(false)

  /// The task has ended, or was cancelled.
  func reach() { isReached.withLock { $0 = true } }

  /// Calls a closure with the task, unless it has ended; the task does not end meanwhile.
  func unlessReached(_ body: () -> Void) {
    isReached.withLock { isReached in
      if !isReached { body() }
    }
  }

  /// The same, for the last time.
  func reach(_ cancel: () -> Void) {
    isReached.withLock { isReached in
      if !isReached { cancel() }
      isReached = true
    }
  }
}
