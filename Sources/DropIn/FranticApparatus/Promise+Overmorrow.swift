public import Overmorrow

extension Promise where Value: Sendable {
  /// The same result as a promise of Overmorrow, which keeps this one until it is resolved.
  public var overmorrow: Overmorrow.Promise<Value, any Error> {
    let kept = Kept(self)
    return core.map(on: .immediate) { value in withExtendedLifetime(kept) { value.value } }
  }

  /// A promise with the result of one of Overmorrow's, which is asked to cancel when this one goes.
  ///
  /// A promise that is cancelled rejects this one with `CancellationError`.
  public convenience init(_ promise: Overmorrow.Promise<Value, any Error>) {
    let core = promise.flatMapResult(on: .immediate) { result -> Core in
      switch result {
      case .value(let value): Core(fulfilled: Kept(value))
      case .error(let error): Core(rejected: error)
      case .cancelled: Core(rejected: CancellationError())
      }
    }
    self.init(core, lifetime: PromiseInvalidationToken(), upstream: Upstream())
  }
}
