internal import Overmorrow

/// Prevents a task from being cancelled or redirected at the moment at which it ends or is cancelled, because
/// Foundation on Linux crashes then.
final class TaskEnd: Sendable {
  private let hasEnded = Guarded(false)

  /// Records that the task has ended or was cancelled.
  func markEnded() { hasEnded.withLock { $0 = true } }

  /// Calls a closure unless the task has ended. The task cannot end during the call.
  func ifNotEnded(_ body: () -> Void) {
    hasEnded.withLock { hasEnded in
      if !hasEnded { body() }
    }
  }

  /// Calls a closure unless the task has ended, and then records the end.
  func markEnded(afterCalling cancel: () -> Void) {
    hasEnded.withLock { hasEnded in
      if !hasEnded { cancel() }
      hasEnded = true
    }
  }
}
