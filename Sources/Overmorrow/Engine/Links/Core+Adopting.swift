/// Adoption: a promise resolves to the result of another one. Adoption needs no hand-over and no stack frame.
extension CoreRef {
  /// Resolves to the result of another promise. The caller has the claim. It gives up the claim and the pending count.
  func adopt(_ handle: PromiseHandle, in pass: Pass?) {
    let inner = handle.core
    if inner.traits.contains(.checked) { CoreNote.find(inner)?.follower.noteAdopted(by: self) }
    if inner.state.isClosed { return settle(copyResult(of: inner), in: pass) }
    // The caller has the handle of `inner`, so `inner` hands nothing over.
    guard let end = handOverToAdopters() else { return }
    if end == inner {
      end.report(.resolvedWithItself)
      end.noteResult(.cancelled)
      return end.publish(.cancelled, in: pass)
    }
    end.handClaimToAdopted()
    end.wait(for: inner, in: pass)
  }

  /// Makes `self` wait in the list of `inner`, whose result it adopts. The phase of `self` is *adopting*. The caller
  /// has the handle of `inner`.
  private func wait(for inner: CoreRef, in pass: Pass?) {
    // Once `self` is pushed, another thread may finish the adoption at any time.
    let kept = Owned(self)
    inner.updateVotes { ($0.adding(), ()) }
    let isAsked = !attach(Owned(inner))
    if inner.push(self) != .registered { return finishAdopting(inner, in: pass) }
    if isAsked, withdraw(from: inner) { inner.requestCancel() }
    if kept.core.looksForCycles { kept.core.breakCycle(through: inner) }
  }

  /// Takes over the result of the adopted core, which has resolved.
  @inline(never)
  func finishAdopting(_ inner: CoreRef, in pass: Pass?) {
    detach(inner)
    // The claim is refused if this core was cancelled meanwhile to break a cycle, or was resolved from elsewhere (I3).
    guard takeAdopted() else { return endListed() }
    settle(copyResult(of: inner), in: pass)
  }

  /// Cancels `self` if the core that it adopts waits for `self`. The link to that core must have been made before.
  func breakCycle(through inner: CoreRef) {
    guard closesCycle(through: inner), takeAdopted() else { return }
    noteResult(.cancelled)
    endFromSide(.cancelled)
  }

  // MARK: Tail calls

  // In a recursion through `flatMap`, a promise adopts a promise that adopts a promise, and so on. When the last one of
  // these promises gets a promise to adopt, the engine removes those that can no longer be observed, the last one
  // first. So the recursion runs in bounded memory. The removal does not change the votes on the promises that remain.

  /// Returns the core that adopts in place of `self`. The search starts at `self`, and goes from each core to its sole
  /// adopter until a core can be observed. This function ends all cores before the returned one.
  ///
  /// The caller has the claim of `self`, and gets the claim of the returned core. Returns `nil` if an adopter on the
  /// way was resolved from elsewhere meanwhile.
  private func handOverToAdopters() -> CoreRef? {
    var end = self
    while let waiter = end.takeSoleAdopter() {
      // The core `last` has no waiter any more and can get none, so it ends. It has two counts: the pending count, and
      // the count that its former waiter had on it.
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

  /// Takes out the only waiter of `self`, if that waiter adopts and no other code can ever see `self`. The caller has
  /// the claim of `self`, and gets the list's count on the waiter and the waiter's count on `self`.
  private func takeSoleAdopter() -> CoreRef? {
    let votes = votesNow
    // After a request to cancel, the adopter stays, because the request must reach the core that `self` is about to
    // adopt.
    guard votes.isSealed, !votes.isExposed, !traits.contains(.hasHandlers), !hasBeenAskedToCancel else { return nil }
    return takeOutSoleAdopter()
  }
}
