public import OvermorrowEngine

extension Promise {
  /// Runs a closure with the result. The closure has no vote on cancellation.
  ///
  /// The observer never asks this promise to cancel, and does not stop a request to cancel that other observers have
  /// made. Use this method to inspect the result in the middle of a chain.
  ///
  /// - Runs on: `context`.
  /// - Order: after all observers that were registered earlier.
  /// - Parameters:
  ///   - context: The context on which `onComplete` runs.
  ///   - token: A token whose invalidation suppresses `onComplete`.
  ///   - onComplete: The closure to call with the result.
  /// - Returns: This promise. It does not wait for `onComplete`.
  @inlinable
  @discardableResult
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    report(NoVote.self, on: context, gate: token?.gate, .init(onComplete))
    return self
  }

  /// Runs a closure with the result, on the actor that the closure is isolated to. The closure has no vote on
  /// cancellation.
  ///
  /// Otherwise, this behaves like ``tap(on:token:_:)``. Omit `isolation`, because its default is the caller's actor.
  ///
  /// - Runs on: the actor that `onComplete` is isolated to, or `.auto` if it is isolated to none. `onComplete` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  @discardableResult
  public func tap(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    tap(
      on: .isolated(to: onComplete.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(onComplete))
  }

  /// Returns a new promise with the same result and no vote on this promise.
  ///
  /// - Fulfils, fails, cancels: with this promise's result, without a hop. A request to cancel the new promise has no
  ///   effect on this promise, and the new promise does not stop a request to cancel that the other children have made.
  @inlinable
  public func tap() -> Promise { observe(FollowStep<Value, Failure, NoVote>.self, on: .immediate, gate: nil, ()) }
}
