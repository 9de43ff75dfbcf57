// Transforms whose closure runs on the actor that it belongs to: see `IsolatedContext`.

extension OwnedPromise {
  /// A promise for what a closure makes of the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  @_disfavoredOverload
  public func map<U: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) -> U
  ) -> OwnedPromise<U, Failure> {
    step { $0.map(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise that adopts the one that a closure makes of the value, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) -> Promise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    step { $0.flatMap(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise for what a closure makes of the error, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> E
  ) -> OwnedPromise<Value, E> {
    step { $0.mapError(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise for what a closure makes of the error, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  public func mapError<E: Error>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> E
  ) -> OwnedPromise<Value, E> {
    step { $0.mapError(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise that adopts the one that a closure makes of the error, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) -> Promise<Value, E>
  ) -> OwnedPromise<Value, E> {
    step { $0.flatMapError(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise that adopts the one that a closure makes of the error, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  public func flatMapError<E: Error>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Failure) throws(E) -> Promise<Value, E>
  ) -> OwnedPromise<Value, E> {
    step { $0.flatMapError(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise for the value that a closure offers instead of an error, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the error.
  public func recover<E: Error>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Failure) throws(E) -> Value
  ) -> OwnedPromise<Value, E> {
    step { $0.recover(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise for what a closure makes of the result, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.mapResult(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise for what a closure makes of the result, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  public func mapResult<U: Sendable, E: Error>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.mapResult(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise that adopts the one that a closure makes of the result, on the actor that the closure belongs to.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.flatMapResult(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise that adopts the one that a closure makes of the result, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the result.
  public func flatMapResult<U: Sendable, E: Error>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.flatMapResult(at: context, token: $1, isolation: isolation, transform) }
  }
}

extension OwnedPromise where Failure: Error {
  /// A promise for what a closure makes of the value, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  public func map<U: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> U
  ) -> OwnedPromise<U, Failure> {
    step { $0.map(at: context, token: $1, isolation: isolation, transform) }
  }

  /// A promise that adopts the one that a closure makes of the value, on the actor that the closure belongs to, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; `.auto` if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the value.
  public func flatMap<U: Sendable>(
    at context: IsolatedContext,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Promise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    step { $0.flatMap(at: context, token: $1, isolation: isolation, transform) }
  }
}
