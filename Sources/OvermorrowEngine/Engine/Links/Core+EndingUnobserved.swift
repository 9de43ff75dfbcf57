/// Ends cores that can no longer be observed, so that a pending promise does not keep them.
///
/// A promise that was asked to cancel stays pending, because its source may still resolve. If the promise has no
/// handle, no waiter and no callback to run, it is unobservable. Passive waiters and callbacks do not count. Then the
/// promise is cancelled, and leaves the list of its source (`Core+Leaving.swift`). A promise whose callback is
/// suppressed ends in the same way, even without a request. An adopter can also be observed through its resolver, so
/// the adopter ends only when no count on it remains besides those of the list and of passive waiters. Two threads that
/// release their counts at the same time may each find the count of the other. Then the adopter stays until the adopted
/// promise resolves.
///
/// The end of a core may make the core that it waited for unobservable, and so on. A loop checks these cores one after
/// another, without recursion.
extension CoreRef {
  /// Ends this core if it can no longer be observed. During another such check on this thread, defers the check until
  /// the other one ends. One count, or the handle, keeps the core during this call.
  ///
  /// - Parameter isChain: Whether also to end the earlier steps that only this core needs. This is `true` if the owner
  ///   of a chain was released.
  @inline(__always)
  func endIfUnobserved(isChain: Bool = false) {
    // E7: if one thread makes the request and another thread releases the handle, one of them sees both changes.
    let votes = votesInTotalOrder
    if votes.isSealed, linkInTotalOrder.isAsked || votes.isSuppressed, !state.isResolved {
      endUnobservedInLoop(isChain: isChain)
    }
  }

  @inline(never)
  private func endUnobservedInLoop(isChain: Bool) {
    let thread = ThreadLocal.current
    guard thread.fields.unobservedEndings.enter(orDefer: (Owned(self).leak(), isChain)) else { return }
    tryEndUnobserved(isChain: isChain)
    // The calls that have deferred these checks have returned, and have released their counts.
    while let (core, isChain) = thread.fields.unobservedEndings.leave() {
      // Unsafe: the deferred check has a count.
      unsafe Owned(taking: core).use { $0.tryEndUnobserved(isChain: isChain) }
    }
  }

  /// Ends this core if it can no longer be observed. One count keeps the core during this call.
  private func tryEndUnobserved(isChain: Bool) {
    switch state.phase {
    case .pending:
      guard isChain || votesNow.isSuppressed || hasNoUserCallback, !hasInterceptor, hasNoLiveWaiter,
        let claim = claimFromSide()
      else { return }
      // Without a request to cancel, the vote stays and can no longer be withdrawn.
      claim.cancelStep(.stays, isChain: isChain && hasBeenAskedToCancel)
    case .adopting:
      guard hasBeenAskedToCancel, let passive = passiveWaiterCount, hasNoOtherCount(than: passive),
        let claim = takeAdoptedFromSide()
      else { return }
      CoreNote.follower(of: self)?.noteClaimed(for: .cancelled)
      claim.publish(.cancelled)
    case .claimed:
      guard hasBeenAskedToCancel else { return }
      guard let steps = inputs, steps.mayEndUnobserved, hasNoLiveWaiter else { return }
      steps.dropWaiting()
    default: break
    }
  }

  // MARK: From elsewhere

  /// If this core is a step that waits for its source, cancels the step without running it, and withdraws its vote.
  /// Otherwise, asks the core to cancel.
  ///
  /// - Parameter isChain: Whether also to end the earlier steps that only this step needs.
  package func cancelWaiting(isChain: Bool = false) {
    if state.isPending, let claim = claimFromSide() {
      claim.cancelStep(.isWithdrawn, isChain: isChain)
    } else {
      requestCancel()
    }
  }

  /// If this step waits for its source, ends the step without running it, and drops its callback and its vote. If the
  /// step runs or was resolved, does nothing.
  func dropWaiting() {
    if state.isPending, let claim = claimFromSide() { claim.cancelStep(.isForgotten) }
  }

  /// Rejects a step that waits for its source, and withdraws its vote. If `error` is `nil`, cancels the step instead.
  /// If the step runs or was resolved, does nothing. The callback of the step has no size, so the error can be written
  /// into the payload.
  package func rejectBeforeSource<Failure: Sendable>(with error: Failure?) {
    guard let claim = claimFromSide() else { return }
    // Unsafe: the claim includes the payload, in which a callback without a size may be overwritten.
    if let error { unsafe write(error) }
    let outcome = error == nil ? Outcome.cancelled : .error
    if outcome == .error { noteRejected() }
    CoreNote.follower(of: self)?.noteClaimed(for: outcome)
    claim.publish(outcome, .isWithdrawn)
  }

  /// Whether this is a step without a user's callback.
  private var hasNoUserCallback: Bool {
    traits.isDisjoint(with: .onAnything) || traits.has(.handlesNoError) || traits.has(.passive)
  }

  /// Whether the step may have handlers, or an interceptor of a request that has not ended. The interceptor may add an
  /// observer, although there is no handle.
  private var hasInterceptor: Bool {
    guard traits.has(.hasHandlers) else { return false }
    return withSideTable { !$0.handlers.isEmpty || $0.interceptor != nil }
  }

  /// Whether only the list, the caller and the waiters have a count.
  private func hasNoOtherCount(than waiters: Int) -> Bool {
    // Acquiring: all uses by threads that have released a count come before this load.
    fields.count.load(ordering: .acquiring) == 2 + waiters
  }
}

extension Claim {
  /// Cancels a step that waits for its source, without running it.
  ///
  /// - Parameter isChain: Whether also to end the earlier steps that were asked to cancel and are no longer observed.
  fileprivate consuming func cancelStep(_ vote: VoteAtEnd, isChain: Bool = false) {
    let upstream = isChain ? core.upstream() : OwnedCores()
    _ = core.perform(takeCallback(isToRun: false), nil)
    publish(.cancelled, vote)
    for core in upstream.all { core.endIfUnobserved(isChain: true) }
  }
}
