public import OvermorrowEngine

extension BoundPromise where Failure: Error {
  /// Runs a closure with the value. See ``Promise/then(on:token:_:)``.
  @inlinable
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Owner, Value) throws(Failure) -> Void
  ) -> BoundPromise {
    link(ThenStep<Value, Failure>.self, on: context, token: token) { owner in
      .init { (input) throws(Failure) in try onFulfilled(owner, input) }
    }
  }

  /// Runs a closure with the value, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/then(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  @discardableResult
  public func then(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> Void
  ) -> BoundPromise {
    self.then(
      on: .isolated(to: onFulfilled.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.uncheckedThrowing(onFulfilled))
  }

  /// Transforms the value. See ``Promise/map(on:token:_:)``.
  @inlinable
  public func map<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Value) throws(Failure) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    link(MapStep<Value, Failure, U>.self, on: context, token: token) { owner in
      .init { (input) throws(Failure) in try transform(owner, input) }
    }
  }

  /// Transforms the value, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/map(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func map<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> U
  ) -> BoundPromise<Owner, U, Failure> {
    self.map(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// Continues with the promise that a closure makes from the value. See ``Promise/flatMap(on:token:_:)``.
  @inlinable
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Value) throws(Failure) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    link(FlatMapStep<Value, Failure, U>.self, on: context, token: token) { owner in
      .init { (input) throws(Failure) in try transform(owner, input) }
    }
  }

  /// Continues with the promise that a closure makes from the value, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/flatMap(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func flatMap<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, Value) throws(Failure) -> Promise<U, Failure>
  ) -> BoundPromise<Owner, U, Failure> {
    self.flatMap(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.uncheckedThrowing(transform))
  }
}

extension BoundPromise {
  /// Runs a closure with the error. See ``Promise/catch(on:token:_:)``.
  @inlinable
  @discardableResult
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (Owner, Failure) -> Void
  ) -> BoundPromise {
    link(CatchStep<Value, Failure>.self, on: context, token: token) { owner in
      .init { input in onRejected(owner, input) }
    }
  }

  /// Runs a closure with the error, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/catch(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  @discardableResult
  public func `catch`(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Owner, Failure) -> Void
  ) -> BoundPromise {
    self.catch(
      on: .isolated(to: onRejected.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(onRejected))
  }

  /// Runs a closure with the result. See ``Promise/always(on:token:_:)``.
  @inlinable
  @discardableResult
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    link(AlwaysStep<Value, Failure>.self, on: context, token: token) { owner in
      .init { input in onComplete(owner, input) }
    }
  }

  /// Runs a closure with the result, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/always(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  @discardableResult
  public func always(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    self.always(
      on: .isolated(to: onComplete.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure with the result. The closure has no vote on cancellation. See ``Promise/tap(on:token:_:)``.
  @inlinable
  @discardableResult
  public func tap(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    inner.report(
      NoVote.self, on: context, gate: self.token.gate(with: token),
      .init { [reference] in if let owner = reference.owner { onComplete(owner, $0) } })
    return self
  }

  /// Runs a closure with the result, on the actor that the closure is isolated to.
  /// The closure has no vote on cancellation.
  ///
  /// See ``Promise/tap(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  @discardableResult
  public func tap(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Void
  ) -> BoundPromise {
    self.tap(
      on: .isolated(to: onComplete.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(onComplete))
  }

  /// Runs a closure when the promise is cancelled. See ``Promise/onCancel(on:token:_:)``.
  @inlinable
  @discardableResult
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable (Owner) -> Void
  ) -> BoundPromise {
    link(OnCancelStep<Value, Failure>.self, on: context, token: token) { owner in .init { onCancel(owner) } }
  }

  /// Runs a closure when the promise is cancelled, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/onCancel(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  @discardableResult
  public func onCancel(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) (Owner) -> Void
  ) -> BoundPromise {
    self.onCancel(
      on: .isolated(to: onCancel.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(onCancel))
  }

  /// Transforms the error. See ``Promise/mapError(on:token:_:)``.
  @inlinable
  public func mapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Failure) -> E
  ) -> BoundPromise<Owner, Value, E> {
    link(MapErrorStep<Value, Failure, E>.self, on: context, token: token) { owner in
      { input in transform(owner, input) }
    }
  }

  /// Transforms the error, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/mapError(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func mapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Failure) -> E
  ) -> BoundPromise<Owner, Value, E> {
    self.mapError(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(transform))
  }

  /// Continues with the promise that a closure makes from the error. See ``Promise/flatMapError(on:token:_:)``.
  @inlinable
  public func flatMapError<E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Failure) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    link(FlatMapErrorStep<Value, Failure, E>.self, on: context, token: token) { owner in
      .init { input in transform(owner, input) }
    }
  }

  /// Continues with the promise that a closure makes from the error, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/flatMapError(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func flatMapError<E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Failure) -> Promise<Value, E>
  ) -> BoundPromise<Owner, Value, E> {
    self.flatMapError(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(transform))
  }

  /// Replaces an error with a value. See ``Promise/recover(on:token:_:)``.
  @inlinable
  public func recover<E: Error>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, Failure) throws(E) -> Value
  ) -> BoundPromise<Owner, Value, E> {
    link(RecoverStep<Value, Failure, E>.self, on: context, token: token) { owner in
      .init { (input) throws(E) in try transform(owner, input) }
    }
  }

  /// Replaces an error with a value, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/recover(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func recover<E: Error>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform: @escaping @Sendable @isolated(any) (Owner, Failure) throws(E) -> Value
  ) -> BoundPromise<Owner, Value, E> {
    self.recover(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.uncheckedThrowing(transform))
  }

  /// Transforms the result. See ``Promise/mapResult(on:token:_:)``.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(MapResultStep<Value, Failure, U, E>.self, on: context, token: token) { owner in
      { input in transform(owner, input) }
    }
  }

  /// Transforms the result, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/mapResult(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func mapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> PromiseResult<U, E>
  ) -> BoundPromise<Owner, U, E> {
    self.mapResult(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(transform))
  }

  /// Continues with the promise that a closure makes from the result. See ``Promise/flatMapResult(on:token:_:)``.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Owner, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    link(FlatMapResultStep<Value, Failure, U, E>.self, on: context, token: token) { owner in
      .init { input in transform(owner, input) }
    }
  }

  /// Continues with the promise that a closure makes from the result, on the actor that the closure is isolated to.
  ///
  /// See ``Promise/flatMapResult(on:token:_:)``. A closure that is isolated to no actor runs on ``defaultContext``.
  @inlinable
  public func flatMapResult<U: Sendable, E: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Owner, PromiseResult<Value, Failure>) -> Promise<U, E>
  ) -> BoundPromise<Owner, U, E> {
    self.flatMapResult(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation, otherwise: defaultContext), token: token,
      Isolation.unchecked(transform))
  }
}
