import Overmorrow

// The operators for any failure, with closures that belong to where they are written, as in code that is older than
// `Sendable`. Those of Overmorrow are disfavoured beside them, or hidden: see `Promise+Hiding.swift`.

extension Promise {
  /// Runs a closure with the value, where the closure belongs. See `Promise.then` of Overmorrow.
  @discardableResult
  @_disfavoredOverload  // for failures that are no errors; Overmorrow has the other one
  public func then(
    token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Promise<Value, Failure> {
    then(on: .here(onSuccess.isolation), token: token, onSuccess)
  }

  /// Runs a closure with the value. See `Promise.then` of Overmorrow.
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Promise<Value, Failure> {
    let onSuccess = Isolation.unchecked(onSuccess)
    return observeValue(on: context, token: token) { value in
      onSuccess(value)
      return nil
    }
  }

  /// A promise for what a closure makes of the value. See `Promise.map` of Overmorrow.
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> U
  ) -> Promise<U, Failure> {
    let onSuccess = Isolation.unchecked(onSuccess)
    return transformValue(on: context, token: token) { .value(onSuccess($0)) }
  }

  /// A promise that adopts the one that a closure makes of the value. See `Promise.flatMap` of Overmorrow.
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    let onSuccess = Isolation.unchecked(onSuccess)
    return transformValue(on: context, token: token) { .promise(onSuccess($0)) }
  }

  /// Runs a closure with the error. See `Promise.catch` of Overmorrow.
  @discardableResult
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> Promise<Value, Failure> {
    observeError(on: context, token: token, Isolation.unchecked(onError))
  }

  /// A promise for the value that a closure offers instead of an error. See `Promise.recover` of Overmorrow.
  public func recover(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Value
  ) -> Promise<Value, NoError> {
    let onError = Isolation.unchecked(onError)
    return transformError(on: context, token: token) { .value(onError($0)) }
  }

  /// A promise for what a closure makes of the error. See `Promise.mapError` of Overmorrow.
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> Promise<Value, E> {
    let onError = Isolation.unchecked(onError)
    return transformError(on: context, token: token) { .error(onError($0)) }
  }

  /// A promise that adopts the one that a closure makes of the error. See `Promise.flatMapError` of Overmorrow.
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    let onError = Isolation.unchecked(onError)
    return transformError(on: context, token: token) { .promise(onError($0)) }
  }

  /// Runs a closure with the result. See `Promise.always` of Overmorrow.
  @discardableResult
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Value, Failure> {
    observeResult(on: context, token: token, Isolation.unchecked(onComplete))
  }

  /// A promise for what a closure makes of the result. See `Promise.mapResult` of Overmorrow.
  public func mapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<T, E>
  ) -> Promise<T, E> {
    let onComplete = Isolation.unchecked(onComplete)
    return transformResult(on: context, token: token) { .result(onComplete($0)) }
  }

  /// A promise that adopts the one that a closure makes of the result. See `Promise.flatMapResult` of Overmorrow.
  public func flatMapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<T, E>
  ) -> Promise<T, E> {
    let onComplete = Isolation.unchecked(onComplete)
    return transformResult(on: context, token: token) { .promise(onComplete($0)) }
  }

  /// Runs a closure with the result, without taking part in cancellation. See `Promise.tap` of Overmorrow.
  @discardableResult
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Value, Failure> {
    reportResult(on: context, token: token, Isolation.unchecked(onComplete))
  }

  /// Runs a closure when the promise is cancelled. See `Promise.onCancel` of Overmorrow.
  @discardableResult
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise<Value, Failure> {
    observeCancellation(on: context, token: token, Isolation.unchecked(onCancel))
  }
}
