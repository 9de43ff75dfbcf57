// Observers on a context of their own.

extension BoundPromise {
  /// Runs a closure with the owner and the value.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - onFulfilled: Called with the owner and the value.
  @discardableResult
  @_disfavoredOverload
  public func then(
    on context: PromiseContext,
    _ onFulfilled: @escaping @Sendable (Owner, Value) -> Void
  ) -> BoundPromise {
    link(ThenStep<Value, Failure>.self, on: context) { owner in { input in onFulfilled(owner, input) } }
  }

  /// Runs a closure with the owner and the error.
  ///
  /// In all else as ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onRejected` runs.
  ///   - onRejected: Called with the owner and the error.
  @discardableResult
  public func `catch`(
    on context: PromiseContext,
    _ onRejected: @escaping @Sendable (Owner, Failure) -> Void
  ) -> BoundPromise {
    link(CatchStep<Value, Failure>.self, on: context) { owner in { input in onRejected(owner, input) } }
  }

  /// Runs a closure with the owner and the result.
  ///
  /// In all else as ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - onComplete: Called with the owner and the result.
  @discardableResult
  public func always(
    on context: PromiseContext,
    _ onComplete: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    link(AlwaysStep<Value, Failure>.self, on: context) { owner in { input in onComplete(owner, input) } }
  }

  /// Runs a closure with the owner and the result, without taking part in cancellation, unless the owner is gone.
  ///
  /// In all else as ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - onComplete: Called with the owner and the result.
  @discardableResult
  public func tap(
    on context: PromiseContext,
    _ onComplete: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    _ = link(ReportStep<Value, Failure, NoPart>.self, on: context) { owner in { input in onComplete(owner, input) } }
    return self
  }

  /// Runs a closure with the owner when the promise is cancelled.
  ///
  /// In all else as ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onCancel` runs.
  ///   - onCancel: Called with the owner.
  @discardableResult
  public func onCancel(
    on context: PromiseContext,
    _ onCancel: @escaping @Sendable (Owner) -> Void
  ) -> BoundPromise {
    link(OnCancelStep<Value, Failure>.self, on: context) { owner in { onCancel(owner) } }
  }
}

extension BoundPromise where Failure: Error {
  /// Runs a closure with the owner and the value; what it throws becomes the error of the next link.
  ///
  /// In all else as ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - onFulfilled: Called with the owner and the value.
  @discardableResult
  public func then(
    on context: PromiseContext,
    _ onFulfilled: @escaping @Sendable (Owner, Value) throws(Failure) -> Void
  ) -> BoundPromise {
    link(ThrowingThenStep<Value, Failure>.self, on: context) { owner in
      { (input) throws(Failure) in try onFulfilled(owner, input) }
    }
  }
}
