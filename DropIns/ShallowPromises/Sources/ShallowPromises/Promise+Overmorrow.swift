public import Overmorrow

extension Promise where U: Sendable {
  /// A promise of Overmorrow with the same result. A request to cancel the promise of Overmorrow cancels this promise.
  /// If this promise fails with ``PromiseFailure/cancelled``, the promise of Overmorrow is cancelled.
  public var overmorrow: Overmorrow.Promise<U, any Error> {
    let (promise, resolver) = PromiseAdapter.makePromise(of: U.self, failure: (any Error).self)
    outcome.tap(on: .immediate) { result in
      switch result {
      case .value(let value): resolver.fulfill(with: value.content)
      case .error(let error):
        if case PromiseFailure.cancelled = error.content {
          resolver.cancel()
        } else {
          resolver.reject(with: error.content)
        }
      case .cancelled: resolver.cancel()
      }
    }
    resolver.onRequestCancel(on: .immediate) { [kept = WeaklyKept(self)] _ in kept.value?.cancel() }
    return promise
  }

  /// Creates a promise that follows a promise of Overmorrow. Cancelling the new promise requests the cancellation of
  /// the promise of Overmorrow.
  ///
  /// - Parameter promise: The promise to follow.
  public convenience init(_ promise: Overmorrow.Promise<U, any Error>) {
    self.init(littlePromise: promise.cancellable)
    promise.tap(on: .immediate) { [kept = Kept(self)] result in
      switch result {
      case .value(let value): kept.value.fulfill(with: value)
      case .error(let error): kept.value.complete(with: error)
      case .cancelled: kept.value.complete(with: PromiseFailure.cancelled)
      }
    }
  }
}

extension PromiseCancellable: Cancellable {
  /// Requests the cancellation of the promise.
  public func cancel() { requestCancel() }
}
