/// A topological order of all promises, in which each promise comes before those that it waits for. With this order,
/// the engine finds a cycle without visiting everything that a promise waits for.
///
/// Each core has a rank that is lower than the ranks of the cores that it waits for. A step is made with a rank below
/// that of its source. Only adopting can violate the order, because the adopted promise may have been made earlier or
/// later. Usually the new link from the adopter to the adopted core follows the order, and one comparison shows that
/// the link closes no cycle. Otherwise, the adopter takes a lower rank, if that is possible. If not, the adopted core
/// gets a higher rank. The engine then also visits the cores that the adopted core waits for, and raises each core that
/// would be out of order. If this visit reaches the adopter, there is a cycle.
///
/// One adoption may visit everything that the adopted promise waits for. Each visited core gets the highest rank that
/// is below the ranks of the cores that it waits for. So a promise that many others adopt is usually above its next
/// adopter already, and a later adoption seldom needs a visit. If promises adopt one another in turn, and each new
/// adopter adopts the previous one, each new adopter takes a slightly lower rank.
///
/// # Ranks
///
/// Steps and raised cores get ranks that are multiples of `gap`. The ranks between these multiples are for adopters
/// that are lowered. A lowered adopter stays above the next lower multiple, and so above all its steps, including those
/// that are registered meanwhile. An adopter that is itself adopted is not lowered, because its adopter may have the
/// next lower rank.
///
/// # Threads
///
/// A thread that makes a link compares the ranks afterwards. A thread that raises a rank reads the links afterwards. A
/// thread that lowers a rank reads afterwards whether the core was adopted. All of this is in the total order of E7. So
/// of two threads that together make a cycle, or violate the order, one sees what the other has done.
enum Rank {
  private static var gap: Int32 { 256 }
  /// The distance by which a core that waits for nothing is raised higher than needed.
  private static var headroom: Int32 { 1 << 24 }
  /// The rank of a core that waits for several promises that are not made yet.
  static var low: Int32 { -(1 << 29) }
  /// The limits of the ranks: enough for chains of eight million links.
  private static var least: Int32 { .min + 2 * gap }
  private static var most: Int32 { .max - 2 * gap }

  /// Returns the rank of a step of a promise with this rank.
  @inline(__always)
  static func below(_ rank: Int32) -> Int32 { rank < least ? .min : (rank - 1) & ~(gap - 1) }

  /// Returns the lowest rank of a promise whose steps have at least this rank, or `nil` if there is no such rank.
  static func above(_ rank: Int32) -> Int32? {
    rank > most || rank < least ? nil : ((rank + gap - 1) & ~(gap - 1)) + gap
  }

  /// Returns the new rank of a core that must be raised to at least `rank`. Without a limit, the new rank includes
  /// headroom, if the range of the ranks has room for it. With a limit, the new rank is that of a step of a promise
  /// with the rank `limit`, or `rank` if that is higher.
  static func raised(to rank: Int32, below limit: Int32?) -> Int32 {
    if let limit { max(rank, below(limit)) } else { rank > most - headroom ? rank : rank + headroom }
  }
}

extension CoreRef {
  /// The rank, in the one order in which all threads see links and ranks (E7).
  private var rank: Int32 { fields.rank.load(ordering: .sequentiallyConsistent) }

  /// Orders this core before the source that it is about to wait for. The core is not shared yet.
  @inline(__always)
  func setRank(before source: CoreRef) {
    // Relaxed: published with the step (E2). The source's rank may change meanwhile, but never falls below the ranks of
    // its steps.
    let rank = source.fields.rank.load(ordering: .relaxed)
    fields.rank.store(Rank.below(rank), ordering: .relaxed)
  }

  /// Also orders this core before a step through which it waits for another promise. No other core can wait for this
  /// core yet.
  @inline(__always)
  func setRank(beforeStep step: CoreRef) {
    // Relaxed, as above: the rank of a step never falls.
    let rank = Rank.below(step.fields.rank.load(ordering: .relaxed))
    if rank < fields.rank.load(ordering: .relaxed) {
      fields.rank.store(rank, ordering: .relaxed)
    }
  }

  /// Orders this core before most of the cores that it may wait for later. The core is not shared yet.
  func setLowRank() { fields.rank.store(Rank.low, ordering: .relaxed) }

  /// Orders `self` before the core that it has just begun to wait for. Returns `false` if that core waits for `self`.
  func ensureOrder(before other: CoreRef) -> Bool {
    other.rank > rank || lowerRank(below: other) || other.raiseRanks(above: self)
  }

  /// Takes a rank below that of another core, but above the ranks of all cores that wait for this one. Returns `false`
  /// if there is no such rank, or if this core was adopted.
  private func lowerRank(below other: CoreRef) -> Bool {
    var isBelow = false
    let loweredFrom = fields.rank.change { old -> (Int32, Int32)? in
      let new = other.rank - 1
      isBelow = new >= old
      guard !isBelow, new > Rank.below(old), !votesNow.isAdopted else { return nil }
      return (new, old)
    }
    guard let loweredFrom else { return isBelow }
    // E7: a thread that has begun to adopt this core has either set the bit and pushed the adopter by now, or reads the
    // rank later.
    _ = stateInTotalOrder
    if !votesNow.isAdopted { return true }
    raiseRank(to: loweredFrom) { $0 >= loweredFrom }
    return false
  }

  /// Orders this core, and all cores that it waits for, after `bottom`. Returns `false` if this core waits for
  /// `bottom`.
  ///
  /// A core is raised after the cores that it waits for. A core that waits for nothing is raised far, so that the cores
  /// before it find headroom below it.
  private func raiseRanks(above bottom: CoreRef) -> Bool {
    var kept = OwnedCores()
    var waiting = [(core: self, above: bottom.rank, hasVisitedUpstream: false)]
    while let (core, below, hasVisitedUpstream) = waiting.popLast() {
      if core == bottom { return false }
      if core.state.isResolved || Rank.below(core.rank) >= below { continue }
      guard let least = Rank.above(below) else { return !core.depends(on: bottom) }
      if hasVisitedUpstream {
        let new = Rank.raised(to: least, below: core.upstreamRank)
        core.raiseRank(to: new) { Rank.below($0) >= below }
        // E7: if the core has begun meanwhile to wait for another one, this call sees the new link, or the thread that
        // made the link sees the new rank.
        waiting += kept.keep(core.upstream()).map { ($0, new, false) }
      } else {
        waiting.append((core, below, true))
        waiting += kept.keep(core.upstream()).map { ($0, least, false) }
      }
    }
    return true
  }

  /// The lowest rank of the unresolved cores that this core waits for; `nil` if there are none.
  private var upstreamRank: Int32? {
    let upstream = upstream()
    return upstream.all.filter { !$0.state.isResolved }.map(\.rank).min()
  }

  /// Raises the rank to at least `new`. If the present rank suffices, does nothing.
  private func raiseRank(to new: Int32, unless suffices: (Int32) -> Bool) {
    _ = fields.rank.change { suffices($0) ? nil : (max($0, new), ()) }
  }

  /// Returns whether `self` waits for another core, directly or not. The engine uses this function when the ranks are
  /// exhausted.
  ///
  /// The function visits each core once. It has a count on each visited core, so that the core's address is not reused
  /// meanwhile.
  private func depends(on end: CoreRef) -> Bool {
    var kept = OwnedCores()
    var waiting = [self]
    var seen: Set<UInt> = [address]
    while let core = waiting.popLast() {
      if core == end { return true }
      waiting += kept.keep(core.upstream()).filter { seen.insert($0.address).inserted }
    }
    return false
  }
}
