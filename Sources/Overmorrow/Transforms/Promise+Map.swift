extension Promise where Failure: Error {
  /// Transforms the value.
  ///
  /// - Fulfils: with what `transform` returns.
  /// - Fails: with this promise's error, or with what `transform` throws.
  /// - Cancels: when this promise is cancelled, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    observe(MapStep<Value, Failure, U>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Transforms the value, where the closure belongs.
  ///
  /// Behaves as ``map(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func map<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    map(on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.uncheckedThrowing(transform))
  }
}

@usableFromInline
enum MapStep<Value: Sendable, Failure: Error, U: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onValue, .makesResult] }

  @inlinable
  static func run(
    _ callback: Throwing<Value, U, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<U, Failure> {
    guard case .value(let value) = input else { return .result(pass(input)) }
    do throws(Failure) { return .value(try callback.call(value)) } catch { return .thrown(error) }
  }
}
