/// An order of all promises, in which each comes before what it waits for; so that a cycle is found without a look at all
/// that a promise waits for.
///
/// Each core has a rank, lower than those of the cores that it waits for. A step is made with a rank below that of its source.
/// Only adopting can go against the order: the promise adopted may have been made earlier or later, or wait for something
/// that was. Mostly it does not, and that is one comparison: a link along the order closes no cycle. Otherwise the adopter
/// takes a lower rank, if it can; or what it adopts, and all above it that would be out of order then, get higher ones. A cycle
/// is what leads back to the adopter on the way.
///
/// So one adoption may visit all that the adopted promise waits for, but many do not: a core is visited when its rank rises,
/// and then it rises as far as what it waits for allows. A promise that many adopt rises once. A chain that is put
/// together link by link from above would rise again and again; there each new link at its end sinks a bit instead.
///
/// # Ranks
///
/// The ranks that steps get, and that what rises gets, are multiples of `gap`. The ranks between them are for adopters
/// that sink: they stay above the multiple below, and so above all their steps, whoever registers one meanwhile. An adopter
/// that is itself adopted does not sink, as what adopts it may be right below.
///
/// # Threads
///
/// A link is made first, then the ranks are compared; a rank is changed first, then the links are looked at, or, by the one that
/// sinks, whether it has been adopted. All of this is in the total order of E7. So of two that make a cycle, or an order that
/// does not hold, together, one sees what the other has done.
enum Rank {
  private static var gap: Int32 { 256 }
  /// How much higher than it must a core rises above which there is nothing.
  private static var headroom: Int32 { 1 << 24 }
  /// The rank of what waits for several promises that are yet to come.
  static var low: Int32 { -(1 << 29) }
  /// Beyond these, there are no more ranks: chains of eight million links.
  private static var least: Int32 { .min + 2 * gap }
  private static var most: Int32 { .max - 2 * gap }

  /// The rank of a step of a promise with this rank.
  @inline(__always)
  static func below(_ rank: Int32) -> Int32 { rank < least ? .min : (rank - 1) & ~(gap - 1) }

  /// The lowest rank whose steps do not come before this one; `nil` if there is none.
  static func above(_ rank: Int32) -> Int32? {
    rank > most || rank < least ? nil : ((rank + gap - 1) & ~(gap - 1)) + gap
  }

  /// The rank for a core that has to rise to this one: so high that others will find headroom below, but below this limit.
  static func raised(to rank: Int32, below limit: Int32?) -> Int32 {
    if let limit { max(rank, below(limit)) } else { rank > most - headroom ? rank : rank + headroom }
  }
}

extension CoreRef {
  /// In the one order in which all threads see links and ranks (E7).
  private var rank: Int32 { fields.rank.load(ordering: .sequentiallyConsistent) }

  /// Comes before its source, which it is about to wait for. Nobody else has seen this core.
  @inline(__always)
  func setRank(before source: CoreRef) {
    // Relaxed: published with the step (E2). The source may rise or sink meanwhile, but not below its steps.
    let rank = source.fields.rank.load(ordering: .relaxed)
    fields.rank.store(Rank.below(rank), ordering: .relaxed)
  }

  /// Comes before a step, too, through which it waits for another promise. Nobody has seen this core who could wait for it.
  @inline(__always)
  func setRank(beforeStep step: CoreRef) {
    // Relaxed, as above: a step never sinks.
    let rank = Rank.below(step.fields.rank.load(ordering: .relaxed))
    if rank < fields.rank.load(ordering: .relaxed) {
      fields.rank.store(rank, ordering: .relaxed)
    }
  }

  /// Comes before most of what may be waited for later. Nobody else has seen this core.
  func setLowRank() { fields.rank.store(Rank.low, ordering: .relaxed) }

  /// Ensures the order of `self` and what it has just begun to wait for; `false` if that waits for `self`, too.
  func ensureOrder(before other: CoreRef) -> Bool {
    other.rank > rank || lowerRank(below: other) || other.raiseRanks(above: self)
  }

  /// Takes a rank below that of another core, but above all that waits for this one; `false` if there is none.
  private func lowerRank(below other: CoreRef) -> Bool {
    var isBelow = false
    let loweredFrom = fields.rank.change { old -> (Int32, Int32)? in
      let new = other.rank - 1
      isBelow = new >= old
      guard !isBelow, new > Rank.below(old), !votesNow.isAdopted else { return nil }
      return (new, old)
    }
    guard let loweredFrom else { return isBelow }
    // E7: who has begun to adopt this core is in its list by now, and has said so before; or looks at the rank later.
    _ = stateInTotalOrder
    if !votesNow.isAdopted { return true }
    raiseRank(to: loweredFrom) { $0 >= loweredFrom }
    return false
  }

  /// Ensures that this core, and what it waits for, come after another one; `false` if it waits for that, too.
  ///
  /// What is waited for rises first, and high, so that what waits for it finds headroom below.
  private func raiseRanks(above bottom: CoreRef) -> Bool {
    var kept = OwnedCores()
    var waiting = [(core: self, above: bottom.rank, isLookedAt: false)]
    while let (core, below, isLookedAt) = waiting.popLast() {
      if core == bottom { return false }
      if core.state.isResolved || Rank.below(core.rank) >= below { continue }
      guard let least = Rank.above(below) else { return !core.depends(on: bottom) }
      if isLookedAt {
        let new = Rank.raised(to: least, below: core.upstreamRank)
        core.raiseRank(to: new) { Rank.below($0) >= below }
        // E7: what the core has begun to wait for meanwhile is seen now, if it does not see the new rank.
        waiting += kept.keep(core.upstream()).map { ($0, new, false) }
      } else {
        waiting.append((core, below, true))
        waiting += kept.keep(core.upstream()).map { ($0, least, false) }
      }
    }
    return true
  }

  /// The lowest of the ranks of what this core waits for; `nil` if that is nothing.
  private var upstreamRank: Int32? {
    let upstream = upstream()
    return upstream.all.filter { !$0.state.isResolved }.map(\.rank).min()
  }

  /// Gets a higher rank, unless it has one that will do.
  private func raiseRank(to new: Int32, unless suffices: (Int32) -> Bool) {
    _ = fields.rank.change { suffices($0) ? nil : (max($0, new), ()) }
  }

  /// Whether `self`, or something that it waits for, directly or not, waits for another core: for when ranks are used up.
  ///
  /// Each core is looked at once. What is looked at is counted, so that no other takes its address meanwhile.
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
