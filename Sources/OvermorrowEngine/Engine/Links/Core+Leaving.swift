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
  /// If `source` is resolved, does nothing. The caller retains both cores, and has taken the source out of the
  /// link word.
  @inline(never)
  func leave(listOf source: CoreRef) {
    if source.stateInTotalOrder.isResolved { return }
    let ended = source.withSideTable { sideTable -> CoreRef? in
      sideTable.leftSinceSweep += 1
      guard sideTable.leftSinceSweep > sideTable.liveAtSweep, let newest = source.stateInTotalOrder.newestOfUnresolved
      else { return nil }
      let (ended, others) = sideTable.takeOutEnded(behind: newest, upToLiving: false)
      (sideTable.leftSinceSweep, sideTable.liveAtSweep) = (0, others.living)
      return ended
    }
    SideTable.State.releaseAll(ended)
    source.endIfUnobserved()
  }

  /// Whether all waiters of this core have ended or are passive. The answer is final if no thread can push: the core is
  /// sealed, or its request is going up.
  package var hasNoLiveWaiter: Bool { passiveWaiterCount != nil }

  /// The number of passive waiters that have not ended; `nil` if there is a live waiter. It is final in the same case.
  var passiveWaiterCount: Int? {
    if state.list == 0 { return 0 }
    let (ended, count) = withSideTable { sideTable -> (CoreRef?, Int?) in
      guard let newest = stateInTotalOrder.newestOfUnresolved else { return (nil, nil) }
      let (ended, others) = sideTable.takeOutEnded(behind: newest, upToLiving: true)
      let first = [newest, newest.next].compactMap { $0 }.filter { !$0.state.isResolved }
      return (ended, others.living > 0 || first.contains(where: \.isLive) ? nil : others.passive + first.count)
    }
    SideTable.State.releaseAll(ended)
    return count
  }

  /// Whether this waiter needs its source. A passive step needs it only while something observes the step.
  fileprivate var isLive: Bool {
    !state.isResolved && !(traits.has(.passive) && votesNow.isUnreachable && state.list == 0)
  }
}

extension StateWord {
  /// The newest waiter of an unresolved core; `nil` if there is no waiter, or if the list belongs to a drainer.
  fileprivate var newestOfUnresolved: CoreRef? { isResolved ? nil : newestWaiter }
}

extension SideTable.State {
  /// Takes ended waiters out of the list of the table's core, behind its two newest waiters.
  ///
  /// - Parameter isUpToLiving: Whether to stop at the first live waiter. Passive waiters are passed, up to a limit.
  /// - Returns: The first of the waiters that were taken out, to which the others are linked by `next`, and the numbers
  ///   of live and of passive waiters that were passed. Without a stop, all count as live.
  fileprivate func takeOutEnded(
    behind newest: CoreRef, upToLiving isUpToLiving: Bool
  ) -> (ended: CoreRef?, others: (living: Int, passive: Int)) {
    var ended: CoreRef?
    var others = (living: 0, passive: 0)
    var last = newest.next
    while let before = last, let core = before.next {
      if core.state.isResolved {
        before.fields.next.value = core.next
        core.fields.next.value = ended
        ended = core
      } else if isUpToLiving, core.isLive || others.passive == Self.mostPassed {
        others.living += 1
        break
      } else {
        if isUpToLiving { others.passive += 1 } else { others.living += 1 }
        last = core
      }
    }
    return (ended, others)
  }

  /// The largest number of passive waiters that a search for a live waiter passes.
  private static var mostPassed: Int { 16 }
}

extension SideTable.State {
  /// Ends waiters that were taken out, without the lock.
  fileprivate static func releaseAll(_ first: CoreRef?) {
    var rest = first
    while let core = rest {
      rest = core.next
      // Unsafe: the waiter was taken out of the list under the lock.
      unsafe Waiter(of: core).releaseListCount()
    }
  }
}
