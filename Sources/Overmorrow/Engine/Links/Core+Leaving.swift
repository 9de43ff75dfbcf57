/// A waiter that is resolved before its source is leaves the source's list, so that a pending promise does not keep what has
/// ended: neither the waiters that a token, a timeout or an owner has ended, nor those of a combinator that has decided.
///
/// # The list
///
/// It is singly linked, from the newest waiter on, and anybody may push (`StateWord`). To take a waiter out of the middle, the
/// one in front of it must be known. So each waiter gets a link back when somebody first comes by, in its `source` field, which
/// is of no use before it is served. Those who have one lie below those who do not:
///
/// ```
///   state word ─▶ newest ──next──▶ N ──next──▶ N ──next──▶ L ──next──▶ L ──next──▶ L      N: new, L: linked back
///                                              ◀──source── · ◀──source── ◀──source──
/// ```
///
/// Who leaves walks over the new ones, links them back, and takes out those that are resolved; and takes out itself, if it has a
/// link. So each waiter is walked over once, and leaving costs a constant for each.
///
/// The newest waiter is never taken out, as whoever pushes at that moment has seen it. If it has ended, the next one to leave
/// finds it among the new ones, unless it is still the newest. So one that has ended may stay.
///
/// # Who may touch it
///
/// The middle of the list of an unresolved core belongs to whoever has the lock of the core (`Departures`). A drainer does not
/// take that, unless the vote word says that somebody leaves, or has left (`l`):
///
/// - who leaves sets the mark, takes the lock, and then looks at the phase: if the core is resolved, the list is the drainer's;
/// - who publishes does that, and then looks at the mark: if it is there, the lock is taken once before the list is.
///
/// All four are sequentially consistent. So either the one who leaves sees that the core is resolved, or the publisher sees the
/// mark and waits until the one who leaves is done.
extension CoreRef {
  /// Takes this core, which is resolved, out of the list of a core that it has waited for, if that is unresolved. The caller
  /// holds a count on both, and has taken the source out of the link word.
  @inline(never)
  func leave(listOf source: CoreRef) {
    if source.stateInTotalOrder.isResolved { return }
    source.markLeaving()
    var left = Departures.withLock(of: source) {
      source.stateInTotalOrder.isResolved ? nil : source.takeOutResolved(self)
    }
    while let core = left {
      left = core.next
      core.leave()
    }
    source.endUnseen()
  }

  /// Whether only one core is in the list, and has ended. Nobody can push.
  var isEndedWaiterAlone: Bool {
    markLeaving()
    return Departures.withLock(of: self) {
      let word = stateInTotalOrder
      if word.isResolved || word.list == 0 { return false }
      let newest = CoreRef(address: word.list)
      return newest.state.isResolved && newest.next == nil
    }
  }

  /// The list is about to be drained: waits for those who leave it.
  @inline(__always)
  func waitForLeaving() {
    if VoteWord(bits: fields.votes.load(ordering: .sequentiallyConsistent)).isLeft {
      Departures.wait(for: self)
    }
  }

  private func markLeaving() {
    // Acquiring: who has made the mark did it before what the caller does next.
    if VoteWord(bits: fields.votes.load(ordering: .acquiring)).isLeft { return }
    fields.votes.bitwiseOr(VoteWord.leftBit, ordering: .sequentiallyConsistent)
  }

  // In these, the caller has the lock of the core in whose list this one is, or has not put it into one.

  /// The waiter in front of this one, if it has been linked back.
  private var newer: CoreRef? {
    get { fields.source }
    nonmutating set { fields.source = newValue }
  }

  private func link(to next: CoreRef?) { fields.next = next }

  /// Nothing is in front of this core, which is about to wait in another list.
  func clearLinkBack() { newer = nil }

  /// Takes out the new ones that are resolved, and `waiter`; the first of those taken out, linked by `next`. The caller has the
  /// lock of this core, which is unresolved.
  private func takeOutResolved(_ waiter: CoreRef) -> CoreRef? {
    let word = stateInTotalOrder
    if word.list == 0 { return nil }
    var taken: CoreRef?
    func take(_ core: CoreRef) {
      core.newer = nil
      core.link(to: taken)
      taken = core
    }
    var last = CoreRef(address: word.list)
    while let core = last.next, core.newer != last {
      if core.state.isResolved {
        last.link(to: core.next)
        take(core)
      } else {
        core.newer = last
        last = core
      }
    }
    if let newer = waiter.newer {
      let following = waiter.next
      newer.link(to: following)
      following?.newer = newer
      take(waiter)
    }
    return taken
  }

  // MARK: A sole waiter

  /// Takes out the only one who waits for this core, if that is adopting, so that the adopter's vote and count go to the caller
  /// with it. The caller has the claim of this core, which is sealed, so that nobody can push.
  func takeOutSoleAdopter() -> CoreRef? {
    let word = state
    guard word.list != 0, word.phase == .claimed else { return nil }
    // The newest waiter stays where it is, so it is there.
    let waiter = CoreRef(address: word.list)
    guard waiter.state.phase == .adopting else { return nil }
    return Departures.withLock(of: self) {
      guard waiter.next == nil, let count = waiter.detach(self) else { return nil }
      _ = count.leak()
      removeSoleWaiter(waiter)
      return waiter
    }
  }
}
