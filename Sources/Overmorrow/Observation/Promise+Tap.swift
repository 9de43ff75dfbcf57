extension Promise {
  /// Runs a closure with the result, without taking part in cancellation.
  ///
  /// The observer neither passes on a request to cancel nor keeps the other observers from doing so. Use it to look
  /// into the middle of a chain.
  ///
  /// - Runs on: `context`.
  /// - Order: after the observers registered before it.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the result.
  /// - Returns: This promise, which does not wait for `onComplete`.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    report(NoPart.self, on: context, gate: token?.gate, .init(onComplete))
    return self
  }

  /// Runs a closure with the result, without taking part in cancellation, where the closure belongs.
  ///
  /// Behaves as ``tap(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  @discardableResult
  public func tap(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    tap(on: .here(onComplete.isolation, nowIfResolved, isolation), token: token, Isolation.unchecked(onComplete))
  }

  /// A new promise with the same result that takes no part in the cancellation of this one.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop. A request to cancel it has no effect on this promise,
  ///   and its existence does not keep this promise from being cancelled.
  @inlinable
  public func tap() -> Promise { observe(FollowStep<Value, Failure, NoPart>.self, on: .immediate, gate: nil, ()) }
}
