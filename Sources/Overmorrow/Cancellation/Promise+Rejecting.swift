/// Rejects a promise from outside, without keeping it.
package struct PromiseRejecter: Sendable {
  private let core: WeakCore

  fileprivate init(_ core: WeakCore) { self.core = core }

  /// Rejects the promise; does nothing once it has resolved or is gone.
  package func reject(with error: any Error) { core.reject(with: error) }

  /// Whether the promise has resolved or is gone.
  package var isSpent: Bool { core.isSpent }
}

extension Promise where Failure == any Error {
  /// The same result, unless the promise is rejected first, which then withdraws its vote.
  package func rejectableFromOutside() -> (promise: Promise, rejecter: PromiseRejecter) {
    let promise = makeChild()
    return (promise, PromiseRejecter(WeakCore(promise.handle.core)))
  }
}
