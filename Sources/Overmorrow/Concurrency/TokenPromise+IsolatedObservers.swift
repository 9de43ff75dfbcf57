// Observers whose closure runs on the actor that it belongs to: see `IsolatedContext`.

extension TokenPromise {
  /// Runs a closure with the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the value.
  @discardableResult
  @_disfavoredOverload
  public func then(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> TokenPromise {
    link(inner.then(at: context, token: token, isolation: isolation, onFulfilled))
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
  @discardableResult
  public func `catch`(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> TokenPromise {
    link(inner.`catch`(at: context, token: token, isolation: isolation, onRejected))
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
  @discardableResult
  public func always(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    link(inner.always(at: context, token: token, isolation: isolation, onComplete))
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
  @discardableResult
  public func tap(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    inner.tap(at: context, token: token, isolation: isolation, onComplete)
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
  @discardableResult
  public func onCancel(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> TokenPromise {
    link(inner.onCancel(at: context, token: token, isolation: isolation, onCancel))
  }
}

extension TokenPromise where Failure: Error {
  /// Runs a closure with the value, on the actor that the closure belongs to; what it throws becomes the error of the next link.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already. Without an actor on `.auto`.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the value.
  @discardableResult
  public func then(
    at context: IsolatedContext = .here,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Void
  ) -> TokenPromise {
    link(inner.then(at: context, token: token, isolation: isolation, onFulfilled))
  }
}
