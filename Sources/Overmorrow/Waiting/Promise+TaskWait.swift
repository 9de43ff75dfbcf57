public import OvermorrowEngine

extension Promise {
  /// Returns the result, or `.cancelled` as soon as the task is cancelled.
  @inlinable
  @inline(never)
  nonisolated(nonsending) func waitForFinalResult() async -> PromiseResult<Value, Failure> {
    let wait = TaskWait()
    await withTaskCancellationHandler {
      await TaskContinuation<Void>.stop { continuation in
        wait.start(on: handle, resuming: continuation)
      }
    } onCancel: {
      wait.cancel()
    }
    guard wait.finish() else { return .cancelled }
    return handle.core.result(as: PromiseResult<Value, Failure>.self) ?? .cancelled
  }
}
