// Observers whose closure runs on the actor that it belongs to: see `IsolatedContext`.

extension Promise {
  /// Runs a closure with the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the value.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func then(
    at context: IsolatedContext = .here, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Promise {
    then(
      on: context.context(of: onFulfilled.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(onFulfilled))
  }

  /// Runs a closure with the error, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onRejected: Called with the error.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func `catch`(
    at context: IsolatedContext = .here, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> Promise {
    `catch`(
      on: context.context(of: onRejected.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(onRejected))
  }

  /// Runs a closure with the result, whichever it is, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onComplete: Called with the result.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func always(
    at context: IsolatedContext = .here, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    always(
      on: context.context(of: onComplete.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure with the result, without taking part in cancellation, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onComplete: Called with the result.
  /// - Returns: This promise, which does not wait for the closure.
  @inlinable
  @discardableResult
  public func tap(
    at context: IsolatedContext = .here, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    tap(
      on: context.context(of: onComplete.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure when the promise is cancelled, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onCancel: Called when the promise is cancelled.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func onCancel(
    at context: IsolatedContext = .here, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise {
    self.onCancel(
      on: context.context(of: onCancel.isolation, registeredOn: isolation), token: token, Isolation.unchecked(onCancel))
  }
}

extension Promise where Failure: Error {
  /// Runs a closure with the value, on the actor that the closure belongs to; what it throws becomes the error of the promise returned.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the value.
  /// - Returns: A new promise, so that cancelling it leaves other observers alone.
  @inlinable
  @discardableResult
  public func then(
    at context: IsolatedContext = .here, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Void
  ) -> Promise {
    then(
      on: context.context(of: onFulfilled.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(onFulfilled))
  }
}
