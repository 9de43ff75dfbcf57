import Overmorrow

// The operators with closures that belong to where they are written, as in code that is older than `Sendable`. Those of
// Overmorrow are disfavoured beside them, or hidden: see `Promise+Hiding.swift`.

extension Promise {
  /// Runs a closure with the value. See `Promise.then` of Overmorrow.
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Promise<Value, Failure> {
    then(at: .exactly(context), token: token, onSuccess)
  }

  /// A promise for what a closure makes of the value. See `Promise.map` of Overmorrow.
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> U
  ) -> Promise<U, Failure> {
    map(at: .exactly(context), token: token, onSuccess)
  }

  /// A promise that adopts the one that a closure makes of the value. See `Promise.flatMap` of Overmorrow.
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(at: .exactly(context), token: token, onSuccess)
  }

  /// Runs a closure with the error. See `Promise.catch` of Overmorrow.
  @discardableResult
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> Promise<Value, Failure> {
    `catch`(at: .exactly(context), token: token, onError)
  }

  /// A promise for the value that a closure offers instead of an error. See `Promise.recover` of Overmorrow.
  public func recover(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Value
  ) -> Promise<Value, NoError> {
    recover(at: .exactly(context), token: token, onError)
  }

  /// A promise for what a closure makes of the error. See `Promise.mapError` of Overmorrow.
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> Promise<Value, E> {
    mapError(at: .exactly(context), token: token, onError)
  }

  /// A promise that adopts the one that a closure makes of the error. See `Promise.flatMapError` of Overmorrow.
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(at: .exactly(context), token: token, onError)
  }

  /// Runs a closure with the result. See `Promise.always` of Overmorrow.
  @discardableResult
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Value, Failure> {
    always(at: .exactly(context), token: token, onComplete)
  }

  /// A promise for what a closure makes of the result. See `Promise.mapResult` of Overmorrow.
  public func mapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<T, E>
  ) -> Promise<T, E> {
    mapResult(at: .exactly(context), token: token, onComplete)
  }

  /// A promise that adopts the one that a closure makes of the result. See `Promise.flatMapResult` of Overmorrow.
  public func flatMapResult<T: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<T, E>
  ) -> Promise<T, E> {
    flatMapResult(at: .exactly(context), token: token, onComplete)
  }

  /// Runs a closure with the result, without taking part in cancellation. See `Promise.tap` of Overmorrow.
  @discardableResult
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Value, Failure> {
    tap(at: .exactly(context), token: token, onComplete)
  }

  /// Runs a closure when the promise is cancelled. See `Promise.onCancel` of Overmorrow.
  @discardableResult
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise<Value, Failure> {
    self.onCancel(at: .exactly(context), token: token, onCancel)
  }
}
