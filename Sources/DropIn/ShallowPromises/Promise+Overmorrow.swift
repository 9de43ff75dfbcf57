public import Overmorrow

extension Promise where U: Sendable {
  /// The same result as a promise of Overmorrow. Cancelling that cancels this one.
  public var overmorrow: Overmorrow.Promise<U, any Error> {
    let (promise, resolver) = Overmorrow.Promise<U, any Error>.makeForLibrary()
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
    resolver.onRequestCancelWhileKept { [kept = WeaklyKept(self)] _ in kept.value?.cancel() }
    return promise
  }

  /// A promise with the result of one of Overmorrow's. Cancelling it asks that to cancel.
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
  /// Asks for the promise to be cancelled.
  public func cancel() { requestCancel() }
}
