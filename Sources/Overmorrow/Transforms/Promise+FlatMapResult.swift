public import OvermorrowEngine

extension Promise {
  /// Continues with the promise that a closure makes from the result.
  ///
  /// The closure cannot throw. To fail, it returns a rejected promise.
  ///
  /// - Fulfils, fails, cancels: with the result of the promise that `transform` returns. Also cancels if `token`
  ///   suppresses `transform`.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the result.
  @inlinable
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    observe(FlatMapResultStep<Value, Failure, U, E>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Continues with the promise that a closure makes from the result, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``flatMapResult(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    flatMapResult(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum FlatMapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: PromiseMaker<PromiseResult<Value, Failure>, U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<U, E> {
    .promise(callback.call(input))
  }
}
