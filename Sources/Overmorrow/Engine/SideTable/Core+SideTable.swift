/// How a core gets its side table, and uses it.
extension CoreRef {
  private func sideTable(in link: LinkWord) -> SideTable? {
    // Unsafe: the same reason as in `owned`.
    link.hasSideTable ? unsafe owned(by: link).takeUnretainedValue() : nil
  }

  @inline(__always)
  private func owned(by link: LinkWord) -> Unmanaged<SideTable> {
    // Unsafe: a moved word owns the side table at its address, until the core ends.
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: link.address).unsafelyUnwrapped)
  }

  /// Runs code under the lock of the side table, which is made now if there is none.
  @inline(__always)
  func withSideTable<Result: Sendable>(_ body: (inout sending SideTable.State) -> Result) -> Result {
    let link = self.link
    // Unsafe: the caller's count on the core keeps the object.
    guard link.hasSideTable else { return makeSideTable().state.withLock { body(&$0) } }
    return unsafe owned(by: link)._withUnsafeGuaranteedRef { sideTable in sideTable.state.withLock { body(&$0) } }
  }

  /// The side table, which is made now if there is none.
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

  /// Marks the request in the word. The caller has the lock of the side table.
  func markAskedInSideTable() {
    fields.link.bitwiseOr(LinkWord.sideTableAskedBit, ordering: .sequentiallyConsistent)
  }

  /// Handles the end of the core: weak references no longer find it. The caller is the last holder.
  @inline(never)
  func endSideTable() {
    guard let sideTable = sideTable(in: link) else { return }
    sideTable.coreDidEnd()
    // Unsafe: releases what the word owns, which is not read again.
    unsafe Unmanaged.passUnretained(sideTable).release()
  }
}

// MARK: - What the core waits for

extension CoreRef {
  /// Starts to wait for another core. Returns `false` if the request was already made, so that the caller must withdraw
  /// the vote.
  func attach(_ count: consuming Owned) -> Bool {
    let upstream = count.leak()
    return switch changeLink({ $0.attaching(upstream.address) }) {
    case .withdrawAtOnce: false
    case .useSideTable: attachInSideTable(upstream)
    default: true
    }
  }

  /// Stops waiting for another core. Returns the count on it, unless a thread that is withdrawing the vote has the
  /// count (R1).
  @discardableResult
  func detach(_ upstream: CoreRef) -> Owned? {
    switch changeLink({ $0.detaching(upstream.address) }) {
    case .nothing: nil
    case .useSideTable: takeFromSideTable(upstream) ? Owned(adopting: upstream) : nil
    default: Owned(adopting: upstream)
    }
  }

  /// Starts to wait for another core, and moves the count on it to the side table. Returns `false` if the request was
  /// already made.
  private func attachInSideTable(_ upstream: CoreRef) -> Bool {
    withSideTable { sideTable in
      precondition(sideTable.upstream == nil, "a promise can wait for only one other promise at a time")
      let isAsked = link.isAsked
      sideTable.upstream = SideTable.Upstream(core: upstream, hasVote: !isAsked)
      return !isAsked
    }
  }

  /// Removes the upstream core from the side table, if it is this one. Returns whether its count goes to the caller.
  @inline(never)
  private func takeFromSideTable(_ upstream: CoreRef) -> Bool {
    withSideTable { sideTable in
      guard let found = sideTable.upstream, found.core == upstream else { return false }
      sideTable.upstream = nil
      return !found.isLent
    }
  }

  /// The cores that this core waits for.
  ///
  /// This gives the core a side table, because the lock of the side table keeps the count on the upstream core in place
  /// while another one is added.
  func upstream() -> OwnedCores {
    var found = OwnedCores()
    if linkInTotalOrder.address == 0 { return found }
    // A lent count remains valid until it is returned, which happens under this lock.
    let counted = withSideTable { sideTable in sideTable.upstream.map { Owned($0.core).leak() } }
    if let counted { found.keep(Owned(adopting: counted)) }
    inputs?.keepCores(in: &found)
    return found
  }

  /// The upstream core as an address, for comparison only, and the steps through which this core waits for several
  /// others. The caller keeps the core alive. This allocates nothing, and adds no count.
  var awaited: (address: UInt, inputs: WaitingSteps?) {
    let link = self.link
    return link.hasSideTable ? withSideTable { ($0.upstream?.core.address ?? 0, $0.inputs) } : (link.address, nil)
  }

  /// The steps through which this core waits for several others.
  var inputs: WaitingSteps? { link.hasSideTable ? withSideTable { $0.inputs } : nil }

  /// Makes this core wait for several others, through steps. The core is not shared yet.
  func gather(_ steps: WaitingSteps) { withSideTable { $0.inputs = steps } }
}

// MARK: - Tokens

extension CoreRef {
  /// Adds a roster, which the promise notifies when it resolves. Returns `false` if this roster was also the last one
  /// added.
  ///
  /// A promise that has already resolved does not notify the roster: the caller checks that afterwards.
  func add(_ listing: SideTable.Listing) -> Bool {
    withSideTable { sideTable in
      if sideTable.isClosed { return true }
      if sideTable.rosters.last?.roster === listing.roster { return false }
      // A closed roster that is a gate stays, so that the step finds it closed.
      sideTable.rosters.append(listing) { !$0.isGate && $0.roster.isClosed }
      return true
    }
  }
}
