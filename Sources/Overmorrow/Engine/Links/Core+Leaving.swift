/// A waiter that resolves before its source leaves the source's list, so that a pending promise does not keep ended
/// waiters. Such a waiter was ended by a token, by a timeout, by an owner, or by a combinator that has its result.
///
/// The list is singly linked, newest waiter first, and any thread may push (`StateWord`). So a waiter is not taken out
/// at once. The side table of the source counts the waiters that leave. When their number exceeds the number of live
/// waiters at the last sweep, a new sweep takes out the ended waiters. So each waiter has a constant amortised cost. A
/// list contains at most a few more ended waiters than it had live ones at the last sweep.
///
/// A sweep never takes out the newest waiter, because a concurrent push may have read its address. A sweep does not
/// take out the waiter behind the newest one either, so that the link of the newest waiter never changes.
///
/// # Who may touch the list
///
/// The middle of an unresolved core's list belongs to the thread with the lock of the core's side table. A thread whose
/// waiter leaves makes the table, takes the lock, and then checks the phase. If the core is resolved, the list belongs
/// to the drainer. A publishing thread publishes, and then takes the lock of the table, if there is one, before it
/// drains (`closeRequests`). All of this is in the total order of E7, so one of the two threads sees what the other has
/// done.
extension CoreRef {
  /// Counts this resolved core as one that leaves the list of `source`. If enough waiters have left, sweeps the list.
  /// If `source` is resolved, does nothing. The caller has a count on both cores, and has taken the source out of the
  /// link word.
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

  /// The newest waiter; `nil` if there is no waiter, or if the list belongs to a drainer. The caller has the lock of
  /// the side table.
  private var newestOfUnresolved: CoreRef? {
    let word = stateInTotalOrder
    return word.isResolved || word.list == 0 ? nil : CoreRef(address: word.list)
  }

  /// Takes ended waiters out of the list, behind its two newest waiters. This core is the newest waiter of the list.
  ///
  /// - Parameter isUpToLiving: Whether to stop at the first live waiter.
  /// - Returns: The first of the waiters that were taken out, to which the others are linked by `next`, and the number
  ///   of live waiters that were passed.
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

  /// Takes out the only waiter of this core, if the waiter adopts. The caller gets the waiter, the waiter's vote, and
  /// the waiter's count on this core. The caller has the claim of this core. This core is sealed, so no thread can
  /// push.
  func takeOutSoleAdopter() -> CoreRef? {
    let word = state
    guard word.list != 0, word.phase == .claimed else { return nil }
    // A sweep never takes out the newest waiter, so this waiter exists.
    let waiter = CoreRef(address: word.list)
    guard waiter.state.phase == .adopting, waiter.next == nil, let count = waiter.detach(self) else { return nil }
    _ = count.leak()
    removeSoleWaiter(waiter)
    // E7: a thread that reads the list holds the lock now, or will find the list empty.
    if linkInTotalOrder.hasSideTable { withSideTable { _ in } }
    return waiter
  }
}
