public import Overmorrow

extension Promise where T: Sendable {
  /// A promise of Overmorrow with the same result. It is cancelled if this promise is rejected with
  /// `PMKError.cancelled`.
  ///
  /// A request to cancel it is passed on to this promise. A promise that was made with a resolver is then rejected with
  /// `PMKError.cancelled`. A step passes the request on to the promise that it waits for, unless other steps wait for
  /// that promise, too.
  public var core: Overmorrow.Promise<T, any Error> {
    let (promise, resolver) = Overmorrow.Promise<T, any Error>.makeForLibrary()
    resolver.onRequestCancelWhileRetained { [_source] _ in _source.core.requestCancel() }
    resolver.resolve(
      with: _source.core.mapResult(on: .immediate) { result in
        if case .error(PMKError.cancelled) = result { return .cancelled }
        return result.map { $0.value }
      })
    return promise
  }

  /// Creates a promise that follows one of Overmorrow. If that is cancelled, this one is rejected with
  /// `PMKError.cancelled`.
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
