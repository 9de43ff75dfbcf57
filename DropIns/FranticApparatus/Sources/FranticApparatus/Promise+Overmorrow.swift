public import Overmorrow

extension Promise where Value: Sendable {
  /// A promise of Overmorrow with the same result. That promise retains this promise until this promise is resolved.
  public var overmorrow: Overmorrow.Promise<Value, any Error> {
    let kept = Kept(self)
    return core.map(on: .immediate) { value in withExtendedLifetime(kept) { value.value } }
  }

  /// Creates a promise that follows a promise of Overmorrow. When the new promise is released, its vote on the promise
  /// of Overmorrow is withdrawn.
  ///
  /// If the promise of Overmorrow is cancelled, the new promise is rejected with `CancellationError`.
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
