// Transforms whose closure runs on the actor that it belongs to, or on the default context of the chain.

extension BoundPromise {
  /// A chain for what a closure makes of the value.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the value.
  @_disfavoredOverload
  public func map<U: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Value) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(transform)
    return link(MapStep<Value, Failure, U>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// A chain that adopts what a closure makes of the value.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the value.
  @_disfavoredOverload
  public func flatMap<U: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Value) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(transform)
    return link(FlatMapStep<Value, Failure, U>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// A chain for what a closure makes of the error.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the error.
  @_disfavoredOverload
  public func mapError<E: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Failure) -> E
  ) -> BoundPromise<Owner, Value, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(transform)
    return link(MapErrorStep<Value, Failure, E>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// A chain for what a closure makes of the error, or throws.
  ///
  /// In all else as ``Promise/mapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the error.
  public func mapError<E: Error>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Failure) throws(E) -> E
  ) -> BoundPromise<Owner, Value, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(ThrowingMapErrorStep<Value, Failure, E>.self, on: context) { owner in
      { (input) throws(E) in try call(owner, input) }
    }
  }

  /// A chain that adopts what a closure makes of the error.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the error.
  @_disfavoredOverload
  public func flatMapError<E: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Failure) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(transform)
    return link(FlatMapErrorStep<Value, Failure, E>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// A chain that adopts what a closure makes of the error, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapError(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the error.
  public func flatMapError<E: Error>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Failure) throws(E) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(ThrowingFlatMapErrorStep<Value, Failure, E>.self, on: context) { owner in
      { (input) throws(E) in try call(owner, input) }
    }
  }

  /// A chain for the value offered instead of an error.
  ///
  /// In all else as ``Promise/recover(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the error.
  public func recover<E: Error>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Failure) throws(E) -> Value
  ) -> BoundPromise<Owner, Value, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(RecoverStep<Value, Failure, E>.self, on: context) { owner in
      { (input) throws(E) in try call(owner, input) }
    }
  }

  /// A chain for what a closure makes of the result.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the result.
  @_disfavoredOverload
  public func mapResult<U: Sendable, E: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(transform)
    return link(MapResultStep<Value, Failure, U, E>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// A chain for what a closure makes of the result, or throws.
  ///
  /// In all else as ``Promise/mapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the result.
  public func mapResult<U: Sendable, E: Error>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) throws(E) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(ThrowingMapResultStep<Value, Failure, U, E>.self, on: context) { owner in
      { (input) throws(E) in try call(owner, input) }
    }
  }

  /// A chain that adopts what a closure makes of the result.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the result.
  @_disfavoredOverload
  public func flatMapResult<U: Sendable, E: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.unchecked(transform)
    return link(FlatMapResultStep<Value, Failure, U, E>.self, on: context) { owner in { input in call(owner, input) } }
  }

  /// A chain that adopts what a closure makes of the result, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the result.
  public func flatMapResult<U: Sendable, E: Error>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) throws(E) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(ThrowingFlatMapResultStep<Value, Failure, U, E>.self, on: context) { owner in
      { (input) throws(E) in try call(owner, input) }
    }
  }
}

extension BoundPromise where Failure: Error {
  /// A chain for what a closure makes of the value, or throws.
  ///
  /// In all else as ``Promise/map(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the value.
  public func map<U: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(ThrowingMapStep<Value, Failure, U>.self, on: context) { owner in
      { (input) throws(Failure) in try call(owner, input) }
    }
  }

  /// A chain that adopts what a closure makes of the value, or for the error that it throws.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Runs on: the actor of the closure; the default context of the chain if it has none.
  /// - Parameters:
  ///   - context: `.here`, or `.nowOrHere` to run at once if the promise is resolved already.
  ///   - isolation: Where this is called; leave it to its default.
  ///   - transform: Called with the owner and the value.
  public func flatMap<U: Sendable>(
    at context: IsolatedContext = .here, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    let context = place(of: transform.isolation, at: context, registeredOn: isolation)
    let call = Isolation.uncheckedThrowing(transform)
    return link(ThrowingFlatMapStep<Value, Failure, U>.self, on: context) { owner in
      { (input) throws(Failure) in try call(owner, input) }
    }
  }
}
