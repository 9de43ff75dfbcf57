// Observers on a given actor: the closure gets it as its first argument, and may use its state.

extension OwnedPromise {
  /// Runs a closure with the value, on an actor.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - onFulfilled: Called with the actor and the value.
  @_disfavoredOverload
  public func then<A: Actor>(
    onActor context: A,
    _ onFulfilled: @escaping @Sendable (isolated A, Value) -> Void
  ) -> OwnedPromise {
    step { $0.then(onActor: context, token: $1, onFulfilled) }
  }

  /// Runs a closure with the error, on an actor.
  ///
  /// In all else as ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - onRejected: Called with the actor and the error.
  public func `catch`<A: Actor>(
    onActor context: A,
    _ onRejected: @escaping @Sendable (isolated A, Failure) -> Void
  ) -> OwnedPromise {
    step { $0.`catch`(onActor: context, token: $1, onRejected) }
  }

  /// Runs a closure with the result, whichever it is, on an actor.
  ///
  /// In all else as ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - onComplete: Called with the actor and the result.
  public func always<A: Actor>(
    onActor context: A,
    _ onComplete: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> Void
  ) -> OwnedPromise {
    step { $0.always(onActor: context, token: $1, onComplete) }
  }

  /// Runs a closure with the result, without taking part in cancellation, on an actor.
  ///
  /// In all else as ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - onComplete: Called with the actor and the result.
  /// - Returns: This chain.
  public func tap<A: Actor>(
    onActor context: A,
    _ onComplete: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> Void
  ) -> OwnedPromise {
    inner.tap(onActor: context, token: ownership.token, onComplete)
    return self
  }

  /// Runs a closure when the promise is cancelled, on an actor.
  ///
  /// In all else as ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - onCancel: Called with the actor when the promise is cancelled.
  public func onCancel<A: Actor>(
    onActor context: A,
    _ onCancel: @escaping @Sendable (isolated A) -> Void
  ) -> OwnedPromise {
    step { $0.onCancel(onActor: context, token: $1, onCancel) }
  }
}

extension OwnedPromise where Failure: Error {
  /// Runs a closure with the value, on an actor; what it throws becomes the error of the next link.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - onFulfilled: Called with the actor and the value.
  public func then<A: Actor>(
    onActor context: A,
    _ onFulfilled: @escaping @Sendable (isolated A, Value) throws(Failure) -> Void
  ) -> OwnedPromise {
    step { $0.then(onActor: context, token: $1, onFulfilled) }
  }
}
