internal import Overmorrow
internal import OvermorrowEngine

/// Prevents a task from being cancelled or redirected while the task ends or is already being cancelled. Without this
/// protection, Foundation on Linux could crash.
final class TaskEnd: Sendable {
  private let hasEnded = Guarded(false)

  /// Records that the task has ended or was cancelled.
  func markEnded() { hasEnded.withLock { $0 = true } }

  /// Calls a closure if no end of the task has been recorded. No end can be recorded during the call.
  func ifNotEnded(_ body: () -> Void) {
    hasEnded.withLock { hasEnded in
      if !hasEnded { body() }
    }
  }

  /// Records the end of the task. If no end was recorded before, calls a closure first.
  func markEnded(afterCalling cancel: () -> Void) {
    hasEnded.withLock { hasEnded in
      if !hasEnded { cancel() }
      hasEnded = true
    }
  }
}
