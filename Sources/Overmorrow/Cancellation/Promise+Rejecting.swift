/// A weak reference to a promise, through which the promise can be rejected from outside.
package struct PromiseRejecter: Sendable {
  private let core: WeakCore

  fileprivate init(_ core: WeakCore) { self.core = core }

  /// Rejects the promise. Does nothing if the promise has resolved or no longer exists.
  package func reject(with error: any Error) { core.reject(with: error) }

  /// Whether the promise has resolved or no longer exists.
  package var isSpent: Bool { core.isSpent }
}

extension Promise where Failure == any Error {
  /// Returns a promise with the same result, and an object that can reject the returned promise from outside. A
  /// rejection withdraws the vote of the returned promise.
  package func rejectableFromOutside() -> (promise: Promise, rejecter: PromiseRejecter) {
    let promise = makeChild()
    return (promise, PromiseRejecter(WeakCore(promise.handle.core)))
  }
}
