extension Promise {
  /// Continues with another promise after an error.
  ///
  /// The closure does not throw: to fail, it returns a rejected promise.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns. Without an error, fulfils with this promise's
  ///   value; cancels when this promise is cancelled, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    observe(FlatMapErrorStep<Value, Failure, E>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Continues with another promise after an error, where the closure belongs.
  ///
  /// Behaves as ``flatMapError(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func flatMapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum FlatMapErrorStep<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: PromiseMaker<Failure, Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    if case .error(let error) = input { .promise(callback.call(error)) } else { .result(pass(input)) }
  }
}
