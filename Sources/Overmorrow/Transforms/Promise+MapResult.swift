extension Promise {
  /// Transforms the result.
  ///
  /// The closure does not throw: to fail, it returns an error.
  ///
  /// - Fulfils, fails, cancels: as the result that `transform` returns; cancels when `token` is invalidated before
  ///   `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    observe(MapResultStep<Value, Failure, U, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Transforms the result, where the closure belongs.
  ///
  /// Behaves as ``mapResult(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    mapResult(on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum MapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything, .makesResult] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> {
    .result(callback(input))
  }
}
