extension Promise {
  /// Asks for this promise to be cancelled.
  ///
  /// The code that resolves the promise decides what happens; it gets the request by `Resolver.onRequestCancel(on:_:)`.
  /// A promise that waits for another one withdraws its vote there, and so on up the chain. Does nothing once the
  /// promise has resolved.
  public func requestCancel() { withExtendedLifetime(handle) { handle.core.requestCancel() } }

  /// A way to ask for cancellation later that keeps nothing alive.
  public var cancellable: PromiseCancellable { PromiseCancellable(WeakCore(handle.core), isOwner: false) }

  /// A new promise with the same result that never passes a request to cancel on.
  ///
  /// Even after the new promise is gone, requests by children no longer cancel this promise.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop.
  @inlinable
  public func ignoringCancel() -> Promise {
    observe(FollowStep<Value, Failure, HeldPart>.self, on: .immediate, gate: nil, ())
  }

  /// A new promise with the same result, with a vote of its own.
  ///
  /// Hand one to each of several callers: all of them have to ask before this promise is asked to cancel.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop.
  @inlinable
  public func makeChild() -> Promise {
    observe(FollowStep<Value, Failure, FullPart>.self, on: .immediate, gate: nil, ())
  }

  /// Hands this promise to a closure, to register observers beside the chain.
  ///
  /// - Parameter body: Called at once with this promise.
  /// - Returns: This promise.
  /// - Throws: What `body` throws.
  @discardableResult
  public func fork<E: Error>(_ body: (Promise) throws(E) -> Void) throws(E) -> Promise {
    try body(self)
    return self
  }
}
