// Observers whose closure runs on the actor that it belongs to: see `IsolatedContext`.

extension OwnedPromise {
  /// Runs a closure with the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the value.
  @_disfavoredOverload
  public func then(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> OwnedPromise {
    step { $0.then(at: context, token: $1, isolation: isolation, onFulfilled) }
  }

  /// Runs a closure with the error, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onRejected: Called with the error.
  public func `catch`(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> OwnedPromise {
    step { $0.`catch`(at: context, token: $1, isolation: isolation, onRejected) }
  }

  /// Runs a closure with the result, whichever it is, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onComplete: Called with the result.
  public func always(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> OwnedPromise {
    step { $0.always(at: context, token: $1, isolation: isolation, onComplete) }
  }

  /// Runs a closure with the result, without taking part in cancellation, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onComplete: Called with the result.
  /// - Returns: This chain.
  public func tap(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> OwnedPromise {
    inner.tap(at: context, token: ownership.token, isolation: isolation, onComplete)
    return self
  }

  /// Runs a closure when the promise is cancelled, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onCancel: Called when the promise is cancelled.
  public func onCancel(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> OwnedPromise {
    step { $0.onCancel(at: context, token: $1, isolation: isolation, onCancel) }
  }
}

extension OwnedPromise where Failure: Error {
  /// Runs a closure with the value, on the actor that the closure belongs to; what it throws becomes the error of the next link.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the value.
  public func then(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Void
  ) -> OwnedPromise {
    step { $0.then(at: context, token: $1, isolation: isolation, onFulfilled) }
  }
}
