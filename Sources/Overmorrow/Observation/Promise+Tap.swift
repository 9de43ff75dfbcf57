extension Promise {
  /// Runs a closure with the result, without taking part in cancellation.
  ///
  /// The observer neither passes a request to cancel on nor keeps the other observers from doing so. Good for looking
  /// into the middle of a chain.
  ///
  /// - Runs on: `context`.
  /// - Order: after the observers that were registered before it.
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
    _ = observe(ReportStep<Value, Failure, NoPart>.self, on: context, token: token, onComplete)
    return self
  }

  /// A new promise with the same result that takes no part in the cancellation of this one.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop. Requesting it to cancel has no effect on this promise,
  ///   and its existence keeps nobody from cancelling this promise.
  @inlinable
  public func tap() -> Promise { observe(FollowStep<Value, Failure, NoPart>.self, on: .immediate, token: nil, ()) }
}
