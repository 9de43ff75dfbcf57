extension Promise {
  /// Continues with another promise, made from the result.
  ///
  /// The closure does not throw: to fail, it returns a rejected promise.
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns; cancels when `token` is invalidated before
  ///   `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    observe(FlatMapResultStep<Value, Failure, U, E>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Continues with another promise, made from the result, where the closure belongs.
  ///
  /// Behaves as ``flatMapResult(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    flatMapResult(
      on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum FlatMapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: PromiseMaker<PromiseResult<Value, Failure>, U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, E> {
    .promise(callback.call(input))
  }
}
