// Transforms of a chain with an owner: a closure gets the owner first. Each behaves as that of `Promise` with the same name.

extension BoundPromise where Failure: Error {
  /// Transforms the value. See ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the value.
  @inlinable
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Value) throws(Failure) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    link(MapStep<Value, Failure, U>.self, on: context, token: token) { owner in
      .init { (input) throws(Failure) in try transform(owner, input) }
    }
  }

  /// Transforms the value, where the closure belongs. See ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the value.
  @inlinable
  public func map<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    map(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// Continues with another promise, made from the value. See ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the value.
  @inlinable
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Value) throws(Failure) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    link(FlatMapStep<Value, Failure, U>.self, on: context, token: token) { owner in
      .init { (input) throws(Failure) in try transform(owner, input) }
    }
  }

  /// Continues with another promise, made from the value, where the closure belongs. See
  /// ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the value.
  @inlinable
  public func flatMap<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    flatMap(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}

extension BoundPromise {
  /// Transforms the error. See ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the error.
  @inlinable
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Failure) -> E
  ) -> BoundPromise<Owner, Value, E> {
    link(MapErrorStep<Value, Failure, E>.self, on: context, token: token) { owner in
      { input in transform(owner, input) }
    }
  }

  /// Transforms the error, where the closure belongs. See ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the error.
  @inlinable
  public func mapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Failure) -> E
  ) -> BoundPromise<Owner, Value, E> {
    mapError(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// Continues with another promise after an error. See ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the error.
  @inlinable
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Failure) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    link(FlatMapErrorStep<Value, Failure, E>.self, on: context, token: token) { owner in
      .init { transform(owner, $0) }
    }
  }

  /// Continues with another promise after an error, where the closure belongs. See
  /// ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the error.
  @inlinable
  public func flatMapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Failure) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    flatMapError(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// Replaces an error by a value. See ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the error.
  @inlinable
  public func recover<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Failure) throws(E) -> Value
  ) -> BoundPromise<Owner, Value, E> {
    link(RecoverStep<Value, Failure, E>.self, on: context, token: token) { owner in
      .init { (input) throws(E) in try transform(owner, input) }
    }
  }

  /// Replaces an error by a value, where the closure belongs. See ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the error.
  @inlinable
  public func recover<E: Error>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Failure) throws(E) -> Value
  ) -> BoundPromise<Owner, Value, E> {
    recover(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// Transforms the result. See ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the result.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(MapResultStep<Value, Failure, U, E>.self, on: context, token: token) { owner in
      { input in transform(owner, input) }
    }
  }

  /// Transforms the result, where the closure belongs. See ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the result.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    mapResult(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// Continues with another promise, made from the result. See ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the owner and the result.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(FlatMapResultStep<Value, Failure, U, E>.self, on: context, token: token) { owner in
      .init { transform(owner, $0) }
    }
  }

  /// Continues with another promise, made from the result, where the closure belongs. See
  /// ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or the default context of the chain if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the owner and the result.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    flatMapResult(
      on: place(of: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.unchecked(transform))
  }
}
