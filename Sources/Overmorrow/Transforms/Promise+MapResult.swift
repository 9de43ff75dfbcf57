public import OvermorrowEngine

extension Promise {
  /// Transforms the result.
  ///
  /// The closure cannot throw. To fail, it returns `.error`.
  ///
  /// - Fulfils, fails, cancels: with the result that `transform` returns. Also cancels if `token` suppresses
  ///   `transform`.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the result.
  @inlinable
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    observe(MapResultStep<Value, Failure, U, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Transforms the result, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``mapResult(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    mapResult(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(transform))
  }
}

@usableFromInline
enum MapResultStep<Value: Sendable, Failure: Sendable, U: Sendable, E: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything, .makesResult] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>,
    _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<U, E> {
    .result(callback(input))
  }
}
