public import OvermorrowEngine

extension Promise where Failure: Error {
  /// Transforms the value.
  ///
  /// - Fulfils: with the value that `transform` returns.
  /// - Fails: with this promise's error, or with the error that `transform` throws.
  /// - Cancels: if this promise is cancelled, if `transform` throws `CancellationError`, or if `token` suppresses
  ///   `transform`.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the value.
  @inlinable
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    observe(MapStep<Value, Failure, U>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Transforms the value, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``map(on:token:_:)``. Omit `isolation`, because its default is the caller's actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func map<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    map(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}

@usableFromInline
enum MapStep<Value: Sendable, Failure: Error, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue, .makesResult] }

  @inlinable
  static func run(
    _ callback: Throwing<Value, U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<U, Failure> {
    guard case .value(let value) = input else { return .result(forward(input)) }
    do throws(Failure) { return .value(try callback.call(value)) } catch { return .thrown(error) }
  }
}
