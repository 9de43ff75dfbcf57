/// Adopting: a promise resolves to the result of another one, without a hand-over and without a stack frame.
extension CoreRef {
  /// Resolves to the result of another promise. The caller has the claim, and gives it up with the pending count.
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

  /// Waits in the list of a core whose result is to be adopted. `self` is adopting; the caller has the handle of
  /// `inner`.
  private func wait(for inner: CoreRef, in pass: Pass?) {
    // Once pushed, `self` may be finished by another thread at any time.
    let kept = Owned(self)
    inner.updateVotes { ($0.addingAdopter(), ()) }
    let isAsked = !attach(Owned(inner))
    if inner.push(self) != .registered { return finishAdopting(inner, in: pass) }
    if isAsked, withdraw(from: inner) { inner.requestCancel() }
    kept.core.breakCycle(through: inner)
  }

  /// Takes over the result of the adopted core, which has resolved.
  @inline(never)
  func finishAdopting(_ inner: CoreRef, in pass: Pass?) {
    detach(inner)
    // Refused when a cycle was broken here meanwhile, or a step was resolved from elsewhere (I3).
    guard takeAdopted() else { return endListed() }
    settle(copyResult(of: inner), in: pass)
  }

  // MARK: Cycles

  /// Cancels `self` if what it adopts waits, directly or not, for `self`.
  ///
  /// Called after the link was made: of several threads that close one cycle together, one sees all of it (`Rank`).
  func breakCycle(through inner: CoreRef) {
    // E7: together with the push of this link.
    if stateInTotalOrder.isResolved || ensureOrder(before: inner) { return }
    Diagnostics.report(.resolvedWithItself(origin: origin))
    if takeAdopted() { endFromSide(.cancelled) }
  }

  // MARK: Tail calls

  // A recursion through `flatMap` adopts a promise that adopts a promise, and so on. Each time the last promise of such
  // a chain finds one to adopt, the unobservable links are removed from the bottom up; so the recursion runs in bounded
  // memory. The votes stay as they would have been.

  /// The core that adopts in place of `self`: the first one above it that can be observed, in a chain where each
  /// adopter is the only waiter of the next. The cores in between end here.
  ///
  /// The caller has the claim of `self`, and gets the claim of the returned core; `nil` if that was resolved from
  /// elsewhere meanwhile.
  private func handOverToAdopters() -> CoreRef? {
    var end = self
    while let waiter = end.takeSoleAdopter() {
      // This core has no waiter, and can get none. Ends it: one count is the pending count, and the other one was the
      // waiter's.
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

  /// Takes out the only waiter of `self`, if it adopts and nothing else can ever see `self`. The caller has the claim
  /// of `self`; it gets the list's count on the waiter, and the waiter's count on `self`.
  private func takeSoleAdopter() -> CoreRef? {
    let votes = votesNow
    // After a request this is refused: the request must reach what `self` adopts.
    guard votes.isSealed, !votes.isExposed, !traits.contains(.hasHandlers), !hasBeenAskedToCancel else { return nil }
    return takeOutSoleAdopter()
  }
}
