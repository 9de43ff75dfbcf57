extension Promise {
  /// Replaces an error by a value.
  ///
  /// With a closure that does not throw, the failure becomes `Never`: the promise can still be cancelled, but not fail.
  ///
  /// ```swift
  /// let avatar: Promise<Picture, Never> = load(url).recover(on: .immediate) { _ in .anonymous }
  /// ```
  ///
  /// - Fulfils: with this promise's value, or with what `transform` returns.
  /// - Fails: with what `transform` throws.
  /// - Cancels: when this promise is cancelled, or when `token` is invalidated before `transform` runs.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  public func recover<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    observe(RecoverStep<Value, Failure, E>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Replaces an error by a value, where the closure belongs.
  ///
  /// Behaves as ``recover(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func recover<E: Error>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    recover(
      on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.uncheckedThrowing(transform))
  }
}

@usableFromInline
enum RecoverStep<Value: Sendable, Failure: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError, .makesResult] }

  @inlinable
  static func run(
    _ callback: Throwing<Failure, Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, E> {
    guard case .error(let error) = input else { return .result(pass(input)) }
    do throws(E) { return .value(try callback.call(error)) } catch { return .thrown(error) }
  }
}
