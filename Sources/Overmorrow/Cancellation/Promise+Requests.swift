internal import OvermorrowEngine

extension Promise {
  /// Asks this promise to cancel.
  ///
  /// The producer receives the request through `Resolver.onRequestCancel(on:_:)` and decides what happens. If this
  /// promise waits for another promise, it withdraws its vote on the other promise, and so on up the chain. A request
  /// to a resolved promise has no effect.
  public func requestCancel() { withExtendedLifetime(handle) { handle.core.requestCancel() } }

  /// A weak reference to this promise, through which the promise can be asked to cancel later.
  public var cancellable: PromiseCancellable { PromiseCancellable(WeakCore(handle.core), isOwner: false) }

  /// Returns a promise with the same result. The returned promise never passes a request to cancel on.
  ///
  /// The vote of the returned promise stays even after the returned promise has been released. So requests of other
  /// children can no longer cancel this promise.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop.
  @inlinable
  public func ignoringCancel() -> Promise {
    observe(FollowStep<Value, Failure, PermanentVote>.self, on: .immediate, gate: nil, ())
  }

  /// Returns a promise with the same result and a vote of its own.
  ///
  /// If each of several callers gets such a child, this promise is asked to cancel only after all callers have asked
  /// their children to cancel.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop.
  @inlinable
  public func makeChild() -> Promise {
    observe(FollowStep<Value, Failure, WithdrawableVote>.self, on: .immediate, gate: nil, ())
  }

  /// Passes this promise to a closure. The closure can register observers beside the chain.
  ///
  /// - Parameter body: A closure that is called at once with this promise.
  /// - Returns: This promise.
  /// - Throws: The error that `body` throws.
  @discardableResult
  public func fork<E: Error>(_ body: (Promise) throws(E) -> Void) throws(E) -> Promise {
    try body(self)
    return self
  }
}
