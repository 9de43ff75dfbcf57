import Overmorrow

extension Promise {
  /// Waits until the promise is resolved, and returns its result.
  package func finished() async -> PromiseResult<Value, Failure> {
    await withCheckedContinuation { continuation in
      always(on: .immediate) { continuation.resume(returning: $0) }
    }
  }
}
