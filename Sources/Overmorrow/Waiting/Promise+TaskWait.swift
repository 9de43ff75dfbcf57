public import OvermorrowEngine

extension Promise {
  /// Returns the result, or `.cancelled` as soon as the task is cancelled.
  @inlinable
  @inline(never)
  nonisolated(nonsending) func waitForFinalResult() async -> PromiseResult<Value, Failure> {
    let wait = TaskWait()
    await withTaskCancellationHandler {
      await TaskContinuation<Void>.stop { wait.start(on: handle, resuming: $0) }
    } onCancel: {
      wait.cancel()
    }
    guard wait.finish() else { return .cancelled }
    return handle.core.result(as: PromiseResult<Value, Failure>.self) ?? .cancelled
  }

  /// Returns the result, or `.cancelled` as soon as the task is cancelled. The caller has a vote without an observer,
  /// which the vote of this wait replaces. One function for both cases would cost each other wait 1.4 % more.
  ///
  /// - Parameter onWait: A closure that is called once, when the wait has begun.
  @inlinable
  @inline(never)
  package nonisolated(nonsending) func waitForFinalResult(
    replacingVote onWait: () -> Void
  ) async -> PromiseResult<Value, Failure> {
    let wait = TaskWait()
    await withTaskCancellationHandler {
      await TaskContinuation<Void>.stop { continuation in
        wait.start(on: handle, resuming: continuation)
        forgetVote()
        onWait()
      }
    } onCancel: {
      wait.cancel()
    }
    guard wait.finish() else { return .cancelled }
    return handle.core.result(as: PromiseResult<Value, Failure>.self) ?? .cancelled
  }

  @usableFromInline
  func forgetVote() { handle.core.forgetVote() }
}
