// Transforms on a context of their own.

extension BoundPromise {
  /// A chain for what a closure makes of the value.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the value.
  @_disfavoredOverload
  public func map<U: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Value) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    link(MapStep<Value, Failure, U>.self, on: context) { owner in { input in transform(owner, input) } }
  }

  /// A chain that adopts what a closure makes of the value.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the value.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Value) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    link(FlatMapStep<Value, Failure, U>.self, on: context) { owner in { input in transform(owner, input) } }
  }

  /// A chain for what a closure makes of the error.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the error.
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Failure) -> E
  ) -> BoundPromise<Owner, Value, E> {
    link(MapErrorStep<Value, Failure, E>.self, on: context) { owner in { input in transform(owner, input) } }
  }

  /// A chain for what a closure makes of the error, or throws.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the error.
  public func mapError<E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Failure) throws(E) -> E
  ) -> BoundPromise<Owner, Value, E> {
    link(ThrowingMapErrorStep<Value, Failure, E>.self, on: context) { owner in
      { (input) throws(E) in try transform(owner, input) }
    }
  }

  /// A chain that adopts what a closure makes of the error.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the error.
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Failure) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    link(FlatMapErrorStep<Value, Failure, E>.self, on: context) { owner in { input in transform(owner, input) } }
  }

  /// A chain that adopts what a closure makes of the error, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the error.
  public func flatMapError<E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Failure) throws(E) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    link(ThrowingFlatMapErrorStep<Value, Failure, E>.self, on: context) { owner in
      { (input) throws(E) in try transform(owner, input) }
    }
  }

  /// A chain for the value offered instead of an error.
  ///
  /// In all else as ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the error.
  public func recover<E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Failure) throws(E) -> Value
  ) -> BoundPromise<Owner, Value, E> {
    link(RecoverStep<Value, Failure, E>.self, on: context) { owner in
      { (input) throws(E) in try transform(owner, input) }
    }
  }

  /// A chain for what a closure makes of the result.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the result.
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(MapResultStep<Value, Failure, U, E>.self, on: context) { owner in { input in transform(owner, input) } }
  }

  /// A chain for what a closure makes of the result, or throws.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the result.
  public func mapResult<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(ThrowingMapResultStep<Value, Failure, U, E>.self, on: context) { owner in
      { (input) throws(E) in try transform(owner, input) }
    }
  }

  /// A chain that adopts what a closure makes of the result.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the result.
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(FlatMapResultStep<Value, Failure, U, E>.self, on: context) { owner in { input in transform(owner, input) } }
  }

  /// A chain that adopts what a closure makes of the result, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the result.
  public func flatMapResult<U: Sendable, E: Error>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(ThrowingFlatMapResultStep<Value, Failure, U, E>.self, on: context) { owner in
      { (input) throws(E) in try transform(owner, input) }
    }
  }
}

extension BoundPromise where Failure: Error {
  /// A chain for what a closure makes of the value, or throws.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the value.
  public func map<U: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Value) throws(Failure) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    link(ThrowingMapStep<Value, Failure, U>.self, on: context) { owner in
      { (input) throws(Failure) in try transform(owner, input) }
    }
  }

  /// A chain that adopts what a closure makes of the value, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the owner and the value.
  public func flatMap<U: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (Owner, Value) throws(Failure) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    link(ThrowingFlatMapStep<Value, Failure, U>.self, on: context) { owner in
      { (input) throws(Failure) in try transform(owner, input) }
    }
  }
}
