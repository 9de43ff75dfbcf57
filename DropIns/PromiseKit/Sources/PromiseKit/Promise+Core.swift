public import Overmorrow

extension Promise where T: Sendable {
  /// A promise of Overmorrow with the same result. If this promise is rejected with `PMKError.cancelled`, the promise
  /// of Overmorrow is cancelled.
  ///
  /// A request to cancel the promise of Overmorrow is passed on to this promise. If this promise was made with a
  /// resolver, the request rejects this promise with `PMKError.cancelled`. If this promise is a step, the request
  /// withdraws one vote on the promise that the step waits for.
  public var core: Overmorrow.Promise<T, any Error> {
    let (promise, resolver) = PromiseAdapter.makePromise(of: T.self, failure: (any Error).self)
    resolver.onRequestCancel(on: .immediate) { [_source] _ in _source.core.requestCancel() }
    resolver.resolve(
      with: _source.core.mapResult(on: .immediate) { result in
        if case .error(PMKError.cancelled) = result { return .cancelled }
        return result.map { $0.value }
      })
    return promise
  }

  /// Creates a promise that follows a promise of Overmorrow. If the promise of Overmorrow is cancelled, the new promise
  /// is rejected with `PMKError.cancelled`.
  ///
  /// - Parameter core: The promise to follow.
  public convenience init(_ core: Overmorrow.Promise<T, any Error>) {
    self.init(
      _Source(
        core: core.mapResult(on: .immediate) { result -> Outcome<T> in
          result.isCancelled ? .error(PMKError.cancelled) : result.map { Kept($0) }
        }))
  }
}
