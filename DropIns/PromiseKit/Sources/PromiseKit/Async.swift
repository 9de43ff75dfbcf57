internal import Overmorrow

extension Promise {
  /// Waits for the value. Cancelling the task that waits does not end the wait.
  ///
  /// - Throws: The error of the promise, including an error that stands for cancellation.
  public nonisolated(nonsending) func async() async throws -> T {
    let outcome: Outcome<T> = await withCheckedContinuation { waiting in
      _source.core.tap(on: .immediate) { waiting.resume(returning: $0) }
    }
    return try outcome.unboxed()
  }
}

extension Guarantee {
  /// Waits for the value. Cancelling the task that waits does not end the wait.
  public nonisolated(nonsending) func async() async -> T {
    await withCheckedContinuation { waiting in
      _source.pipe { if case .fulfilled(let value) = $0 { waiting.resume(returning: Kept(value)) } }
    }.value
  }
}
