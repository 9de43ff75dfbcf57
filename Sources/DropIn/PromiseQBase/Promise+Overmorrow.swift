public import Overmorrow

extension Promise where T: Sendable {
  /// The same result as a promise of Overmorrow. Cancelling that cancels this chain.
  public var overmorrow: Overmorrow.Promise<T, any Error> {
    let (promise, resolver) = Overmorrow.Promise<T, any Error>.makeForLibrary()
    resolver.onRequestCancelWhileKept { _ in cancel() }
    resolver.resolve(
      with: core.mapResult(on: .immediate) { result in
        if case .error(PromiseError.cancelled) = result { return .cancelled }
        return result.map(\.value)
      })
    return promise
  }

  /// The first promise of a chain, with the result of one of Overmorrow's.
  ///
  /// Cancelling this one is one child's request to cancel that one. Suspended, this one waits with its next step.
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
