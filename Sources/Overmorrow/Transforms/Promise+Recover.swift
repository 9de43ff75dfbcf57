public import OvermorrowEngine

extension Promise {
  /// Replaces an error with a value.
  ///
  /// If the closure does not throw, the failure type becomes `Never`. The returned promise then cannot fail, but can
  /// still be cancelled.
  ///
  /// ```swift
  /// let avatar: Promise<Picture, Never> = load(url).recover(on: .immediate) { _ in .anonymous }
  /// ```
  ///
  /// - Fulfils: with this promise's value, or with the value that `transform` returns.
  /// - Fails: with the error that `transform` throws.
  /// - Cancels: if this promise is cancelled, if `transform` throws `CancellationError`, or if `token` suppresses
  ///   `transform`.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the error.
  @inlinable
  public func recover<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    observe(RecoverStep<Value, Failure, E>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Replaces an error with a value, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``recover(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func recover<E: Error>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    recover(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}

@usableFromInline
enum RecoverStep<Value: Sendable, Failure: Sendable, E: Error>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onError, .makesResult] }

  @inlinable
  static func run(
    _ callback: Throwing<Failure, Value, E>, _ input: PromiseResult<Value, Failure>
  ) -> PromiseStepResult<Value, E> {
    guard case .error(let error) = input else { return .result(forward(input)) }
    do throws(E) { return .value(try callback.call(error)) } catch { return .thrown(error) }
  }
}
