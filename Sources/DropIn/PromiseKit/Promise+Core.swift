public import Overmorrow

extension Promise where T: Sendable {
  /// The same result as a promise of Overmorrow; `PMKError.cancelled` is cancelled.
  ///
  /// A request to cancel it is one to this promise: one that a resolver resolves is rejected with `PMKError.cancelled`,
  /// and a step hands the request on to what it waits for, unless others wait for that.
  public var core: Overmorrow.Promise<T, any Error> {
    let (promise, resolver) = Overmorrow.Promise<T, any Error>.makeForLibrary()
    resolver.onRequestCancelWhileKept { [_source] _ in _source.core.requestCancel() }
    resolver.resolve(
      with: _source.core.mapResult(on: .immediate) { result in
        if case .error(PMKError.cancelled) = result { return .cancelled }
        return result.map { $0.value }
      })
    return promise
  }

  /// A promise with the result of one of Overmorrow; if that is cancelled, rejected with `PMKError.cancelled`.
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
