extension Promise {
  /// Runs a closure with the result.
  ///
  /// - Fulfils, fails, cancels: as this promise, after `onComplete` has returned.
  /// - Runs on: `context`.
  /// - Order: after the observers registered before it.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the result.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    observe(AlwaysStep<Value, Failure>.self, on: context, gate: token?.gate, onComplete)
  }

  /// Runs a closure with the result, where the closure belongs.
  ///
  /// Behaves as ``always(on:token:_:)`` otherwise.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onComplete` runs inside this call if the promise is resolved and the call is made
  ///     where `onComplete` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onComplete: Called with the result.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone.
  @inlinable
  @discardableResult
  public func always(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    always(
      on: .here(onComplete.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(onComplete))
  }
}

@usableFromInline
enum AlwaysStep<Value: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ callback: @Sendable (PromiseResult<Value, Failure>) -> Void, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Value, Failure> {
    callback(input)
    return .result(input)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Value, Failure> { input }
}
