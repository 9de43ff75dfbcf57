// Transforms on a given actor: the closure gets it as its first argument, and may use its state.

extension OwnedPromise {
  /// A promise for what a closure makes of the value, on an actor.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the value.
  @_disfavoredOverload
  public func map<A: Actor, U: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Value) -> U
  ) -> OwnedPromise<U, Failure> {
    step { $0.map(onActor: context, token: $1, transform) }
  }

  /// A promise that adopts the one that a closure makes of the value, on an actor.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the value.
  @_disfavoredOverload
  public func flatMap<A: Actor, U: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Value) -> Promise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    step { $0.flatMap(onActor: context, token: $1, transform) }
  }

  /// A promise for what a closure makes of the error, on an actor.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the error.
  @_disfavoredOverload
  public func mapError<A: Actor, E: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Failure) -> E
  ) -> OwnedPromise<Value, E> {
    step { $0.mapError(onActor: context, token: $1, transform) }
  }

  /// A promise for what a closure makes of the error, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the error.
  public func mapError<A: Actor, E: Error>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Failure) throws(E) -> E
  ) -> OwnedPromise<Value, E> {
    step { $0.mapError(onActor: context, token: $1, transform) }
  }

  /// A promise that adopts the one that a closure makes of the error, on an actor.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the error.
  @_disfavoredOverload
  public func flatMapError<A: Actor, E: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Failure) -> Promise<Value, E>
  ) -> OwnedPromise<Value, E> {
    step { $0.flatMapError(onActor: context, token: $1, transform) }
  }

  /// A promise that adopts the one that a closure makes of the error, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the error.
  public func flatMapError<A: Actor, E: Error>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Failure) throws(E) -> Promise<Value, E>
  ) -> OwnedPromise<Value, E> {
    step { $0.flatMapError(onActor: context, token: $1, transform) }
  }

  /// A promise for the value that a closure offers instead of an error, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the error.
  public func recover<A: Actor, E: Error>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Failure) throws(E) -> Value
  ) -> OwnedPromise<Value, E> {
    step { $0.recover(onActor: context, token: $1, transform) }
  }

  /// A promise for what a closure makes of the result, on an actor.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the result.
  @_disfavoredOverload
  public func mapResult<A: Actor, U: Sendable, E: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.mapResult(onActor: context, token: $1, transform) }
  }

  /// A promise for what a closure makes of the result, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the result.
  public func mapResult<A: Actor, U: Sendable, E: Error>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.mapResult(onActor: context, token: $1, transform) }
  }

  /// A promise that adopts the one that a closure makes of the result, on an actor.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the result.
  @_disfavoredOverload
  public func flatMapResult<A: Actor, U: Sendable, E: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.flatMapResult(onActor: context, token: $1, transform) }
  }

  /// A promise that adopts the one that a closure makes of the result, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the result.
  public func flatMapResult<A: Actor, U: Sendable, E: Error>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step { $0.flatMapResult(onActor: context, token: $1, transform) }
  }
}

extension OwnedPromise where Failure: Error {
  /// A promise for what a closure makes of the value, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the value.
  public func map<A: Actor, U: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Value) throws(Failure) -> U
  ) -> OwnedPromise<U, Failure> {
    step { $0.map(onActor: context, token: $1, transform) }
  }

  /// A promise that adopts the one that a closure makes of the value, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - transform: Called with the actor and the value.
  public func flatMap<A: Actor, U: Sendable>(
    onActor context: A,
    _ transform: @escaping @Sendable (isolated A, Value) throws(Failure) -> Promise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    step { $0.flatMap(onActor: context, token: $1, transform) }
  }
}
