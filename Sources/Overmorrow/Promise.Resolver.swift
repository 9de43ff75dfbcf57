extension Promise {
  /// Resolves a promise, at most once, from any thread.
  ///
  /// The first call that resolves wins, and later ones do nothing. When the last copy of a resolver goes away without
  /// any, the promise is cancelled.
  public struct Resolver: Sendable {
    @usableFromInline let producer: Producer

    @inlinable
    init(_ producer: Producer) { self.producer = producer }

    /// Fulfils the promise.
    ///
    /// - Parameter value: What it is fulfilled with.
    @inlinable
    public func fulfill(with value: Value) {
      guard let core = producer.claim(for: .value) else { return }
      core.write(value)
      core.publish(.value)
    }

    /// Rejects the promise.
    ///
    /// - Parameter error: What it is rejected with.
    @inlinable
    public func reject(with error: Failure) {
      guard let core = producer.claim(for: .error) else { return }
      core.write(error)
      core.publish(.error)
    }

    /// Cancels the promise.
    public func cancel() { producer.cancel() }

    /// Resolves the promise.
    ///
    /// - Parameter result: What it is resolved to.
    @inlinable
    public func resolve(with result: PromiseResult<Value, Failure>) {
      switch result {
      case .value(let value): fulfill(with: value)
      case .error(let error): reject(with: error)
      case .cancelled: cancel()
      }
    }

    /// Resolves the promise to whatever another one resolves to.
    ///
    /// From now on other calls of this resolver do nothing. A request to cancel this promise counts as one child's
    /// request on the other one. A promise that is resolved with itself, directly or round a cycle, is cancelled, and
    /// the diagnostics say so.
    ///
    /// - Parameter promise: The promise to follow.
    public func resolve(with promise: Promise) { producer.adopt(promise.handle) }

    /// Registers what to do when cancelling the promise is requested.
    ///
    /// Handlers run in the order in which they were registered. If the request has been made before and the promise is
    /// unresolved, the handler runs at once. After the promise has resolved it does not run; when it runs on the serial
    /// queue that also resolves the promise, that is exact.
    ///
    /// - Parameters:
    ///   - context: Where the handler runs.
    ///   - callback: Receives this resolver, usually to cancel it after having stopped the work.
    @_disfavoredOverload  // as for `catch`
    public func onRequestCancel(on context: PromiseContext, _ callback: @escaping @Sendable (Resolver) -> Void) {
      onRequestCancel(calling: callback, on: context)
    }

    /// As `onRequestCancel(on:_:)`, by a name that a drop-in module can call from its own.
    package func onRequestCancel(calling callback: @escaping @Sendable (Resolver) -> Void, on context: PromiseContext) {
      // The handler must not keep the resolver: a promise that nobody resolves any more is to be cancelled.
      let handler = CancelCallback { callback(Resolver($0)) }
      _ = producer.withCore { core in
        let place = core.hasBeenAskedToCancel ? context : context.later
        core.addCancelHandler(
          CancelHandler(
            .run { [weak producer] core in
              // Without a resolver, and claimed, the promise adopts another one: whatever the handler does to it is late.
              guard let producer = producer ?? Producer.late(core) else { return }
              handler.run(on: place, with: producer)
            }))
      }
    }

    /// Registers what to do when cancelling the promise is requested, where the closure belongs.
    ///
    /// Behaves as ``onRequestCancel(on:_:)`` otherwise.
    ///
    /// - Runs on: the actor that `callback` belongs to, or `.auto` if it belongs to none.
    /// - Parameter callback: Receives this resolver, usually to cancel it after having stopped the work.
    public func onRequestCancel(
      @_inheritActorContext(always) _ callback: @escaping @Sendable @isolated(any) (Resolver) -> Void
    ) {
      onRequestCancel(
        on: .here(callback.isolation), Isolation.unchecked(callback))
    }

    /// Whether cancelling the promise was requested, or it is cancelled; `false` once it is fulfilled or rejected.
    ///
    /// For work that polls.
    public var hasRequestedCancel: Bool { producer.hasRequestedCancel }
  }
}

extension Promise.Resolver {
  /// Passes a request to cancel on to promises that this one waits for.
  func onRequestCancel(ask steps: WaitingSteps) { addCancelHandler(.ask(steps)) }

  /// Tells an operator of a request to cancel, right there.
  func onRequestCancel(_ body: @escaping @Sendable () -> Void) { addCancelHandler(.run { _ in body() }) }

  private func addCancelHandler(_ action: CancelHandler.Action) {
    _ = producer.withCore { $0.addCancelHandler(CancelHandler(action)) }
  }
}

extension Promise.Resolver where Failure: Error {
  /// Fulfils or rejects the promise.
  ///
  /// - Parameter result: A success fulfils, a failure rejects.
  @inlinable
  public func resolve(with result: Result<Value, Failure>) { resolve(with: PromiseResult(result)) }
}

extension Promise.Resolver where Value == Void {
  /// Fulfils the promise.
  @inlinable
  public func fulfill() { fulfill(with: ()) }
}
