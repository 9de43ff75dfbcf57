/// Rejects a promise from outside, without retaining it.
package struct PromiseRejecter: Sendable {
  private let core: WeakCore

  fileprivate init(_ core: WeakCore) { self.core = core }

  /// Rejects the promise. Does nothing if the promise has resolved or no longer exists.
  package func reject(with error: any Error) { core.reject(with: error) }

  /// Whether the promise has resolved or no longer exists.
  package var isSpent: Bool { core.isSpent }
}

extension Promise where Failure == any Error {
  /// Returns a promise with the same result that can be rejected from outside. The rejection withdraws the promise's
  /// vote.
  package func rejectableFromOutside() -> (promise: Promise, rejecter: PromiseRejecter) {
    let promise = makeChild()
    return (promise, PromiseRejecter(WeakCore(promise.handle.core)))
  }
}
