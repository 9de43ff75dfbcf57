// Observers of a chain with tokens. Each behaves as that of `Promise` with the same name.

extension TokenPromise where Failure: Error {
  /// Runs a closure with the value. See ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the value.
  @inlinable
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> TokenPromise {
    link(ThenStep<Value, Failure>.self, on: context, token: token, .init(onFulfilled))
  }

  /// Runs a closure with the value, where the closure belongs. See ``Promise/then(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onFulfilled` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onFulfilled` runs inside this call if the promise is resolved and the call is made
  ///     where `onFulfilled` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onFulfilled: Called with the value.
  @inlinable
  @discardableResult
  public func then(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Void
  ) -> TokenPromise {
    then(
      on: .here(onFulfilled.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.uncheckedThrowing(onFulfilled))
  }
}

extension TokenPromise {
  /// Runs a closure with the error. See ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onRejected` runs.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - onRejected: Called with the error.
  @inlinable
  @discardableResult
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (Failure) -> Void
  ) -> TokenPromise {
    link(CatchStep<Value, Failure>.self, on: context, token: token, .init(onRejected))
  }

  /// Runs a closure with the error, where the closure belongs. See ``Promise/catch(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onRejected` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onRejected` runs inside this call if the promise is resolved and the call is made
  ///     where `onRejected` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onRejected: Called with the error.
  @inlinable
  @discardableResult
  public func `catch`(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> TokenPromise {
    `catch`(
      on: .here(onRejected.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(onRejected))
  }

  /// Runs a closure with the result. See ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the result.
  @inlinable
  @discardableResult
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    link(AlwaysStep<Value, Failure>.self, on: context, token: token, .init(onComplete))
  }

  /// Runs a closure with the result, where the closure belongs. See ``Promise/always(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onComplete` runs inside this call if the promise is resolved and the call is made
  ///     where `onComplete` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onComplete: Called with the result.
  @inlinable
  @discardableResult
  public func always(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    always(
      on: .here(onComplete.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure with the result, without taking part in cancellation. See ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the result.
  @inlinable
  @discardableResult
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    inner.report(NoPart.self, on: context, gate: tokens.gate(with: token), .init(onComplete))
    return self
  }

  /// Runs a closure with the result, without taking part in cancellation, where the closure belongs. See
  /// ``Promise/tap(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onComplete` runs inside this call if the promise is resolved and the call is made
  ///     where `onComplete` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onComplete: Called with the result.
  @inlinable
  @discardableResult
  public func tap(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise {
    tap(
      on: .here(onComplete.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure when the promise is cancelled. See ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `onCancel` runs.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - onCancel: Called without arguments.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable () -> Void
  ) -> TokenPromise {
    link(OnCancelStep<Value, Failure>.self, on: context, token: token, .init(onCancel))
  }

  /// Runs a closure when the promise is cancelled, where the closure belongs. See ``Promise/onCancel(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onCancel` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `onCancel` runs inside this call if the promise is resolved and the call is made where
  ///     `onCancel` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - onCancel: Called without arguments.
  @inlinable
  @discardableResult
  public func onCancel(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> TokenPromise {
    self.onCancel(
      on: .here(onCancel.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(onCancel))
  }
}
