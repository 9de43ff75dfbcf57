/// Ends cores that can no longer be observed, so that a pending promise does not keep them.
///
/// A promise that was asked to cancel stays pending, because what it waits for may still resolve. But the promise is
/// unobservable if it has no handle, no waiter and no callback to run. Then it is cancelled, and leaves the list of
/// what it waits for (`Core+Leaving.swift`). A promise whose callback is suppressed ends in the same way, asked or not.
/// An adopter can also be observed through its resolver, so it ends only when the list has the only count on it. Two
/// threads that release their counts at the same time may each find the count of the other. Then the adopter stays
/// until the adopted promise resolves.
///
/// The end of a core may make the core that it waited for unobservable, and so on up the chain. This is a loop, with
/// one round for each core that ends and one for what it waited for.
extension CoreRef {
  /// Ends this core if it can no longer be observed: now, or after the check that encloses this call. The caller has
  /// one count, or the handle.
  ///
  /// - Parameter isChain: Whether to end also the earlier steps that only this core needs, because the owner of a chain
  ///   was released.
  @inline(__always)
  func endIfUnobserved(isChain: Bool = false) {
    // E7: if one thread makes the request and another thread releases the handle, one of them sees both changes.
    let votes = votesInTotalOrder
    if votes.isSealed, linkInTotalOrder.isAsked || votes.isSuppressed, !state.isResolved {
      endUnobservedNow(isChain: isChain)
    }
  }

  @inline(never)
  private func endUnobservedNow(isChain: Bool) {
    let thread = ThreadLocal.current
    guard thread.fields.unobservedEndings.enter(orDefer: (Owned(self).leak(), isChain)) else { return }
    endNow(isChain: isChain)
    // The calls that have deferred these checks have returned, and have released their counts.
    while let (core, isChain) = thread.fields.unobservedEndings.leave() {
      Owned(adopting: core).use { $0.endNow(isChain: isChain) }
    }
  }

  /// Releases the count of a producer whose resolvers are gone and whose claim is taken.
  func releaseFromProducer() {
    if state.phase == .adopting { endIfUnobserved() }
    release()
  }

  /// Ends this core if it can no longer be observed. The caller has one count.
  private func endNow(isChain: Bool) {
    switch state.phase {
    case .pending:
      // The interceptor of a request may add an observer, although there is no handle.
      guard isChain || votesNow.isSuppressed || hasNoUserCallback, !traits.has(.hasHandlers), hasNoLiveWaiter, claim()
      else { return }
      // Without a request to cancel, the vote stays and can no longer be withdrawn.
      endClaimed(.stays, isChain: isChain && hasBeenAskedToCancel)
    case .adopting:
      guard hasBeenAskedToCancel, hasNoLiveWaiter, hasTwoCounts, takeAdopted() else { return }
      endFromSide(.cancelled)
    case .claimed:
      guard hasBeenAskedToCancel else { return }
      guard let steps = inputs, steps.mayEndUnobserved, hasNoLiveWaiter else { return }
      steps.end()
    default: break
    }
  }

  // MARK: From elsewhere

  /// Cancels a step that waits for its source, without running it, and withdraws its vote. Asks any other core to
  /// cancel.
  ///
  /// - Parameter isChain: Whether to end also the earlier steps that only this step needs.
  func endWaiting(isChain: Bool = false) {
    if isWaiting, claim() { endClaimed(.isWithdrawn, isChain: isChain) } else { requestCancel() }
  }

  /// Ends a step that waits for its source, without running it, and drops its callback and its vote. Does nothing once
  /// the step runs or has run.
  func abandonWaiting() {
    if isWaiting, claim() { endClaimed(.isForgotten) }
  }

  /// Rejects a step that waits for its source, or cancels it if `error` is `nil`, and withdraws its vote. The callback
  /// of the step has no size, so the error can be written into the payload. Does nothing once the step runs or has run.
  func end<Failure: Sendable>(with error: Failure?) {
    guard claim() else { return }
    if let error { write(error) }
    endFromSide(error == nil ? .cancelled : .error, .isWithdrawn)
  }

  /// Whether this step has neither run nor been resolved.
  var isWaiting: Bool { state.isPending }

  /// Cancels a step that waits for its source, without running it. The caller has the claim.
  ///
  /// - Parameter isChain: Whether to end also the earlier steps that were asked to cancel and are no longer observed.
  private func endClaimed(_ vote: VoteAtEnd, isChain: Bool = false) {
    let upstream = isChain ? upstream() : OwnedCores()
    _ = perform(takeCallback(isToRun: false), nil)
    endFromSide(.cancelled, vote)
    for core in upstream.all { core.endIfUnobserved(isChain: true) }
  }

  /// Publishes the result of a core that waits for another core. The caller has the claim.
  ///
  /// The other core's list still contains this core, with the pending count. Because publishing releases a count, this
  /// adds one.
  func endFromSide(_ outcome: Outcome, _ vote: VoteAtEnd = .isForgotten) {
    retain()
    publish(outcome, in: nil, vote)
  }

  /// Whether this is a step without a user's callback.
  private var hasNoUserCallback: Bool { traits.isDisjoint(with: .onAnything) || traits.has(.passesOn) }

  /// Whether only the list and the caller have a count.
  private var hasTwoCounts: Bool {
    // Acquiring: all uses by threads that have released a count come before.
    fields.count.load(ordering: .acquiring) == 2
  }
}
