// Transforms on a given actor: the closure gets it as its first argument, and may use its state.

extension Promise {
  /// A promise for what a closure makes of the value, on an actor.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the value.
  @inlinable
  @_disfavoredOverload
  public func map<A: Actor, U: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Value) -> U
  ) -> Promise<U, Failure> {
    map(on: .actor(context), token: token) { input in
      context.callHere { actor in transform(actor, input) }
    }
  }

  /// A promise that adopts the one that a closure makes of the value, on an actor.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the value.
  @inlinable
  @_disfavoredOverload
  public func flatMap<A: Actor, U: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Value) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(on: .actor(context), token: token) { input in
      context.callHere { actor in transform(actor, input) }
    }
  }

  /// A promise for what a closure makes of the error, on an actor.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the error.
  @inlinable
  @_disfavoredOverload
  public func mapError<A: Actor, E: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Failure) -> E
  ) -> Promise<Value, E> {
    mapError(on: .actor(context), token: token) { input in
      context.callHere { actor in transform(actor, input) }
    }
  }

  /// A promise for what a closure makes of the error, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the error.
  @inlinable
  public func mapError<A: Actor, E: Error>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Failure) throws(E) -> E
  ) -> Promise<Value, E> {
    mapError(on: .actor(context), token: token) { (input) throws(E) in
      try context.callHere { (actor: isolated A) throws(E) in try transform(actor, input) }
    }
  }

  /// A promise that adopts the one that a closure makes of the error, on an actor.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the error.
  @inlinable
  @_disfavoredOverload
  public func flatMapError<A: Actor, E: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Failure) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(on: .actor(context), token: token) { input in
      context.callHere { actor in transform(actor, input) }
    }
  }

  /// A promise that adopts the one that a closure makes of the error, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the error.
  @inlinable
  public func flatMapError<A: Actor, E: Error>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Failure) throws(E) -> Promise<Value, E>
  ) -> Promise<Value, E> {
    flatMapError(on: .actor(context), token: token) { (input) throws(E) in
      try context.callHere { (actor: isolated A) throws(E) in try transform(actor, input) }
    }
  }

  /// A promise for the value that a closure offers instead of an error, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the error.
  @inlinable
  public func recover<A: Actor, E: Error>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Failure) throws(E) -> Value
  ) -> Promise<Value, E> {
    recover(on: .actor(context), token: token) { (input) throws(E) in
      try context.callHere { (actor: isolated A) throws(E) in try transform(actor, input) }
    }
  }

  /// A promise for what a closure makes of the result, on an actor.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the result.
  @inlinable
  @_disfavoredOverload
  public func mapResult<A: Actor, U: Sendable, E: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    mapResult(on: .actor(context), token: token) { input in
      context.callHere { actor in transform(actor, input) }
    }
  }

  /// A promise for what a closure makes of the result, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the result.
  @inlinable
  public func mapResult<A: Actor, U: Sendable, E: Error>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> Promise<U, E> {
    mapResult(on: .actor(context), token: token) { (input) throws(E) in
      try context.callHere { (actor: isolated A) throws(E) in try transform(actor, input) }
    }
  }

  /// A promise that adopts the one that a closure makes of the result, on an actor.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the result.
  @inlinable
  @_disfavoredOverload
  public func flatMapResult<A: Actor, U: Sendable, E: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> Promise<U, E> {
    flatMapResult(on: .actor(context), token: token) { input in
      context.callHere { actor in transform(actor, input) }
    }
  }

  /// A promise that adopts the one that a closure makes of the result, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the result.
  @inlinable
  public func flatMapResult<A: Actor, U: Sendable, E: Error>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> Promise<U, E> {
    flatMapResult(on: .actor(context), token: token) { (input) throws(E) in
      try context.callHere { (actor: isolated A) throws(E) in try transform(actor, input) }
    }
  }
}

extension Promise where Failure: Error {
  /// A promise for what a closure makes of the value, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the value.
  @inlinable
  public func map<A: Actor, U: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Value) throws(Failure) -> U
  ) -> Promise<U, Failure> {
    map(on: .actor(context), token: token) { (input) throws(Failure) in
      try context.callHere { (actor: isolated A) throws(Failure) in try transform(actor, input) }
    }
  }

  /// A promise that adopts the one that a closure makes of the value, on an actor, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor.
  /// - Parameters:
  ///   - context: The actor. `MainActor.shared` means the main queue.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the actor and the value.
  @inlinable
  public func flatMap<A: Actor, U: Sendable>(
    onActor context: A, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (isolated A, Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(on: .actor(context), token: token) { (input) throws(Failure) in
      try context.callHere { (actor: isolated A) throws(Failure) in try transform(actor, input) }
    }
  }
}
