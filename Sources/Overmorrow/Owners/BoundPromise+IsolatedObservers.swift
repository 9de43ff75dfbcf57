// Observers whose closure runs on the actor that it belongs to, or on the default context of the chain.

extension BoundPromise {
  /// Runs a closure with the owner and the value.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the owner and the value.
  @discardableResult
  @_disfavoredOverload
  public func then(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled:
      @escaping @Sendable @isolated(any) (Owner, Value) -> Void
  ) -> BoundPromise {
    let context = place(of: onFulfilled.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(onFulfilled)
    return link(ThenStep<Value, Failure>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// Runs a closure with the owner and the error.
  ///
  /// In all else as ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onRejected: Called with the owner and the error.
  @discardableResult
  public func `catch`(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected:
      @escaping @Sendable @isolated(any) (Owner, Failure) -> Void
  ) -> BoundPromise {
    let context = place(of: onRejected.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(onRejected)
    return link(CatchStep<Value, Failure>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// Runs a closure with the owner and the result.
  ///
  /// In all else as ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onComplete: Called with the owner and the result.
  @discardableResult
  public func always(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    let context = place(of: onComplete.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(onComplete)
    return link(AlwaysStep<Value, Failure>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// Runs a closure with the owner and the result, without taking part in cancellation, unless the owner is gone.
  ///
  /// In all else as ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onComplete: Called with the owner and the result.
  @discardableResult
  public func tap(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    let context = place(of: onComplete.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(onComplete)
    _ = link(ReportStep<Value, Failure, NoPart>.self, on: context) { owner in { input in call(owner, input) } }
    return self
  }

  /// Runs a closure with the owner when the promise is cancelled.
  ///
  /// In all else as ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onCancel: Called with the owner.
  @discardableResult
  public func onCancel(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel:
      @escaping @Sendable @isolated(any) (Owner) -> Void
  ) -> BoundPromise {
    let context = place(of: onCancel.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(onCancel)
    return link(OnCancelStep<Value, Failure>.self, on: context) { owner in { call(owner) } }
  }
}

extension BoundPromise where Failure: Error {
  /// Runs a closure with the owner and the value; what it throws becomes the error of the next link.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - onFulfilled: Called with the owner and the value.
  @discardableResult
  public func then(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> Void
  ) -> BoundPromise {
    let context = place(of: onFulfilled.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(onFulfilled)
    return link(ThrowingThenStep<Value, Failure>.self, on: context) { owner in
      { (input) throws(Failure) in try call(owner, input) }
    }
  }
}
