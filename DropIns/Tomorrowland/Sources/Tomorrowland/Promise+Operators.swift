import Overmorrow
internal import TomorrowlandBase

// The operators for any failure type. Their closures inherit the actor of the surrounding code, because code for
// Tomorrowland predates `Sendable`. The operators of Overmorrow with the same names are either disfavoured or hidden by
// `Promise+Hiding.swift`.

extension Promise {
  /// Runs a closure with the value, on the actor that the closure is isolated to. See `Promise.then` of Overmorrow.
  @discardableResult
  @_disfavoredOverload  // needed only for a failure type that is not an `Error`
  public func then(
    token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Promise<Value, Failure> {
    then(on: PromiseAdapter.context(of: onSuccess.isolation), token: token, onSuccess)
  }

  /// Runs a closure with the value. See `Promise.then` of Overmorrow.
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Promise<Value, Failure> {
    let onSuccess = PromiseAdapter.plain(onSuccess)
    return PromiseAdapter.observeValue(self, on: context, token: token) { value in
      onSuccess(value)
      return nil
    }
  }

  /// Transforms the value with a closure. See `Promise.map` of Overmorrow.
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> U
  ) -> Promise<U, Failure> {
    let onSuccess = PromiseAdapter.plain(onSuccess)
    return PromiseAdapter.transformValue(self, on: context, token: token) { .value(onSuccess($0)) }
  }

  /// Continues with the promise that a closure returns for the value. See `Promise.flatMap` of Overmorrow.
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    let onSuccess = PromiseAdapter.plain(onSuccess)
    return PromiseAdapter.transformValue(self, on: context, token: token) { .promise(onSuccess($0)) }
  }

  /// Runs a closure with the error. See `Promise.catch` of Overmorrow.
  @discardableResult
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> Promise<Value, Failure> {
    observeError(on: context, token: token, PromiseAdapter.plain(onError))
  }

  /// Replaces an error by the value that a closure returns. See `Promise.recover` of Overmorrow.
  public func recover(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Value
  ) -> Promise<Value, NoError> {
    let onError = PromiseAdapter.plain(onError)
    return PromiseAdapter.transformError(self, on: context, token: token) { .value(onError($0)) }
  }

  /// Transforms the error with a closure. See `Promise.mapError` of Overmorrow.
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> Promise<Value, E> {
    let onError = PromiseAdapter.plain(onError)
    return PromiseAdapter.transformError(self, on: context, token: token) { .error(onError($0)) }
  }

  /// Continues after an error with the promise that a closure returns. See `Promise.flatMapError` of Overmorrow.
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    let onError = PromiseAdapter.plain(onError)
    return PromiseAdapter.transformError(self, on: context, token: token) { .promise(onError($0)) }
  }

  /// Runs a closure with the result. See `Promise.always` of Overmorrow.
  @discardableResult
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Value, Failure> {
    observeResult(on: context, token: token, PromiseAdapter.plain(onComplete))
  }

  /// Transforms the result with a closure. See `Promise.mapResult` of Overmorrow.
  public func mapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<T, E>
  ) -> Promise<T, E> {
    let onComplete = PromiseAdapter.plain(onComplete)
    return PromiseAdapter.transformResult(self, on: context, token: token) { .result(onComplete($0)) }
  }

  /// Continues with the promise that a closure returns for the result. See `Promise.flatMapResult` of Overmorrow.
  public func flatMapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<T, E>
  ) -> Promise<T, E> {
    let onComplete = PromiseAdapter.plain(onComplete)
    return PromiseAdapter.transformResult(self, on: context, token: token) { .promise(onComplete($0)) }
  }

  /// Runs a closure with the result. The closure has no vote on cancellation. See `Promise.tap` of Overmorrow.
  @discardableResult
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Value, Failure> {
    reportResult(on: context, token: token, PromiseAdapter.plain(onComplete))
  }

  /// Runs a closure when the promise is cancelled. See `Promise.onCancel` of Overmorrow.
  @discardableResult
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise<Value, Failure> {
    observeCancellation(on: context, token: token, PromiseAdapter.plain(onCancel))
  }
}
