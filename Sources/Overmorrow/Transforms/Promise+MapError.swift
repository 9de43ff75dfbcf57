extension Promise {
  /// Transforms the error.
  ///
  /// - Fulfils: with this promise's value.
  /// - Fails: with what `transform` returns.
  /// - Cancels: when this promise is cancelled, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> E
  ) -> Promise<Value, E> {
    observe(MapErrorStep<Value, Failure, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Transforms the error, where the closure belongs.
  ///
  /// Behaves as ``mapError(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func mapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> Promise<Value, E> {
    mapError(on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum MapErrorStep<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError, .makesResult] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> E, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    if case .error(let error) = input { .error(callback(error)) } else { .result(pass(input)) }
  }
}
