/// The side table of a core: how it gets them, and what it does with them.
extension CoreRef {
  private func sideTable(in link: LinkWord) -> SideTable? {
    // Unsafe: as for `owned`.
    link.hasSideTable ? unsafe owned(by: link).takeUnretainedValue() : nil
  }

  @inline(__always)
  private func owned(by link: LinkWord) -> Unmanaged<SideTable> {
    // Unsafe: a tied word owns the object at its address, until the core ends.
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: link.address).unsafelyUnwrapped)
  }

  /// Runs code under the lock of the side table, which are made now if there are none.
  @inline(__always)
  func withSideTable<Result: Sendable>(_ body: (inout sending SideTable.State) -> Result) -> Result {
    let link = self.link
    // Unsafe: the caller's count on the core keeps the object.
    guard link.hasSideTable else { return makeSideTable().state.withLock { body(&$0) } }
    return unsafe owned(by: link)._withUnsafeGuaranteedRef { sideTable in sideTable.state.withLock { body(&$0) } }
  }

  /// The side table, which are made now if there are none.
  var sideTable: SideTable { sideTable(in: link) ?? makeSideTable() }

  @inline(never)
  private func makeSideTable() -> SideTable {
    var old = link
    while true {
      if let existing = sideTable(in: old) { return existing }
      let made = SideTable(of: self, old)
      // Unsafe: if the exchange succeeds, the word owns the reference, and `endSideTable` gives it back.
      let owned = unsafe Unmanaged.passRetained(made)
      let new = unsafe old.movingToSideTable(UInt(bitPattern: owned.toOpaque()))
      let (exchanged, current) = fields.link.compareExchange(
        expected: old.bits, desired: new.bits, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
      if exchanged { return made }
      unsafe owned.release()
      old = LinkWord(bits: current)
    }
  }

  /// Notes the request in the word. The caller has the lock of the side table.
  func markAskedInSideTable() {
    fields.link.bitwiseOr(LinkWord.sideTableAskedBit, ordering: .sequentiallyConsistent)
  }

  /// The core ends: weak references lead nowhere from now on. The caller is the last holder.
  @inline(never)
  func endSideTable() {
    guard let sideTable = sideTable(in: link) else { return }
    sideTable.coreDidEnd()
    // Unsafe: gives back what the word owns; nobody looks at it again.
    unsafe Unmanaged.passUnretained(sideTable).release()
  }
}

// MARK: - What the core waits for

extension CoreRef {
  /// Begins to wait for another core; `false` when the request has been made already, and the caller is to withdraw the vote.
  func attach(_ count: consuming Owned) -> Bool {
    let upstream = count.leak()
    return switch changeLink({ $0.attaching(upstream.address) }) {
    case .withdrawAtOnce: false
    case .useSideTable: attachInSideTable(upstream)
    default: true
    }
  }

  /// Waits for another core no more; the count on it, unless a thread that asks has that (R1).
  @discardableResult
  func detach(_ upstream: CoreRef) -> Owned? {
    switch changeLink({ $0.detaching(upstream.address) }) {
    case .nothing: nil
    case .useSideTable: takeFromSideTable(upstream) ? Owned(adopting: upstream) : nil
    default: Owned(adopting: upstream)
    }
  }

  /// Begins to wait for another core, whose count goes to the side table; `false` when the request has been made already.
  private func attachInSideTable(_ upstream: CoreRef) -> Bool {
    withSideTable { sideTable in
      precondition(sideTable.upstream == nil, "a promise waits for one other at a time")
      let isAsked = link.isAsked
      sideTable.upstream = SideTable.Upstream(core: upstream, hasVote: !isAsked)
      return !isAsked
    }
  }

  /// Takes out what the side table says that the core waits for, if it is this one; whether its count goes to the caller.
  @inline(never)
  private func takeFromSideTable(_ upstream: CoreRef) -> Bool {
    withSideTable { sideTable in
      guard let found = sideTable.upstream, found.core == upstream else { return false }
      sideTable.upstream = nil
      return !found.isLent
    }
  }

  /// What this core waits for.
  ///
  /// A core that is looked at gets a side table: so its count on what it waits for cannot go meanwhile.
  func upstream() -> OwnedCores {
    var found = OwnedCores()
    if linkInTotalOrder.address == 0 { return found }
    // A count that is lent is there until it is given back, under this lock.
    let counted = withSideTable { sideTable in sideTable.upstream.map { Owned($0.core).leak() } }
    if let counted { found.keep(Owned(adopting: counted)) }
    inputs?.keepCores(in: &found)
    return found
  }

  /// The same as an address, to be compared only, and the steps through which this core waits for several others. The caller keeps the
  /// core from ending. Nothing is made, and nothing counted.
  var awaited: (address: UInt, inputs: WaitingSteps?) {
    let link = self.link
    return link.hasSideTable ? withSideTable { ($0.upstream?.core.address ?? 0, $0.inputs) } : (link.address, nil)
  }

  /// The steps through which this core waits for several others.
  var inputs: WaitingSteps? { link.hasSideTable ? withSideTable { $0.inputs } : nil }

  /// Makes a core wait through steps. Nobody else has seen it.
  func gather(_ steps: WaitingSteps) { withSideTable { $0.inputs = steps } }
}

// MARK: - Tokens

extension CoreRef {
  /// Lets the promise tell a roster when it resolves; `false` if that is the last one that was added already.
  ///
  /// It is not told if the promise has resolved: the caller looks at that afterwards.
  func add(_ listing: SideTable.Listing) -> Bool {
    withSideTable { sideTable in
      if sideTable.isClosed { return true }
      if sideTable.rosters.last?.roster === listing.roster { return false }
      // A closed roster that is a gate has to be found closed by the step.
      sideTable.rosters.append(listing) { !$0.isGate && $0.roster.isClosed }
      return true
    }
  }
}
