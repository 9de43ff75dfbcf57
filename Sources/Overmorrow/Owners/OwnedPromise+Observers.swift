extension OwnedPromise {
  /// Runs a closure with the value. See ``Promise/then(on:token:_:)``.
  @_disfavoredOverload
  public func then(
    on context: PromiseContext, _ onFulfilled: @escaping @Sendable (Value) -> Void
  ) -> OwnedPromise {
    step { $0.then(on: context, token: $1, onFulfilled) }
  }

  /// Runs a closure with the error. See ``Promise/catch(on:token:_:)``.
  public func `catch`(
    on context: PromiseContext, _ onRejected: @escaping @Sendable (Failure) -> Void
  ) -> OwnedPromise {
    step { $0.catch(on: context, token: $1, onRejected) }
  }

  /// Runs a closure with the result. See ``Promise/always(on:token:_:)``.
  public func always(
    on context: PromiseContext, _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> OwnedPromise {
    step { $0.always(on: context, token: $1, onComplete) }
  }

  /// Runs a closure with the result, without taking part in cancellation. See ``Promise/tap(on:token:_:)``.
  public func tap(
    on context: PromiseContext, _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> OwnedPromise {
    inner.tap(on: context, token: ownership.token, onComplete)
    return self
  }

  /// The same result, without taking part in cancellation. See ``Promise/tap()``.
  public func tap() -> OwnedPromise { step { promise, _ in promise.tap() } }

  /// Runs a closure when the promise is cancelled. See ``Promise/onCancel(on:token:_:)``.
  public func onCancel(on context: PromiseContext, _ onCancel: @escaping @Sendable () -> Void) -> OwnedPromise {
    step { $0.onCancel(on: context, token: $1, onCancel) }
  }

  /// The same result, without passing requests to cancel on. See ``Promise/ignoringCancel()``.
  public func ignoringCancel() -> OwnedPromise { step { promise, _ in promise.ignoringCancel() } }
}

extension OwnedPromise where Failure: Error {
  /// Runs a closure with the value, which may throw. See ``Promise/then(on:token:_:)``.
  public func then(
    on context: PromiseContext, _ onFulfilled: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> OwnedPromise {
    step { $0.then(on: context, token: $1, onFulfilled) }
  }

  /// The failure widened to `any Error`. See ``Promise/upcast``.
  public var upcast: OwnedPromise<Value, any Error> { step { promise, _ in promise.upcast } }
}
