public import OvermorrowEngine

extension Promise {
  /// Runs a closure with the result.
  ///
  /// - Fulfils, fails, cancels: with this promise's result. If `onComplete` runs, the returned promise is resolved
  ///   after `onComplete` has returned.
  /// - Runs on: `context`.
  /// - Order: after all observers that were registered earlier.
  /// - Parameters:
  ///   - context: The context on which `onComplete` runs.
  ///   - token: A token whose invalidation suppresses `onComplete`.
  ///   - onComplete: The closure to call with the result.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers. If `onComplete` runs
  ///   inside this call on `.immediate`, returns this promise itself.
  @inlinable
  @discardableResult
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    observe(AlwaysStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onComplete))
  }

  /// Runs a closure with the result, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``always(on:token:_:)``. Omit `isolation`, because its default is the caller's actor.
  ///
  /// - Runs on: the actor that `onComplete` is isolated to, or `.auto` if it is isolated to none. `onComplete` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers.
  @inlinable
  @discardableResult
  public func always(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    register(
      AlwaysStep<Value, Failure>.self, on: .isolated(to: onComplete.isolation, nowIfResolved, isolation),
      gate: token?.gate, .init(Isolation.unchecked(onComplete)))
  }
}

@usableFromInline
enum AlwaysStep<Input: Sendable, InputFailure: Sendable>: Observer {
  @usableFromInline typealias Callback = Reaction<PromiseResult<Input, InputFailure>>
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  @inline(__always)
  static func runCallback(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    callback.call(input)
    return nil
  }
}
