internal import OvermorrowDiagnostics
public import OvermorrowEngine

extension Promise {
  /// Resolves a promise, at most once, from any thread.
  ///
  /// Only the first call that resolves the promise has an effect. If no such call is made before the last copy of the
  /// resolver is released, the promise is cancelled.
  public struct Resolver: Sendable {
    @usableFromInline let object: ResolverClaim

    @inlinable
    init(_ object: ResolverClaim) { self.object = object }

    /// Fulfils the promise.
    @inlinable
    public func fulfill(with value: Value) {
      guard let claim = object.claim(for: .value) else { return }
      claim.fulfill(with: value)
    }

    /// Rejects the promise.
    @inlinable
    public func reject(with error: Failure) {
      guard let claim = object.claim(for: .error) else { return }
      claim.reject(with: error)
    }

    /// Cancels the promise.
    public func cancel() { object.cancel() }

    /// Resolves the promise.
    @inlinable
    public func resolve(with result: PromiseResult<Value, Failure>) {
      switch result {
      case .value(let value): fulfill(with: value)
      case .error(let error): reject(with: error)
      case .cancelled: cancel()
      }
    }

    /// Resolves the promise with the result of another promise.
    ///
    /// After this call, other calls of this resolver have no effect. A request to cancel this promise withdraws one
    /// vote on the other promise. A promise that is resolved with itself is cancelled, and the diagnostics report the
    /// mistake. In debug builds, so is a promise that waits for itself through other promises. In release builds, such
    /// a promise stays unresolved.
    public func resolve(with promise: Promise) { object.adopt(promise.handle) }

    /// Registers a handler that runs when the promise is asked to cancel.
    ///
    /// Handlers run in the order of registration, even if a handler cancels the promise. The handler runs at once if
    /// the promise is unresolved and has already been asked to cancel, or if the promise is already cancelled. If the
    /// handler and the code that resolves the promise run on the same serial queue, the handler does not run after the
    /// promise has been fulfilled or rejected. If they do not run on the same serial queue, the handler may still run
    /// while the promise is being resolved.
    ///
    /// A registered handler does not keep the promise unresolved. If all copies of the resolver are released without
    /// resolving the promise, the promise is cancelled, and the handler is released without running. To keep the
    /// promise unresolved until a request to cancel arrives, let the handler capture the resolver. The captured copy is
    /// released when the handler has run.
    ///
    /// - Parameters:
    ///   - context: The context on which the handler runs.
    ///   - callback: The handler. It receives this resolver, and usually stops the work and then calls ``cancel()``.
    @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
    public func onRequestCancel(on context: PromiseContext, _ callback: @escaping @Sendable (Resolver) -> Void) {
      onRequestCancel(on: context, keepingResolver: false, callback)
    }

    /// Registers a handler that runs when the promise is asked to cancel, on the actor that the handler is isolated to.
    ///
    /// Otherwise, this behaves like ``onRequestCancel(on:_:)``.
    ///
    /// - Runs on: the actor that `callback` is isolated to, or `.auto` if it is isolated to none.
    /// - Parameter callback: The handler. It receives this resolver, and usually stops the work and then calls
    ///   ``cancel()``.
    public func onRequestCancel(
      @_inheritActorContext(always) _ callback: @escaping @Sendable @isolated(any) (Resolver) -> Void
    ) {
      onRequestCancel(on: .isolated(to: callback.isolation), Isolation.unchecked(callback))
    }

    /// Whether the promise has been asked to cancel or is cancelled. `false` once the promise is fulfilled or rejected.
    ///
    /// Use this property in work that polls for cancellation.
    public var hasRequestedCancel: Bool { object.hasRequestedCancel }
  }
}

extension Promise.Resolver {
  /// Registers a user's handler.
  ///
  /// - Parameter isKept: Whether the promise keeps a copy of the resolver until it is asked to cancel, or until its
  ///   last handle ends.
  func onRequestCancel(
    on context: PromiseContext, keepingResolver isKept: Bool, _ callback: @escaping @Sendable (Self) -> Void
  ) {
    // The stored handler does not retain the resolver. A resolver is made for the handler when the handler runs.
    let handler = CancelHandler(on: context) { callback(Self($0)) }
    let run: CancelHandlers.Handler = { object in
      if let object { handler.run(with: object) }
    }
    let isAdded = object.withCore { $0.addCancelHandler(run, from: object, keepingResolver: isKept) } ?? false
    if !isAdded, hasRequestedCancel { handler.run(with: object, isRegistering: true) }
  }

  /// Makes the promise wait for its inputs through `steps`. The promise then forwards requests to cancel to the steps.
  /// In a watched program, a cycle of promises that contains one of the steps is found, even after a request to cancel.
  /// The promise must not be shared yet.
  func wait(through steps: WaitingSteps) { _ = object.withCore { $0.gather(steps) } }

  /// Cancels the promise if it is watched and waits for itself through `step`. The promise has begun to wait for `step`
  /// before this call.
  func breakCycle(through step: PromiseHandle) {
    if object.withCore({ $0.looksForCycles && $0.closesCycle(through: step.core) }) == true { cancel() }
  }

  /// Records in the note of the promise that the current task resolves the promise.
  @usableFromInline
  package func noteTask() {
    _ = object.withCore { PromiseNote.find($0)?.noteTask() }
  }

  /// Registers a handler of an operator. The handler runs inside the call that asks the promise to cancel. This costs
  /// less than ``onRequestCancel(on:_:)``.
  ///
  /// - Parameter isAnswer: Whether the handler uses the resolver object, which it receives only if the resolver object
  ///   still exists.
  @usableFromInline
  package func onRequest(isAnswer: Bool = false, _ handler: @escaping @Sendable (ResolverClaim?) -> Void) {
    if !add(handler, isAnswer: isAnswer), hasRequestedCancel { handler(object) }
  }

  /// Registers a handler that rejects the promise when the promise is asked to cancel.
  @usableFromInline
  package func rejectOnRequestCancel(with error: Failure) {
    onRequest(isAnswer: true) { object in
      if let object { Self(object).reject(with: error) }
    }
  }

  /// Registers a handler. Returns `false` if the handler is not registered, because the promise was already asked to
  /// cancel or has resolved.
  private func add(_ handler: @escaping CancelHandlers.Handler, isAnswer: Bool = true) -> Bool {
    object.withCore { $0.addCancelHandler(handler, from: isAnswer ? object : nil) } ?? false
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
