public import OvermorrowEngine

extension Promise {
  /// Transforms the error.
  ///
  /// - Fulfils: with this promise's value.
  /// - Fails: with the error that `transform` returns.
  /// - Cancels: if this promise is cancelled, or if `token` suppresses `transform`.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the error.
  @inlinable
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> E
  ) -> Promise<Value, E> {
    observe(MapErrorStep<Value, Failure, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Transforms the error, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``mapError(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func mapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> Promise<Value, E> {
    mapError(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum MapErrorStep<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError, .makesResult] }

  @inlinable
  static func run(
    _ callback: @Sendable (Failure) -> E, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<Value, E> {
    if case .error(let error) = input { .error(callback(error)) } else { .result(forward(input)) }
  }
}
