public import OvermorrowEngine

extension Promise {
  /// Continues with the promise that a closure makes from the error.
  ///
  /// The closure cannot throw. To fail, it returns a rejected promise.
  ///
  /// - Fulfils, fails, cancels: with the result of the promise that `transform` returns. If this promise is fulfilled,
  ///   fulfils with this promise's value. Also cancels if this promise is cancelled, or if `token` suppresses
  ///   `transform`.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the error.
  @inlinable
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    observe(FlatMapErrorStep<Value, Failure, E>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Continues with the promise that a closure makes from the error, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``flatMapError(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func flatMapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum FlatMapErrorStep<Value: Sendable, Failure: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  static func run(
    _ callback: PromiseMaker<Failure, Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<Value, E> {
    if case .error(let error) = input { .promise(callback.call(error)) } else { .result(forward(input)) }
  }
}
