// Transforms whose closure runs on the actor that it belongs to: see `IsolatedContext`.

extension Promise {
  /// A promise for what a closure makes of the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  @inlinable
  @_disfavoredOverload
  public func map<U: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) -> U
  ) -> Promise<U, Failure> {
    map(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// A promise that adopts the one that a closure makes of the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  @inlinable
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// A promise for what a closure makes of the error, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> Promise<Value, E> {
    mapError(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// A promise for what a closure makes of the error, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @inlinable
  public func mapError<E: Error>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> E
  ) -> Promise<Value, E> {
    mapError(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// A promise that adopts the one that a closure makes of the error, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @inlinable
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// A promise that adopts the one that a closure makes of the error, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @inlinable
  public func flatMapError<E: Error>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Failure) throws(E) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// A promise for the value that a closure offers instead of an error, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @inlinable
  public func recover<E: Error>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    recover(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// A promise for what a closure makes of the result, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  @inlinable
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    mapResult(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// A promise for what a closure makes of the result, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  @inlinable
  public func mapResult<U: Sendable, E: Error>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    mapResult(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// A promise that adopts the one that a closure makes of the result, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  @inlinable
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    flatMapResult(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.unchecked(transform))
  }

  /// A promise that adopts the one that a closure makes of the result, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  @inlinable
  public func flatMapResult<U: Sendable, E: Error>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> Promise<U, E> {
    flatMapResult(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}

extension Promise where Failure: Error {
  /// A promise for what a closure makes of the value, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  @inlinable
  public func map<U: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    map(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// A promise that adopts the one that a closure makes of the value, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  @inlinable
  public func flatMap<U: Sendable>(
    at context: IsolatedContext, token: PromiseInvalidationToken? = nil,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(
      on: context.context(of: transform.isolation, registeredOn: isolation), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}
