extension Promise {
  /// Resolves a promise, at most once, from any thread.
  ///
  /// The first call that resolves wins, and later ones do nothing. When the last copy of a resolver is released without
  /// any, the promise is cancelled.
  public struct Resolver: Sendable {
    @usableFromInline let producer: Producer

    @inlinable
    init(_ producer: Producer) { self.producer = producer }

    /// Fulfils the promise.
    @inlinable
    public func fulfill(with value: Value) {
      guard let core = producer.claim(for: .value) else { return }
      core.write(value)
      core.publish(.value)
    }

    /// Rejects the promise.
    @inlinable
    public func reject(with error: Failure) {
      guard let core = producer.claim(for: .error) else { return }
      core.write(error)
      core.publish(.error)
    }

    /// Cancels the promise.
    public func cancel() { producer.cancel() }

    /// Resolves the promise.
    @inlinable
    public func resolve(with result: PromiseResult<Value, Failure>) {
      switch result {
      case .value(let value): fulfill(with: value)
      case .error(let error): reject(with: error)
      case .cancelled: cancel()
      }
    }

    /// Resolves the promise to the result of another one.
    ///
    /// From now on other calls of this resolver do nothing. A request to cancel this promise counts as one child's
    /// request on the other one. A promise that is resolved with itself, directly or round a cycle, is cancelled, and
    /// the diagnostics say so.
    public func resolve(with promise: Promise) { producer.adopt(promise.handle) }

    /// Registers what to do when cancelling the promise is requested.
    ///
    /// Handlers run in the order in which they were registered, also if one of them cancels the promise. If the request
    /// has been made before and the promise is unresolved, or if the promise is cancelled already, the handler runs at
    /// once. It does not run once the promise is fulfilled or rejected; when it runs on the serial queue that also
    /// resolves the promise, that is exact.
    ///
    /// A handler is a way to resolve the promise: when all copies of the resolver are gone, the promise stays
    /// unresolved as long as it can be asked to cancel, that is, while it is held or observed.
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
      // The handler does not keep the resolver: it is given one when it runs, if the promise is still unresolved.
      let handler = CancelCallback(on: context) { callback(Resolver($0)) }
      let isCancelled = producer.withCore { core in
        let isTaken = core.addCancelHandler(.answer { handler.run(with: $0, isRegistering: $1) }, from: producer)
        return !isTaken && core.outcome == .cancelled
      }
      if isCancelled ?? producer.hasCancelled { handler.run(with: producer, isRegistering: true) }
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
      onRequestCancel(on: .here(callback.isolation), Isolation.unchecked(callback))
    }

    /// Whether cancelling the promise was requested, or it is cancelled; `false` once a resolver has fulfilled or
    /// rejected it.
    ///
    /// For work that polls.
    public var hasRequestedCancel: Bool { producer.hasRequestedCancel }
  }
}

extension Promise.Resolver {
  /// Makes the promise wait for others: a request to cancel is passed on to them, and a cycle through them is found,
  /// also after a request. The promise is not shared yet.
  func wait(through steps: WaitingSteps) { _ = producer.withCore { $0.gather(steps) } }

  /// Cancels the promise if one of the steps that it waits through, a new one, waits for the promise itself.
  func breakCycle(through step: PromiseHandle) {
    if producer.withCore({ $0.state.isResolved || $0.ensureOrder(before: step.core) }) ?? true { return }
    Diagnostics.report(.resolvedWithItself(origin: producer.withCore { $0.origin } ?? nil))
    cancel()
  }

  /// Runs an operator's handler inside the call that makes the request.
  @usableFromInline
  func onRequest(_ action: @escaping @Sendable (CoreRef) -> Void) { addCancelHandler(.run(action)) }

  /// Registers an operator's handler for the request, which runs inside the call. It does not count as a way to resolve
  /// the promise, which is cancelled when the last copy of the resolver is gone.
  package func onRequestCancelWhileKept(_ body: @escaping @Sendable (Self) -> Void) {
    addCancelHandler(
      .run { [weak producer] core in
        guard let producer = producer ?? ResolverObject.late(core), producer.isUnresolved else { return }
        body(Self(producer))
      })
  }

  /// Rejects the promise when cancelling is requested. A way to resolve the promise, as the handlers of
  /// `onRequestCancel`.
  @usableFromInline
  package func rejectOnRequestCancel(with error: Failure) {
    _ = producer.withCore {
      $0.addCancelHandler(.answer { asked, _ in Self(asked).reject(with: error) }, from: producer)
    }
  }

  private func addCancelHandler(_ handler: CancelHandler) {
    _ = producer.withCore { $0.addCancelHandler(handler) }
  }
}

extension Promise.Resolver where Failure: Error {
  /// Fulfils the promise with a success, or rejects it with a failure.
  @inlinable
  public func resolve(with result: Result<Value, Failure>) { resolve(with: PromiseResult(result)) }
}

extension Promise.Resolver where Value == Void {
  /// Fulfils the promise.
  @inlinable
  public func fulfill() { fulfill(with: ()) }
}
