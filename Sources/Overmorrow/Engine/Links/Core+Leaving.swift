/// A waiter that resolves before its source leaves the source's list, so that a pending promise does not keep ended
/// waiters. A token, a timeout or an owner may end a waiter, as may a combinator that has its result.
///
/// The list is singly linked, newest waiter first, and any thread may push (`StateWord`). So the side table of the
/// source counts the waiters that leave. When more have left than the last sweep found alive, a sweep takes out all
/// ended ones. So each waiter has a constant amortised cost, and a list contains at most a few more ended waiters than
/// live ones.
///
/// The newest waiter is never taken out, because a concurrent push may have read it. Nor is the waiter behind it, so
/// that the link of the newest one never changes.
///
/// # Who may touch it
///
/// The middle of the list of an unresolved core belongs to the thread with the lock of its side table. A leaving thread
/// makes the table, takes the lock, and then checks the phase: if the core is resolved, the list belongs to the
/// drainer. A publishing thread publishes, and then takes the lock of the table, if there is one, before it drains
/// (`closeRequests`). All of this is in the total order of E7, so one of the two threads sees what the other has done.
extension CoreRef {
  /// Takes this resolved core out of the list of a core that it waited for, if that core is unresolved. The caller has
  /// a count on both cores, and has taken the source out of the link word.
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

  /// Whether all waiters of this core have ended. The core is sealed, so no thread can push.
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

  /// The newest waiter, unless the list belongs to a drainer. The caller has the lock of the side table.
  private var newestOfUnresolved: CoreRef? {
    let word = stateInTotalOrder
    return word.isResolved || word.list == 0 ? nil : CoreRef(address: word.list)
  }

  /// Takes ended waiters out of the list whose newest waiter this is.
  ///
  /// - Parameter isUpToLiving: Whether to stop at the first live waiter.
  /// - Returns: The first of the ended waiters, which are linked by `next`, and the number of live ones.
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

  /// Takes out the only waiter of this core, if the waiter adopts. The caller gets the waiter, its vote, and its count
  /// on this core. The caller has the claim of this core, which is sealed, so that no thread can push.
  func takeOutSoleAdopter() -> CoreRef? {
    let word = state
    guard word.list != 0, word.phase == .claimed else { return nil }
    // The newest waiter is never taken out, so it exists.
    let waiter = CoreRef(address: word.list)
    guard waiter.state.phase == .adopting, waiter.next == nil, let count = waiter.detach(self) else { return nil }
    _ = count.leak()
    removeSoleWaiter(waiter)
    // E7: a thread that reads the list holds the lock now, or will find the list empty.
    if linkInTotalOrder.hasSideTable { withSideTable { _ in } }
    return waiter
  }
}
