/// Ending what nobody can see, so that a pending promise does not keep it.
///
/// A promise that has been asked to cancel goes on, as whatever it waits for may resolve all the same. But nobody can tell if it
/// has no handle, nobody waits for it, and it has no callback to run. Then it is cancelled, and leaves the list of what it waits
/// for (`Core+Leaving.swift`). So is one whose callback is suppressed, asked or not. An adopter can also be seen by its
/// resolver: it ends when nothing but the list has a count on it.
///
/// Its end may be what the one that it has waited for was still needed for, and so on up the chain: a loop, not a recursion,
/// of one round for each core that ends and one for what it has waited for.
extension CoreRef {
  /// Ends this core if nobody can see that, now or as soon as the look around this call is done. The caller has one count, or the handle.
  ///
  /// - Parameter isChain: Whether the callbacks of the steps that this is the last one to need are suppressed, too: the owner
  ///   of a chain has gone.
  @inline(__always)
  func endIfUnobserved(isChain: Bool = false) {
    let votes = votesNow
    if votes.isSealed, hasBeenAskedToCancel || votes.isSuppressed, !state.isResolved {
      endUnobservedNow(isChain: isChain)
    }
  }

  @inline(never)
  private func endUnobservedNow(isChain: Bool) {
    let thread = ThreadLocal.current
    guard thread.fields.unobservedEndings.enter(orDefer: (Owned(self).leak(), isChain)) else { return }
    endNow(isChain: isChain)
    // Whoever has put these off has returned, and given its count back.
    while let (core, isChain) = thread.fields.unobservedEndings.leave() {
      Owned(adopting: core).core.endNow(isChain: isChain)
    }
  }

  /// Gives back the count of a producer whose resolvers are gone, and whose claim is taken.
  func releaseFromProducer() {
    if state.phase == .adopting { endIfUnobserved() }
    release()
  }

  /// The caller has one count.
  private func endNow(isChain: Bool) {
    switch state.phase {
    case .pending:
      // Whoever intercepts a request may make another observer, though there is no handle.
      guard isChain || votesNow.isSuppressed || hasNoUserCallback, !traits.has(.hasHandlers), hasNoLiveWaiter, claim()
      else { return }
      // If nobody has asked, the vote stays, and nobody can take it back.
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

  // MARK: From the side

  /// Cancels a step that waits for its source, without running it, and withdraws its vote; asks anything else to cancel.
  ///
  /// - Parameter isChain: Whether the steps before it that nobody else can see do not run either.
  func endWaiting(isChain: Bool = false) {
    if isWaiting, claim() { endClaimed(.isWithdrawn, isChain: isChain) } else { requestCancel() }
  }

  /// Ends a step that waits for its source, without running it: its callback and its vote go. Does nothing once the
  /// step runs or has run.
  func abandonWaiting() {
    if isWaiting, claim() { endClaimed(.isForgotten) }
  }

  /// Rejects a step that waits for its source and has a callback of no size, or cancels it without an error; does nothing once it runs or
  /// has run. Its vote is withdrawn.
  func end<Failure: Sendable>(with error: Failure?) {
    guard claim() else { return }
    if let error { write(error) }
    endFromSide(error == nil ? .cancelled : .error, .isWithdrawn)
  }

  /// Whether this step has neither run nor been resolved.
  var isWaiting: Bool { state.isPending }

  /// Cancels a step that waits for its source, without running it. The caller has the claim.
  ///
  /// - Parameter isChain: Whether the steps before it end, too, which nobody else can see and which have been asked.
  private func endClaimed(_ vote: VoteAtEnd, isChain: Bool = false) {
    let upstream = isChain ? upstream() : OwnedCores()
    _ = perform(takeCallback(isToRun: false), nil)
    endFromSide(.cancelled, vote)
    for core in upstream.all { core.endIfUnobserved(isChain: true) }
  }

  /// Publishes the result of a core that waits for another one. The caller has the claim.
  ///
  /// The list of that one still has this core, with the pending count; publishing gives up another.
  func endFromSide(_ outcome: Outcome, _ vote: VoteAtEnd = .isForgotten) {
    retain()
    publish(outcome, in: nil, vote)
  }

  /// Whether this is a step that has no callback of a user's.
  private var hasNoUserCallback: Bool { traits.isDisjoint(with: .onAnything) || traits.has(.passesOn) }

  /// Whether nothing but the list and the caller has a count.
  private var hasTwoCounts: Bool {
    // Acquiring: whoever has given a count back has done all that it wanted.
    fields.count.load(ordering: .acquiring) == 2
  }
}
