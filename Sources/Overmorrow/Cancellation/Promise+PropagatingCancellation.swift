internal import OvermorrowEngine

extension Promise {
  /// Returns a promise with the same result. The returned promise forwards the requests of its children even while it
  /// has a handle.
  ///
  /// Normally, a promise that has a handle does not forward the requests of its children, because more children may be
  /// added. The returned promise forwards a request as soon as all its children have asked to cancel. Use such a
  /// promise to share one piece of work: store the promise, give a ``makeChild()`` to each caller, and remove the
  /// stored promise in `cancelRequested`.
  ///
  /// ```swift
  /// let load = fetch(url).propagatingCancellation { [weak self] promise in
  ///   if self?.loads[url] == promise { self?.loads[url] = nil }
  /// }
  /// loads[url] = load
  /// return load.makeChild()
  /// ```
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `cancelRequested` runs.
  ///   - cancelRequested: A closure that is called with the new promise right before the request is forwarded. The
  ///     request is forwarded when all children of the new promise have asked to cancel, or when the new promise itself
  ///     has been asked to cancel.
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func propagatingCancellation(
    on context: PromiseContext, cancelRequested: @escaping @Sendable (_ promise: Promise) -> Void
  ) -> Promise {
    let promise = observe(FollowStep<Value, Failure, VoteWithHandlers>.self, on: .immediate, gate: nil, ())
    let holder = WeakHandle(promise.handle)
    // The callback is taken out when it is used, so that it is released on the context where it has run.
    let callback = TakeOnce(cancelRequested)
    promise.handle.core.interceptRequests { core, forward in
      // If the promise has no handle any more, the callback gets another promise with the same result.
      let promise = holder.handle.map { Promise($0) } ?? Promise(following: core)
      let work = callback.take().map { callback in OneShot { callback(promise) } }
      work?.run(on: context.later) { forward() }
    }
    return promise
  }

  /// Returns a promise with the same result. The returned promise forwards the requests of its children even while it
  /// has a handle. The callback runs on the actor that the callback is isolated to.
  ///
  /// Otherwise, this method behaves like ``propagatingCancellation(on:cancelRequested:)``.
  ///
  /// - Runs on: the actor that `cancelRequested` is isolated to, or `.auto` if it is isolated to none.
  /// - Parameter cancelRequested: A closure that is called with the new promise right before the request is forwarded.
  ///   The request is forwarded when all children of the new promise have asked to cancel, or when the new promise
  ///   itself has been asked to cancel.
  public func propagatingCancellation(
    @_inheritActorContext(always) cancelRequested: @escaping @Sendable @isolated(any) (_ promise: Promise) -> Void
  ) -> Promise {
    propagatingCancellation(
      on: .isolated(to: cancelRequested.isolation), cancelRequested: Isolation.unchecked(cancelRequested))
  }

  /// Returns a child, as ``makeChild()`` does. Returns `nil` if all existing children have asked to cancel, because the
  /// request is then already being forwarded. Must be called only on a promise that forwards requests while it has a
  /// handle. Any other promise receives the request of its children only when its last handle is released, so the
  /// request would not be forwarded yet.
  package func makeChildUnlessCancelling() -> Promise? {
    guard handle.core.holdVote() else { return nil }
    defer { handle.core.forgetVote() }
    return makeChild()
  }

  /// Returns a child that is cancelled inside the request to cancel it. Its vote on this promise is withdrawn.
  package func makeChildCancelledOnRequest() -> Promise {
    let child = observe(FollowStep<Value, Failure, VoteWithHandlers>.self, on: .immediate, gate: nil, ())
    let core = WeakCore(child.handle.core, isExposed: false)
    _ = child.handle.core.addCancelHandler({ _ in core.withCore { $0.cancelWaiting() } }, from: nil)
    return child
  }

  /// Creates a promise with the result of a core that has no handle any more.
  private init(following core: CoreRef) {
    self.init(StepOperations<FollowStep<Value, Failure, PassiveReader>>.makeStep(on: .immediate, ()))
    handle.core.register(on: core)
  }
}
