public import Overmorrow

extension Promise where T: Sendable {
  /// A promise of Overmorrow with the same result. A request to cancel the promise of Overmorrow cancels this chain. If
  /// this promise is rejected with ``PromiseError/cancelled``, the promise of Overmorrow is cancelled.
  public var overmorrow: Overmorrow.Promise<T, any Error> {
    let (promise, resolver) = PromiseAdapter.makePromise(of: T.self, failure: (any Error).self)
    resolver.onRequestCancel(on: .immediate) { _ in cancel() }
    resolver.resolve(
      with: core.mapResult(on: .immediate) { result in
        if case .error(PromiseError.cancelled) = result { return .cancelled }
        return result.map(\.value)
      })
    return promise
  }

  /// Creates the first promise of a chain. The promise follows a promise of Overmorrow.
  ///
  /// If `promise` is cancelled, the new promise is rejected with ``PromiseError/cancelled``. Cancelling the new promise
  /// counts as the request of one child to cancel `promise`. While the chain is suspended, its next step waits.
  ///
  /// - Parameter promise: The promise to follow.
  public init(_ promise: Overmorrow.Promise<T, any Error>) {
    let handle = ChainHandle()
    let core = promise.mapResult(on: .immediate) { result -> PromiseResult<Kept<T>, any Error> in
      result.isCancelled ? .error(PromiseError.cancelled) : result.map { Kept($0) }
    }
    self.init(handle.chain.steps.add(core, after: nil), in: handle)
  }
}
