import Overmorrow

// The throwing forms under their old names: the names of Overmorrow do without `try`.

extension TokenPromise {
  /// A promise for what a closure makes of the error, or throws. See `Promise.mapError` of Overmorrow.
  public func tryMapError<E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> E
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryMapError(on: context, token: token, onError))
  }

  /// A promise that adopts what a closure makes of the error, or for what it throws. See `Promise.flatMapError` of
  /// Overmorrow.
  public func tryFlatMapError<E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> Promise<Value, E>
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryFlatMapError(on: context, token: token, onError))
  }

  /// A promise for what a closure makes of the result, or throws. See `Promise.mapResult` of Overmorrow.
  public func tryMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> PromiseResult<T, E>
  ) -> TokenPromise<T, any Swift.Error> {
    link(inner.tryMapResult(on: context, token: token, onComplete))
  }

  /// A promise that adopts what a closure makes of the result, or for what it throws. See `Promise.flatMapResult` of
  /// Overmorrow.
  public func tryFlatMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> Promise<T, E>
  ) -> TokenPromise<T, any Swift.Error> {
    link(inner.tryFlatMapResult(on: context, token: token, onComplete))
  }
}

extension TokenPromise where Failure == any Swift.Error {
  /// Runs a closure with the value, which may throw. See `Promise.then` of Overmorrow.
  @discardableResult
  public func tryThen(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Void
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryThen(on: context, token: token, onSuccess))
  }

  /// A promise for what a closure makes of the value, or throws. See `Promise.map` of Overmorrow.
  public func tryMap<U: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> U
  ) -> TokenPromise<U, any Swift.Error> {
    link(inner.tryMap(on: context, token: token, onSuccess))
  }

  /// A promise that adopts what a closure makes of the value, or for what it throws. See `Promise.flatMap` of
  /// Overmorrow.
  public func tryFlatMap<U: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Promise<U, E>
  ) -> TokenPromise<U, any Swift.Error> {
    link(inner.tryFlatMap(on: context, token: token, onSuccess))
  }

  /// A promise for the value offered instead of an error, or for what the closure throws. See `Promise.recover` of
  /// Overmorrow.
  public func tryRecover(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (any Swift.Error) throws -> Value
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.tryRecover(on: context, token: token, onError))
  }
}
