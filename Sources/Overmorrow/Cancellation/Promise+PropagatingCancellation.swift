extension Promise {
  /// A new promise with the same result that may be held without keeping its children from cancelling.
  ///
  /// A promise that is still held is normally not cancelled by its children's requests, as more children may come. This
  /// one passes the request on as soon as all its children have asked. Use it to share one piece of work: keep the
  /// promise, hand a ``makeChild()`` to each caller, and forget it in the callback.
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
  ///   - context: Where `cancelRequested` runs.
  ///   - cancelRequested: Called with the new promise when all its children have asked to cancel, or a holder has,
  ///     right before the request is passed on.
  @_disfavoredOverload  // as for `catch`
  public func propagatingCancellation(
    on context: PromiseContext, cancelRequested: @escaping @Sendable (_ promise: Promise) -> Void
  ) -> Promise {
    propagatingCancellation(calling: cancelRequested, on: context)
  }

  /// As `propagatingCancellation(on:cancelRequested:)`, by a name that a drop-in module can call from its own.
  package func propagatingCancellation(
    calling cancelRequested: @escaping @Sendable (_ promise: Promise) -> Void, on context: PromiseContext
  ) -> Promise {
    let promise = observe(FollowStep<Value, Failure, HandlerPart>.self, on: .immediate, gate: nil, ())
    let holder = WeakHandle(promise.handle)
    // Taken out when it is used, so that it is released where it ran.
    let callback = TakeOnce(cancelRequested)
    promise.handle.core.interceptRequests { core, passOn in
      // If the promise is no longer held, the callback gets one with the same result.
      let promise = holder.handle.map { Promise($0) } ?? Promise(following: core)
      let work = callback.take().map { callback in OneShot { callback(promise) } }
      work?.run(on: context.later) { passOn() }
    }
    return promise
  }

  /// A new promise with the same result that may be held without keeping its children from cancelling, with a handler
  /// that runs where its closure belongs.
  ///
  /// Behaves as ``propagatingCancellation(on:cancelRequested:)`` otherwise.
  ///
  /// - Runs on: the actor that `cancelRequested` belongs to, or `.auto` if it belongs to none.
  /// - Parameter cancelRequested: Called with the new promise when all its children have asked to cancel, or a holder
  ///   has, right before the request is passed on.
  public func propagatingCancellation(
    @_inheritActorContext(always) cancelRequested: @escaping @Sendable @isolated(any) (_ promise: Promise) -> Void
  ) -> Promise {
    propagatingCancellation(
      on: .here(cancelRequested.isolation), cancelRequested: Isolation.unchecked(cancelRequested))
  }

  /// A child as by ``makeChild()``, or `nil` if all children so far have asked to cancel, so that the request is on its
  /// way. Only for a promise made by `propagatingCancellation`: others get the request when their last handle is gone.
  func makeChildUnlessCancelling() -> Promise? {
    guard handle.core.holdVote() else { return nil }
    defer { handle.core.forgetVote() }
    return makeChild()
  }

  /// A promise with the result of a core that has no handle any more.
  private init(following core: CoreRef) {
    typealias Operations = StepOperations<FollowStep<Value, Failure, NoPart>>
    self.init(
      PromiseHandle.makeStep(words: Operations.words, traits: Operations.traits, on: .immediate) {
        Operations.perform($0, $1, $2)
      })
    handle.core.write(())
    handle.core.register(on: core)
  }
}
