import Overmorrow

// The throwing forms under their old names: the names of Overmorrow do without `try`.

extension TokenPromise {
  /// A promise for what a closure makes of the error, or throws. See `Promise.mapError` of Overmorrow.
  public func tryMapError(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> any Swift.Error
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.mapError(at: .exactly(context), token: token, onError))
  }

  /// A promise for what a closure makes of the error, or throws. See `Promise.mapError` of Overmorrow.
  public func tryMapError<E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> E
  ) -> TokenPromise<Value, any Swift.Error> {
    let onError = Isolation.uncheckedThrowing(onError)
    return link(
      inner.mapError(on: context, token: token) { (input) throws(any Swift.Error) in
        try onError(input) as any Swift.Error
      })
  }

  /// A promise that adopts the one that a closure makes of the error, or for what it throws. See `Promise.flatMapError` of Overmorrow.
  public func tryFlatMapError(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError:
      @escaping @Sendable @isolated(any) (Failure) throws -> Promise<Value, any Swift.Error>
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.flatMapError(at: .exactly(context), token: token, onError))
  }

  /// A promise that adopts the one that a closure makes of the error, or for what it throws. See `Promise.flatMapError` of Overmorrow.
  public func tryFlatMapError<E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (Failure) throws -> Promise<Value, E>
  ) -> TokenPromise<Value, any Swift.Error> {
    let onError = Isolation.uncheckedThrowing(onError)
    return link(
      inner.flatMapError(on: context, token: token) { (input) throws(any Swift.Error) in try onError(input).upcast })
  }

  /// A promise for what a closure makes of the result, or throws. See `Promise.mapResult` of Overmorrow.
  public func tryMapResult<T: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> PromiseResult<T, any Swift.Error>
  ) -> TokenPromise<T, any Swift.Error> {
    link(inner.mapResult(at: .exactly(context), token: token, onComplete))
  }

  /// A promise for what a closure makes of the result, or throws. See `Promise.mapResult` of Overmorrow.
  public func tryMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> PromiseResult<T, E>
  ) -> TokenPromise<T, any Swift.Error> {
    let onComplete = Isolation.uncheckedThrowing(onComplete)
    return link(
      inner.mapResult(on: context, token: token) { (input) throws(any Swift.Error) in
        try onComplete(input).mapError { $0 as any Swift.Error }
      })
  }

  /// A promise that adopts the one that a closure makes of the result, or for what it throws. See `Promise.flatMapResult` of Overmorrow.
  public func tryFlatMapResult<T: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> Promise<T, any Swift.Error>
  ) -> TokenPromise<T, any Swift.Error> {
    link(inner.flatMapResult(at: .exactly(context), token: token, onComplete))
  }

  /// A promise that adopts the one that a closure makes of the result, or for what it throws. See `Promise.flatMapResult` of Overmorrow.
  public func tryFlatMapResult<T: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws -> Promise<T, E>
  ) -> TokenPromise<T, any Swift.Error> {
    let onComplete = Isolation.uncheckedThrowing(onComplete)
    return link(
      inner.flatMapResult(on: context, token: token) { (input) throws(any Swift.Error) in try onComplete(input).upcast }
    )
  }
}

extension TokenPromise where Failure == any Swift.Error {
  /// Runs a closure with the value, which may throw. See `Promise.then` of Overmorrow.
  @discardableResult
  public func tryThen(
    on context: PromiseContext = .auto,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Void
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.then(at: .exactly(context), token: token, onSuccess))
  }

  /// A promise for what a closure makes of the value, or throws. See `Promise.map` of Overmorrow.
  public func tryMap<U: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> U
  ) -> TokenPromise<U, any Swift.Error> {
    link(inner.map(at: .exactly(context), token: token, onSuccess))
  }

  /// A promise that adopts the one that a closure makes of the value, or for what it throws. See `Promise.flatMap` of Overmorrow.
  public func tryFlatMap<U: Sendable>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess:
      @escaping @Sendable @isolated(any) (Value) throws -> Promise<U, any Swift.Error>
  ) -> TokenPromise<U, any Swift.Error> {
    link(inner.flatMap(at: .exactly(context), token: token, onSuccess))
  }

  /// A promise that adopts the one that a closure makes of the value, or for what it throws. See `Promise.flatMap` of Overmorrow.
  public func tryFlatMap<U: Sendable, E: Swift.Error>(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onSuccess: @escaping @Sendable @isolated(any) (Value) throws -> Promise<U, E>
  ) -> TokenPromise<U, any Swift.Error> {
    let onSuccess = Isolation.uncheckedThrowing(onSuccess)
    return link(
      inner.flatMap(on: context, token: token) { (input) throws(any Swift.Error) in try onSuccess(input).upcast })
  }

  /// A promise for the value that a closure offers instead of an error, or for what it throws. See `Promise.recover` of Overmorrow.
  public func tryRecover(
    on context: PromiseContext,
    @_inheritActorContext(always) _ onError: @escaping @Sendable @isolated(any) (any Swift.Error) throws -> Value
  ) -> TokenPromise<Value, any Swift.Error> {
    link(inner.recover(at: .exactly(context), token: token, onError))
  }
}
