import Overmorrow

// The throwing operators under their names in Tomorrowland. The names of Overmorrow do not contain `try`.

extension TokenPromise {
  /// Transforms the error with a closure that may throw. See `Promise.mapError` of Overmorrow.
  public func tryMapError<E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> E
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryMapError(on: context, token: token, onError))
  }

  /// Continues after an error with the promise that a closure returns. The closure may throw. See
  /// `Promise.flatMapError` of Overmorrow.
  public func tryFlatMapError<E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> Promise<Value, E>
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryFlatMapError(on: context, token: token, onError))
  }

  /// Transforms the result with a closure that may throw. See `Promise.mapResult` of Overmorrow.
  public func tryMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> PromiseResult<T, E>
  ) -> TokenPromise<T, any Swift.Error> {
    link(inner.tryMapResult(on: context, token: token, onComplete))
  }

  /// Continues with the promise that a closure returns for the result. The closure may throw. See
  /// `Promise.flatMapResult` of Overmorrow.
  public func tryFlatMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> Promise<T, E>
  ) -> TokenPromise<T, any Swift.Error> {
    link(inner.tryFlatMapResult(on: context, token: token, onComplete))
  }
}

extension TokenPromise where Failure == any Swift.Error {
  /// Runs a closure with the value. The closure may throw. See `Promise.then` of Overmorrow.
  @discardableResult
  public func tryThen(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Void
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryThen(on: context, token: token, onSuccess))
  }

  /// Transforms the value with a closure that may throw. See `Promise.map` of Overmorrow.
  public func tryMap<U: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> U
  ) -> TokenPromise<U, any Swift.Error> {
    link(inner.tryMap(on: context, token: token, onSuccess))
  }

  /// Continues with the promise that a closure returns for the value. The closure may throw. See `Promise.flatMap` of
  /// Overmorrow.
  public func tryFlatMap<U: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Promise<U, E>
  ) -> TokenPromise<U, any Swift.Error> {
    link(inner.tryFlatMap(on: context, token: token, onSuccess))
  }

  /// Replaces an error by the value that a closure returns. The closure may throw. See `Promise.recover` of
  /// Overmorrow.
  public func tryRecover(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (any Swift.Error) throws -> Value
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryRecover(on: context, token: token, onError))
  }
}
