/// A waiter that is resolved before its source is leaves the source's list, so that a pending promise does not keep what has
/// ended: neither the waiters that a token, a timeout or an owner has ended, nor those of a combinator that has decided.
///
/// The list is singly linked, from the newest waiter on, and anybody may push (`StateWord`). So who leaves is counted, in the side table of the
/// source; when more have left than were found waiting the last time, one walk takes out all that have ended. That costs a constant for
/// each, and those that have ended are at most as many as wait, and a few.
///
/// The newest waiter is never taken out, as whoever pushes at that moment has seen it; nor is the one behind it, so that the link of
/// the newest one never changes.
///
/// # Who may touch it
///
/// The middle of the list of an unresolved core belongs to whoever has the lock of its side table. Who leaves makes the side table, takes the lock, and
/// then looks at the phase: if the core is resolved, the list is the drainer's. Who publishes does that, and then looks for a side table, whose lock
/// it takes before it drains (`closeRequests`). All of this is in the total order of E7: one of the two sees the other.
extension CoreRef {
  /// Takes this core, which is resolved, out of the list of a core that it has waited for, if that is unresolved. The caller
  /// holds a count on both, and has taken the source out of the link word.
  @inline(never)
  func leave(listOf source: CoreRef) {
    if source.stateInTotalOrder.isResolved { return }
    let ended = source.withSideTable { sideTable -> CoreRef? in
      sideTable.leftSinceSweep += 1
      guard sideTable.leftSinceSweep > sideTable.liveAtSweep, let newest = source.newestOfUnresolved else { return nil }
      let (ended, liveAtSweep) = newest.takeOutEnded(upToLiving: false)
      (sideTable.leftSinceSweep, sideTable.liveAtSweep) = (0, liveAtSweep)
      return ended
    }
    CoreRef.endListed(ended)
    source.endIfUnobserved()
  }

  /// Whether nobody waits for this core, which is sealed, but such as have ended. Nobody can push.
  var hasNoLiveWaiter: Bool {
    if state.list == 0 { return true }
    let (ended, hasNoLiveWaiter) = withSideTable { _ -> (CoreRef?, Bool) in
      guard let newest = newestOfUnresolved else { return (nil, false) }
      let (ended, _) = newest.takeOutEnded(upToLiving: true)
      let second = newest.next
      return (ended, newest.state.isResolved && second?.state.isResolved != false && second?.next == nil)
    }
    CoreRef.endListed(ended)
    return hasNoLiveWaiter
  }

  /// The first waiter of the list, if that is not a drainer's. The caller has the lock of the side table.
  private var newestOfUnresolved: CoreRef? {
    let word = stateInTotalOrder
    return word.isResolved || word.list == 0 ? nil : CoreRef(address: word.list)
  }

  /// Takes waiters that have ended out of a list whose newest waiter this is.
  ///
  /// - Parameter isUpToLiving: Whether to stop at the first one that has not ended.
  /// - Returns: The first of those taken out, linked by `next`; and how many were found that have not ended.
  private func takeOutEnded(upToLiving isUpToLiving: Bool) -> (ended: CoreRef?, living: Int) {
    var (ended, living): (CoreRef?, Int) = (nil, 0)
    var last = next
    while let before = last, let core = before.next {
      if core.state.isResolved {
        before.fields.next.value = core.next
        core.fields.next.value = ended
        ended = core
      } else {
        if isUpToLiving { break }
        living += 1
        last = core
      }
    }
    return (ended, living)
  }

  private static func endListed(_ first: CoreRef?) {
    var rest = first
    while let core = rest {
      rest = core.next
      core.endListed()
    }
  }

  // MARK: A sole waiter

  /// Takes out the only one who waits for this core, if that is adopting, so that the adopter's vote and count go to the caller
  /// with it. The caller has the claim of this core, which is sealed, so that nobody can push.
  func takeOutSoleAdopter() -> CoreRef? {
    let word = state
    guard word.list != 0, word.phase == .claimed else { return nil }
    // The newest waiter stays where it is, so it is there.
    let waiter = CoreRef(address: word.list)
    guard waiter.state.phase == .adopting, waiter.next == nil, let count = waiter.detach(self) else { return nil }
    _ = count.leak()
    removeSoleWaiter(waiter)
    // E7: who looks at the list has the lock, or finds it empty.
    if linkInTotalOrder.hasSideTable { withSideTable { _ in } }
    return waiter
  }
}
