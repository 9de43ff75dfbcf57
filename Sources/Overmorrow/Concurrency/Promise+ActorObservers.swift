// Observers on a given actor: the closure gets it as its first argument, and may use its state.

extension Promise {
  /// Runs a closure with the value, on an actor.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the actor and the value.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func then<A: Actor>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (isolated A, Value) -> Void
  ) -> Promise {
    then(on: .actor(context), token: token) { input in
      context.callHere { actor in onFulfilled(actor, input) }
    }
  }

  /// Runs a closure with the error, on an actor.
  ///
  /// In all else as ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - onRejected: Called with the actor and the error.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func `catch`<A: Actor>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (isolated A, Failure) -> Void
  ) -> Promise {
    `catch`(on: .actor(context), token: token) { input in
      context.callHere { actor in onRejected(actor, input) }
    }
  }

  /// Runs a closure with the result, whichever it is, on an actor.
  ///
  /// In all else as ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the actor and the result.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func always<A: Actor>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    always(on: .actor(context), token: token) { input in
      context.callHere { actor in onComplete(actor, input) }
    }
  }

  /// Runs a closure with the result, without taking part in cancellation, on an actor.
  ///
  /// In all else as ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the actor and the result.
  /// - Returns: This promise, which does not wait for the closure.
  @inlinable
  @discardableResult
  public func tap<A: Actor>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    tap(on: .actor(context), token: token) { input in
      context.callHere { actor in onComplete(actor, input) }
    }
  }

  /// Runs a closure when the promise is cancelled, on an actor.
  ///
  /// In all else as ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - onCancel: Called with the actor when the promise is cancelled.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func onCancel<A: Actor>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable (isolated A) -> Void
  ) -> Promise {
    self.onCancel(on: .actor(context), token: token) { context.callHere { actor in onCancel(actor) } }
  }
}

extension Promise where Failure: Error {
  /// Runs a closure with the value, on an actor; what it throws becomes the error of the promise returned.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the actor and the value.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func then<A: Actor>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (isolated A, Value) throws(Failure) -> Void
  ) -> Promise {
    then(on: .actor(context), token: token) { (input) throws(Failure) in
      try context.callHere { (actor: isolated A) throws(Failure) in try onFulfilled(actor, input) }
    }
  }
}
