extension Claim {
  /// Settles a step with the result of its callback, or with the result of its source.
  @inline(__always)
  consuming func settle(isToRun: Bool, from source: CoreRef, in pass: Pass?) {
    let verdict = core.perform(takeCallback(isToRun: isToRun), source)
    // Only a step that has not run needs its place.
    if isToRun { core.takePlace().relinquish() }
    settle(verdict, in: pass)
  }

  /// Publishes the result in the payload, or starts to adopt.
  consuming func settle(_ verdict: consuming OperationResult, in pass: Pass?) {
    switch consume verdict {
    case .value: publish(.value, in: pass)
    case .error: publish(.error, in: pass)
    case .cancelled: publish(.cancelled, in: pass)
    case .promise:
      // Unsafe: the verdict says that the payload contains a promise.
      let promise = unsafe core.take(PromiseHandle.self)
      adopt(promise, in: pass)
    case .answer: OperationResult.failAsAnswer()
    }
  }
}

/// Adoption: a promise resolves to the result of another one. Adoption needs no hand-over and no stack frame.
extension Claim {
  consuming func adopt(_ handle: PromiseHandle, in pass: Pass?) {
    let inner = handle.core
    if inner.traits.isFollowed, inner.isFollowedWhenAdopted { core.follow(adopted: inner) }
    if inner.state.isClosed { return settleLike(inner, in: pass) }
    // `handle` keeps `inner` observable, so `inner` hands nothing over.
    guard let end = handOverToAdopters() else { return }
    if end.core == inner {
      inner.report(.resolvedWithItself)
      CoreNote.follower(of: inner)?.noteClaimed(for: .cancelled)
      return end.publish(.cancelled, in: pass)
    }
    end.lend().wait(for: inner, in: pass)
    withExtendedLifetime(handle) {}
  }

  /// Settles with a copy of the result of `source`, a resolved core with the same types.
  fileprivate consuming func settleLike(_ source: CoreRef, in pass: Pass?) {
    let verdict = core.perform(.adopt, source)
    settle(verdict, in: pass)
  }

  // MARK: Tail calls

  // In a recursion through `flatMap`, a promise adopts a promise that adopts a promise, and so on. When the last one of
  // these promises gets a promise to adopt, the engine removes those that can no longer be observed, the last one
  // first. So the recursion runs in bounded memory. The removal does not change the votes on the promises that remain.

  /// Returns the claim of the core that adopts in place of this claim's core. The search starts at this core, and goes
  /// from each core to its sole adopter until a core can be observed. This function ends all cores before that one.
  ///
  /// Returns `nil` if an adopter on the way was resolved from elsewhere meanwhile.
  private consuming func handOverToAdopters() -> Claim? {
    var end = self
    while let waiter = end.takeSoleAdopter() {
      // The core `last` has no waiter any more and can get none, so it ends. It has two counts: the pending count, and
      // the count that its former waiter had on it.
      // Unsafe: the second of these counts.
      let last = unsafe Owned(taking: end.core)
      end.publish(.cancelled)
      _ = consume last
      guard let next = waiter.takeAdopted() else { return nil }
      end = next
    }
    return end
  }

  /// Takes out the only waiter of the core, if that waiter adopts and no other code can ever see the core. The waiter's
  /// vote, and the waiter's count on the core, pass to the caller, too.
  private func takeSoleAdopter() -> Waiter? {
    let votes = core.votesNow
    // After a request to cancel, the adopter stays, because the request must reach the core that this core is about to
    // adopt.
    guard votes.isSealed, !votes.isExposed, !core.traits.contains(.hasHandlers), !core.hasBeenAskedToCancel else {
      return nil
    }
    // The core is sealed, so no thread can push. A sweep never takes out the newest waiter, so this waiter exists.
    let word = core.state
    guard word.phase == .claimed, let waiter = word.newestWaiter else { return nil }
    guard waiter.state.phase == .adopting, waiter.next == nil, let count = waiter.detach(core) else { return nil }
    _ = count.leak()
    var current = word
    var isDone = false
    while !isDone, let emptied = current.removing(waiter.address) { isDone = core.replaceState(&current, by: emptied) }
    precondition(isDone, "the list of a sealed and claimed core has changed")
    // E7: a thread that reads the list holds the lock now, or will find the list empty (`Core+Leaving`).
    if core.linkInTotalOrder.hasSideTable { core.withSideTable { _ in } }
    // Unsafe: the change of the word has taken the waiter out of the list.
    return unsafe Waiter(of: waiter)
  }
}

extension Waiter {
  /// Waits in the list of `inner`, whose result this core adopts. A handle keeps `inner` during the call.
  fileprivate consuming func wait(for inner: CoreRef, in pass: Pass?) {
    // Once the core is pushed, another thread may finish the adoption at any time.
    let kept = Owned(core)
    inner.updateVotes { ($0.adding(), ()) }
    let isAsked = !core.attach(Owned(inner))
    if inner.push(core) != .registered { return finishAdopting(inner, in: pass) }
    _ = leave()
    if isAsked, kept.core.withdraw(from: inner) { inner.requestCancel() }
    guard kept.core.looksForCycles else { return }
    kept.core.breakCycle(through: inner)
    // The link was made before, so of two threads that close a cycle together, the later one finds it.
    if inner.traits.contains(.checked) { CoreNote.follower(of: inner)?.noteAdopter(kept.core) }
  }

  /// Takes over the result of the adopted core, which has resolved.
  @inline(never)
  consuming func finishAdopting(_ inner: CoreRef, in pass: Pass?) {
    core.detach(inner)
    // The claim is refused if this core was cancelled meanwhile to break a cycle, or was resolved from elsewhere (I3).
    if let claim = takeAdopted() { claim.settleLike(inner, in: pass) }
  }
}

extension CoreRef {
  /// Cancels `self` if the core that it adopts waits for `self`. The link to that core must have been made before.
  func breakCycle(through inner: CoreRef) {
    guard closesCycle(through: inner), let claim = takeAdoptedFromSide() else { return }
    CoreNote.follower(of: self)?.noteClaimed(for: .cancelled)
    claim.publish(.cancelled)
  }
}
