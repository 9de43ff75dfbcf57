/// Adopting: a promise resolves to whatever another one resolves to, without a hop and without a stack frame.
extension CoreRef {
  /// Resolves to the result of another promise. The caller has the claim, and gives up the pending count with it.
  func adopt(_ handle: PromiseHandle, in pass: Pass?) {
    var handle = handle
    let inner = handle.core
    if inner == self {
      Diagnostics.report(.resolvedWithItself)
      return publish(.cancelled, in: pass)
    }
    if inner.state.isClosed { return settle(copyResult(of: inner), in: pass) }
    if let end = soleAdopterToHandOver() { return handOver(end, to: handle, in: pass) }

    handClaimToAdopted()
    if takePlace(of: &handle) { return }
    wait(for: inner, in: pass)
  }

  /// Waits in the list of a core whose result is to be adopted. `self` is adopting; the caller has the handle of `inner`.
  private func wait(for inner: CoreRef, in pass: Pass?) {
    // Kept to the end: once pushed, `self` may be finished by another thread at any time.
    retain()
    inner.retain()
    inner.updateVotes { ($0.adding(), ()) }
    let isAsked = !attachUpstream(inner)
    if inner.push(self) == .deliverYourself {
      finishAdopting(inner, in: pass)
    } else {
      if isAsked, withdraw(from: inner) { inner.requestCancel() }
      breakCycle(through: inner)
    }
    release()
  }

  /// Attaches the adopted core, to tell it of a request; `false` when the request has been made already. Either way the
  /// word owns the count now.
  private func attachUpstream(_ inner: CoreRef) -> Bool {
    while true {
      switch updateRequest({ $0.attaching(inner.address) }) {
      case .tellAtOnce: return false
      case .occupied:
        let handler = CancelHandler(.withdraw(inner))
        if case .linked = handler.offer(to: self) { return true }
      default: return true
      }
    }
  }

  /// The adopted core has resolved: takes over its result.
  func finishAdopting(_ inner: CoreRef, in pass: Pass?) {
    detach(from: inner)
    // Refused when a cycle has been broken here meanwhile, or a step has been preempted (I3).
    guard takeAdopted() else { return leave() }
    settle(copyResult(of: inner), in: pass)
  }

  // MARK: Cycles

  /// Cancels `self` if what it adopts waits, directly or not, for `self`.
  ///
  /// Called after the link has been made: of several threads that close one cycle together, the last one sees it whole.
  /// A cycle needs somebody who waits for `self` and something that `inner` waits for, which are quick to check.
  private func breakCycle(through inner: CoreRef) {
    // E7: together with the push of this link. Of two threads that close a cycle, one finds the other's link here.
    let word = stateInTotalOrder
    guard word.list != 0, !word.isResolved, leads(from: inner) else { return }
    Diagnostics.report(.resolvedWithItself)
    // The list of `inner` still has `self`, and owns the pending count; publishing needs one of its own.
    retain()
    guard takeAdopted() else { return release() }
    publish(.cancelled, in: nil)
  }

  /// Whether `start`, or something that it waits for, directly or not, waits for `self`.
  ///
  /// Each core is looked at once. What is looked at is counted, so that no other takes its address meanwhile.
  private func leads(from start: CoreRef) -> Bool {
    start.retain()
    var seen = [start]
    var addresses: Set<UInt> = [start.address]
    var isFound = start == self
    var next = 0
    while !isFound, next < seen.count {
      for core in seen[next].retainUpstream() {
        if core == self { isFound = true }
        if addresses.insert(core.address).inserted { seen.append(core) } else { core.release() }
      }
      next += 1
    }
    for core in seen { core.release() }
    return isFound
  }

  // MARK: Tail calls

  // A recursion through `flatMap` adopts a promise that adopts a promise, and so on. Links that nobody can observe
  // are taken out, so that the loop runs in bounded memory. Both forms leave the votes as they would have been.

  /// The only one who waits for `self`, if it waits to adopt and nobody else can ever see `self`.
  private func soleAdopterToHandOver() -> CoreRef? {
    let votes = votesNow
    guard votes.isSealed, !votes.isExposed, !traits.contains(.hasHandlers), let waiter = soleWaiter(),
      waiter.state.phase == .adopting
    else { return nil }
    // Sealed: nobody can push any more, so the waiter stays the only one.
    return waiter.updateRequest({ $0.detaching(address) }) != .nothing ? waiter : nil
  }

  /// Lets the waiter adopt `handle` in place of `self`, which ends here.
  private func handOver(_ waiter: CoreRef, to handle: PromiseHandle, in pass: Pass?) {
    let taken = replace(waiter, by: nil)
    precondition(taken, "the list of a sealed core has changed")
    publish(.cancelled, in: nil)
    // The count that the waiter had as our child.
    release()
    let inner = handle.core
    if inner.state.isClosed {
      guard waiter.takeAdopted() else { return waiter.release() }
      return waiter.settle(waiter.copyResult(of: inner), in: pass)
    }
    waiter.wait(for: inner, in: pass)
  }

  /// If the promise to adopt is nobody else's, and itself only waits to adopt `root`, waits for `root` in its stead.
  private func takePlace(of handle: inout PromiseHandle) -> Bool {
    let inner = handle.core
    guard handle.isUnique(), !inner.votesNow.isExposed, !inner.traits.contains(.hasHandlers),
      inner.state.phase == .adopting, inner.state.list == 0, let root = inner.retainUpstream().first
    else { return false }
    defer { root.release() }

    // `self` gets a vote and a count of its own on `root`; only then is it put in.
    root.retain()
    root.updateVotes { ($0.adding(), ()) }
    switch updateRequest({ $0.attaching(root.address) }) {
    case .nothing: break
    case .tellAtOnce:
      if root.updateVotes({ $0.forgetting() }) { root.requestCancel() }
      stopWaiting(for: root)
      return false
    default:
      root.forgetVote()
      return false
    }
    retain()
    defer { release() }
    guard root.replace(inner, by: self) else {
      stopWaiting(for: root)
      return false
    }
    // `inner` is out of the list: its vote and its count on `root` go, and it ends unobserved.
    inner.stopWaiting(for: root)
    if inner.takeAdopted() { inner.publish(.cancelled, in: nil) }
    breakCycle(through: root)
    return true
  }

  /// Stops waiting for a core that has not resolved: takes back the vote, if it is still there, and the count.
  private func stopWaiting(for upstream: CoreRef) {
    switch updateRequest({ $0.detaching(upstream.address) }) {
    case .forgetUpstream: upstream.forgetVote()
    case .releaseUpstream: upstream.release()
    default: break
    }
  }
}
