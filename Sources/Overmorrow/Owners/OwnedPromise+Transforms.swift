extension OwnedPromise {
  /// A chain for what a closure makes of the value. See ``Promise/map(on:token:_:)``.
  @_disfavoredOverload
  public func map<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) -> U
  ) -> OwnedPromise<U, Failure> {
    step { $0.map(on: context, token: $1, transform) }
  }

  /// A chain that adopts what a closure makes of the value. See ``Promise/flatMap(on:token:_:)``.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) -> Promise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    step { $0.flatMap(on: context, token: $1, transform) }
  }

  /// A chain for what a closure makes of the error. See ``Promise/mapError(on:token:_:)``.
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) -> E
  ) -> OwnedPromise<Value, E> {
    step { $0.mapError(on: context, token: $1, transform) }
  }

  /// A chain for what a closure makes of the error, or throws. See ``Promise/mapError(on:token:_:)``.
  public func mapError<E: Error>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) throws(E) -> E
  ) -> OwnedPromise<Value, E> {
    step { $0.mapError(on: context, token: $1, transform) }
  }

  /// A chain that adopts what a closure makes of the error. See ``Promise/flatMapError(on:token:_:)``.
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) -> Promise<Value, E>
  ) -> OwnedPromise<Value, E> {
    step { $0.flatMapError(on: context, token: $1, transform) }
  }

  /// A chain that adopts what a closure makes of the error. See ``Promise/flatMapError(on:token:_:)``.
  public func flatMapError<E: Error>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) throws(E) -> Promise<Value, E>
  ) -> OwnedPromise<Value, E> {
    step { $0.flatMapError(on: context, token: $1, transform) }
  }

  /// A chain for the value offered instead of an error. See ``Promise/recover(on:token:_:)``.
  public func recover<E: Error>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Failure) throws(E) -> Value
  ) -> OwnedPromise<Value, E> {
    step { $0.recover(on: context, token: $1, transform) }
  }

  /// A chain for what a closure makes of the result. See ``Promise/mapResult(on:token:_:)``.
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.mapResult(on: context, token: $1, transform) }
  }

  /// A chain for what a closure makes of the result, or throws. See ``Promise/mapResult(on:token:_:)``.
  public func mapResult<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.mapResult(on: context, token: $1, transform) }
  }

  /// A chain that adopts what a closure makes of the result. See ``Promise/flatMapResult(on:token:_:)``.
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.flatMapResult(on: context, token: $1, transform) }
  }

  /// A chain that adopts what a closure makes of the result. See ``Promise/flatMapResult(on:token:_:)``.
  public func flatMapResult<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.flatMapResult(on: context, token: $1, transform) }
  }
}

extension OwnedPromise where Failure: Error {
  /// A chain for what a closure makes of the value, or throws. See ``Promise/map(on:token:_:)``.
  public func map<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) throws(Failure) -> U
  ) -> OwnedPromise<U, Failure> {
    step { $0.map(on: context, token: $1, transform) }
  }

  /// A chain that adopts what a closure makes of the value. See ``Promise/flatMap(on:token:_:)``.
  public func flatMap<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    step { $0.flatMap(on: context, token: $1, transform) }
  }
}
