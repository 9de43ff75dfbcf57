import Overmorrow

// The operators of a chain with a token. Each operator calls the operator of `Promise` with the same name.

extension TokenPromise {
  /// Runs a closure with the value. See `Promise.then` of Overmorrow.
  @discardableResult
  public func then(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> TokenPromise<Value, Failure> {
    link(inner.then(on: context, token: token, onSuccess))
  }

  /// Transforms the value with a closure. See `Promise.map` of Overmorrow.
  public func map<U: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> U
  ) -> TokenPromise<U, Failure> {
    link(inner.map(on: context, token: token, onSuccess))
  }

  /// Continues with the promise that a closure returns for the value. See `Promise.flatMap` of Overmorrow.
  public func flatMap<U: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Promise<U, Failure>
  ) -> TokenPromise<U, Failure> {
    link(inner.flatMap(on: context, token: token, onSuccess))
  }

  /// Runs a closure with the error. See `Promise.catch` of Overmorrow.
  @discardableResult
  public func `catch`(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> TokenPromise<Value, Failure> {
    link(inner.catch(on: context, token: token, onError))
  }

  /// Replaces an error by the value that a closure returns. See `Promise.recover` of Overmorrow.
  public func recover(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Value
  ) -> TokenPromise<Value, NoError> {
    link(inner.recover(on: context, token: token, onError))
  }

  /// Transforms the error with a closure. See `Promise.mapError` of Overmorrow.
  public func mapError<E: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> TokenPromise<Value, E> {
    link(inner.mapError(on: context, token: token, onError))
  }

  /// Continues after an error with the promise that a closure returns. See `Promise.flatMapError` of Overmorrow.
  public func flatMapError<E: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> TokenPromise<Value, E> {
    link(inner.flatMapError(on: context, token: token, onError))
  }

  /// Runs a closure with the result. See `Promise.always` of Overmorrow.
  @discardableResult
  public func always(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise<Value, Failure> {
    link(inner.always(on: context, token: token, onComplete))
  }

  /// Transforms the result with a closure. See `Promise.mapResult` of Overmorrow.
  public func mapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<T, E>
  ) -> TokenPromise<T, E> {
    link(inner.mapResult(on: context, token: token, onComplete))
  }

  /// Continues with the promise that a closure returns for the result. See `Promise.flatMapResult` of Overmorrow.
  public func flatMapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<T, E>
  ) -> TokenPromise<T, E> {
    link(inner.flatMapResult(on: context, token: token, onComplete))
  }

  /// Runs a closure with the result. The closure has no vote on cancellation. See `Promise.tap` of Overmorrow.
  @discardableResult
  public func tap(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> TokenPromise<Value, Failure> {
    inner.tap(on: context, token: token, onComplete)
    return self
  }

  /// Runs a closure when the promise is cancelled. See `Promise.onCancel` of Overmorrow.
  @discardableResult
  public func onCancel(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> TokenPromise<Value, Failure> {
    link(inner.onCancel(on: context, token: token, onCancel))
  }
}
