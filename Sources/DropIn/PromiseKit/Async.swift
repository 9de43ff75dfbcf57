internal import Overmorrow

extension Promise {
  /// The value, waited for by the task that asks, whether or not that is cancelled.
  ///
  /// - Throws: The error of the promise, also one that stands for having been cancelled.
  public nonisolated(nonsending) func async() async throws -> T {
    let outcome: Outcome<T> = await withCheckedContinuation { waiting in
      _ = _source.core.reportResult(on: .immediate, token: nil) { waiting.resume(returning: $0) }
    }
    return try outcome.unboxed()
  }
}

extension Guarantee {
  /// The value, waited for by the task that asks, whether or not that is cancelled.
  public nonisolated(nonsending) func async() async -> T {
    await withCheckedContinuation { waiting in
      _source.pipe { if case .fulfilled(let value) = $0 { waiting.resume(returning: Kept(value)) } }
    }.value
  }
}
