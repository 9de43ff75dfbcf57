// Transforms of a chain with tokens. Each behaves as that of `Promise` with the same name.

extension TokenPromise where Failure: Error {
  /// Transforms the value. See ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> TokenPromise<U, Failure> {
    link(MapStep<Value, Failure, U>.self, on: context, token: token, .init(transform))
  }

  /// Transforms the value, where the closure belongs. See ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the value.
  @inlinable
  public func map<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> U
  ) -> TokenPromise<U, Failure> {
    map(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// Continues with another promise, made from the value. See ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> TokenPromise<U, Failure> {
    link(FlatMapStep<Value, Failure, U>.self, on: context, token: token, .init(transform))
  }

  /// Continues with another promise, made from the value, where the closure belongs. See
  /// ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the value.
  @inlinable
  public func flatMap<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Promise<U, Failure>
  ) -> TokenPromise<U, Failure> {
    flatMap(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}

extension TokenPromise {
  /// Transforms the error. See ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> E
  ) -> TokenPromise<Value, E> {
    link(MapErrorStep<Value, Failure, E>.self, on: context, token: token, transform)
  }

  /// Transforms the error, where the closure belongs. See ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the error.
  @inlinable
  public func mapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> TokenPromise<Value, E> {
    mapError(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// Continues with another promise after an error. See ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) -> Promise<Value, E>
  ) -> TokenPromise<Value, E> {
    link(FlatMapErrorStep<Value, Failure, E>.self, on: context, token: token, .init(transform))
  }

  /// Continues with another promise after an error, where the closure belongs. See
  /// ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the error.
  @inlinable
  public func flatMapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> TokenPromise<Value, E> {
    flatMapError(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// Replaces an error by a value. See ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the error.
  @inlinable
  public func recover<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> TokenPromise<Value, E> {
    link(RecoverStep<Value, Failure, E>.self, on: context, token: token, .init(transform))
  }

  /// Replaces an error by a value, where the closure belongs. See ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the error.
  @inlinable
  public func recover<E: Error>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> Value
  ) -> TokenPromise<Value, E> {
    recover(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// Transforms the result. See ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> TokenPromise<U, E> {
    link(MapResultStep<Value, Failure, U, E>.self, on: context, token: token, transform)
  }

  /// Transforms the result, where the closure belongs. See ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the result.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> TokenPromise<U, E> {
    mapResult(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// Continues with another promise, made from the result. See ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the result.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> TokenPromise<U, E> {
    link(FlatMapResultStep<Value, Failure, U, E>.self, on: context, token: token, .init(transform))
  }

  /// Continues with another promise, made from the result, where the closure belongs. See
  /// ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - nowIfResolved: Whether `transform` runs inside this call if the promise is resolved and the call is made where
  ///     `transform` belongs. Otherwise it runs soon.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: The actor of the caller. Leave it out.
  ///   - transform: Called with the result.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> TokenPromise<U, E> {
    flatMapResult(
      on: .here(transform.isolation, nowIfResolved: nowIfResolved, caller: isolation), token: token,
      Isolation.unchecked(transform))
  }
}
