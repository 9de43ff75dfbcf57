/// Adopting: a promise resolves to whatever another one resolves to, without a hop and without a stack frame.
extension CoreRef {
  /// Resolves to the result of another promise. The caller has the claim, and gives up the pending count with it.
  func adopt(_ handle: PromiseHandle, in pass: Pass?) {
    let inner = handle.core
    if inner.traits.contains(.checked) { CoreNote.find(inner)?.noteAdopted(by: self) }
    if inner == self {
      Diagnostics.report(.resolvedWithItself(origin: origin))
      return publish(.cancelled, in: pass)
    }
    if inner.state.isClosed { return settle(copyResult(of: inner), in: pass) }
    guard let end = handOverToAdopters() else { return }
    end.handClaimToAdopted()
    end.wait(for: inner, in: pass)
  }

  /// Waits in the list of a core whose result is to be adopted. `self` is adopting; the caller has the handle of `inner`.
  private func wait(for inner: CoreRef, in pass: Pass?) {
    // Once pushed, `self` may be finished by another thread at any time.
    let kept = Owned(self)
    inner.updateVotes { ($0.addingAdopter(), ()) }
    let isAsked = !attach(Owned(inner))
    if inner.push(self) != .registered { return finishAdopting(inner, in: pass) }
    if isAsked, withdraw(from: inner) { inner.requestCancel() }
    kept.core.breakCycle(through: inner)
  }

  /// The adopted core has resolved: takes over its result.
  @inline(never)
  func finishAdopting(_ inner: CoreRef, in pass: Pass?) {
    detach(inner)
    // Refused when a cycle has been broken here meanwhile, or a step has been preempted (I3).
    guard takeAdopted() else { return endListed() }
    settle(copyResult(of: inner), in: pass)
  }

  // MARK: Cycles

  /// Cancels `self` if what it adopts waits, directly or not, for `self`.
  ///
  /// Called after the link has been made: of several threads that close one cycle together, one sees it whole (`Rank`).
  func breakCycle(through inner: CoreRef) {
    // E7: together with the push of this link.
    if stateInTotalOrder.isResolved || ensureOrder(before: inner) { return }
    Diagnostics.report(.resolvedWithItself(origin: origin))
    if takeAdopted() { endFromSide(.cancelled) }
  }

  // MARK: Tail calls

  // A recursion through `flatMap` adopts a promise that adopts a promise, and so on. Links that nobody can observe are
  // taken out, from the bottom up, each time the last promise of such a chain finds one to adopt; so the loop runs in
  // bounded memory. The votes stay as they would have been.

  /// The one that is to adopt in place of `self`: the first one above it, in a chain of adopters each of which is the
  /// only one to see the next, that somebody else can see too. Those in between end here.
  ///
  /// The caller has the claim of `self`, and gets the claim of what is returned; `nil` if that has been resolved from
  /// the side meanwhile.
  private func handOverToAdopters() -> CoreRef? {
    var end = self
    while let waiter = end.takeSoleAdopter() {
      // Nobody waits for it and nobody can: ended, unseen. One count is pending, this one was the waiter's.
      let last = Owned(adopting: end)
      last.core.publish(.cancelled, in: nil)
      end = waiter
      guard end.takeAdopted() else {
        end.endListed()
        return nil
      }
    }
    return end
  }

  /// Takes out the only one who waits for `self`, if it waits to adopt and nobody else can ever see `self`. The caller
  /// has the claim of `self`; the list's count on the waiter goes to it, and so does the waiter's on `self`.
  private func takeSoleAdopter() -> CoreRef? {
    let votes = votesNow
    // Asked, a request would be lost: it goes to what `self` adopts.
    guard votes.isSealed, !votes.isExposed, !traits.contains(.hasHandlers), !hasBeenAskedToCancel else { return nil }
    return takeOutSoleAdopter()
  }
}
