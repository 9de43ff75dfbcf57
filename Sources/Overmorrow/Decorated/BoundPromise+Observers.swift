// Observers of a chain with an owner: a closure gets the owner first. Each behaves as that of `Promise` with the same name.

extension BoundPromise where Failure: Error {
  /// Runs a closure with the owner and the value. See ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the owner and the value.
  @inlinable
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Owner, Value) throws(Failure) -> Void
  ) -> BoundPromise {
    link(ThenStep<Value, Failure>.self, on: context, token: token) { owner in
      .init { (input) throws(Failure) in try onFulfilled(owner, input) }
    }
  }

  /// Runs a closure with the owner and the value, where the closure belongs. See ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onFulfilled` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onFulfilled` runs inside this call if the promise is resolved and the call is made
  ///     where `onFulfilled` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onFulfilled: Called with the owner and the value.
  @inlinable
  @discardableResult
  public func then(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> Void
  ) -> BoundPromise {
    then(
      on: place(of: onFulfilled.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(onFulfilled))
  }
}

extension BoundPromise {
  /// Runs a closure with the owner and the error. See ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onRejected` runs.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - onRejected: Called with the owner and the error.
  @inlinable
  @discardableResult
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (Owner, Failure) -> Void
  ) -> BoundPromise {
    link(CatchStep<Value, Failure>.self, on: context, token: token) { owner in .init { onRejected(owner, $0) } }
  }

  /// Runs a closure with the owner and the error, where the closure belongs. See ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onRejected` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onRejected` runs inside this call if the promise is resolved and the call is made
  ///     where `onRejected` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onRejected: Called with the owner and the error.
  @inlinable
  @discardableResult
  public func `catch`(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Owner, Failure) -> Void
  ) -> BoundPromise {
    `catch`(
      on: place(of: onRejected.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(onRejected))
  }

  /// Runs a closure with the owner and the result. See ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the owner and the result.
  @inlinable
  @discardableResult
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    link(AlwaysStep<Value, Failure>.self, on: context, token: token) { owner in .init { onComplete(owner, $0) } }
  }

  /// Runs a closure with the owner and the result, where the closure belongs. See ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onComplete` runs inside this call if the promise is resolved and the call is made
  ///     where `onComplete` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onComplete: Called with the owner and the result.
  @inlinable
  @discardableResult
  public func always(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    always(
      on: place(of: onComplete.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure with the owner and the result, without taking part in cancellation. See
  /// ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the owner and the result.
  @inlinable
  @discardableResult
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    _ = observe(ReportStep<Value, Failure, NoPart>.self, on: context, token: token) { owner in
      .init { onComplete(owner, $0) }
    }
    return self
  }

  /// Runs a closure with the owner and the result, without taking part in cancellation, where the closure belongs. See
  /// ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onComplete` runs inside this call if the promise is resolved and the call is made
  ///     where `onComplete` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onComplete: Called with the owner and the result.
  @inlinable
  @discardableResult
  public func tap(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    tap(
      on: place(of: onComplete.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure with the owner when the promise is cancelled. See ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onCancel` runs.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - onCancel: Called with the owner.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable (Owner) -> Void
  ) -> BoundPromise {
    link(OnCancelStep<Value, Failure>.self, on: context, token: token) { owner in .init { onCancel(owner) } }
  }

  /// Runs a closure with the owner when the promise is cancelled, where the closure belongs. See
  /// ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onCancel` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onCancel` runs inside this call if the promise is resolved and the call is made where
  ///     `onCancel` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onCancel: Called with the owner.
  @inlinable
  @discardableResult
  public func onCancel(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) (Owner) -> Void
  ) -> BoundPromise {
    self.onCancel(
      on: place(of: onCancel.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(onCancel))
  }
}
