extension BoundPromise {
  /// The result, or `nil` while the promise is unresolved. See ``Promise/result``.
  public var result: PromiseResult<Value, Failure>? { inner.result }

  /// The result. The calling task is suspended until the promise is resolved. See ``Promise/finalResult``.
  nonisolated(nonsending) public var finalResult: PromiseResult<Value, Failure> {
    get async { await inner.finalResult }
  }

  /// Asks the promise at this point of the chain to cancel. See ``Promise/requestCancel()``.
  public func requestCancel() { inner.requestCancel() }

  /// A weak reference that can ask the promise at this point of the chain to cancel. See ``Promise/cancellable``.
  public var cancellable: PromiseCancellable { inner.cancellable }

  /// Returns a cancellable that owns the chain. See ``Promise/owned()``.
  ///
  /// The release of the last copy of the cancellable ends the chain.
  public func owned() -> PromiseCancellable { inner.owned() }

  /// Passes the chain to a closure, and returns the chain. See ``Promise/fork(_:)``.
  @discardableResult
  public func fork<E: Error>(_ body: (BoundPromise) throws(E) -> Void) throws(E) -> BoundPromise {
    try body(self)
    return self
  }

  /// Asks the promise at this point of the chain to cancel at the next invalidation of `token`. Returns the chain.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> BoundPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }

  /// Gives the promise at this point a name for the diagnostics. Returns the chain. See ``Promise/named(_:)``.
  @discardableResult
  public func named(_ name: @autoclosure () -> String) -> BoundPromise {
    inner.named(name())
    return self
  }

  /// Returns a chain with the same result and no vote on this chain. See ``Promise/tap()``.
  public func tap() -> BoundPromise { link(inner.tap()) }

  /// Returns a chain with the same result and a vote that is never withdrawn. See ``Promise/ignoringCancel()``.
  public func ignoringCancel() -> BoundPromise { link(inner.ignoringCancel()) }

  /// Returns a chain with the same result and its own vote. See ``Promise/makeChild()``.
  public func makeChild() -> BoundPromise { link(inner.makeChild()) }

  /// Returns a chain that gets the result of this chain after a delay. See ``Promise/delay(on:_:clock:)``.
  public func delay(
    on context: PromiseContext = .auto, _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> BoundPromise {
    link(inner.delay(on: context, duration, clock: clock))
  }

  /// Returns a chain that fails if the result takes longer than a limit. See ``Promise/timeout(on:_:clock:)``.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> BoundPromise<Owner, Value, PromiseTimeoutError<Failure>> {
    link(inner.timeout(on: context, duration, clock: clock))
  }
}

extension BoundPromise where Failure == any Error {
  /// Returns a chain that fails if the result takes longer than a limit. See ``Promise/timeout(on:_:clock:)``.
  public func timeout(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> BoundPromise {
    link(inner.timeout(on: context, duration, clock: clock))
  }
}

extension BoundPromise where Failure: Error {
  /// The value. The calling task is suspended until the promise is resolved. See ``Promise/value-3krp5``.
  nonisolated(nonsending) public var value: Value {
    get async throws { try await inner.value }
  }

  /// A chain with the same result and the failure type `any Error`. See ``Promise/upcast``.
  public var upcast: BoundPromise<Owner, Value, any Error> { link(inner.upcast) }
}
