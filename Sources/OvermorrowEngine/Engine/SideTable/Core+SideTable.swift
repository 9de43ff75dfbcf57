/// The creation of a core's side table, and its use.
extension LinkWord {
  fileprivate var sideTable: SideTable? {
    // Unsafe: the same reason as in `owned`.
    hasSideTable ? unsafe owned.takeUnretainedValue() : nil
  }

  @inline(__always)
  fileprivate var owned: Unmanaged<SideTable> {
    // Unsafe: a moved word owns the side table at its address, until the core ends.
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}

extension CoreRef {
  /// Runs code under the lock of the side table. If there is no side table, makes it first.
  @inline(__always)
  func withSideTable<Result: Sendable>(_ body: (inout sending SideTable.State) -> Result) -> Result {
    let link = self.link
    // Unsafe: the caller's count on the core keeps the object.
    guard link.hasSideTable else { return makeSideTable().state.withLock { body(&$0) } }
    return unsafe link.owned._withUnsafeGuaranteedRef { sideTable in sideTable.state.withLock { body(&$0) } }
  }

  /// The side table. If there is no side table, the access makes it.
  var sideTable: SideTable { link.sideTable ?? makeSideTable() }

  @inline(never)
  private func makeSideTable() -> SideTable {
    var old = link
    while true {
      if let existing = old.sideTable { return existing }
      let made = SideTable(of: self, old)
      // Unsafe: if the exchange succeeds, the word owns the reference, and `releaseSideTable` releases it.
      let owned = unsafe Unmanaged.passRetained(made)
      let new = unsafe old.movingToSideTable(UInt(bitPattern: owned.toOpaque()))
      let (exchanged, current) = fields.link.compareExchange(
        expected: old.bits, desired: new.bits, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
      if exchanged { return made }
      unsafe owned.release()
      old = LinkWord(bits: current)
    }
  }

  /// Marks the request in the word, under the lock of the side table.
  func markAskedInSideTable() {
    fields.link.bitwiseOr(LinkWord.sideTableAskedBit, ordering: .sequentiallyConsistent)
  }

  /// Ends the side table, so that weak references no longer find the core. The last count was released before.
  @inline(never)
  func releaseSideTable() {
    guard let sideTable = link.sideTable else { return }
    sideTable.coreDidEnd()
    // Unsafe: releases what the word owns, which is not read again.
    unsafe Unmanaged.passUnretained(sideTable).release()
  }
}

// MARK: - What the core waits for

extension CoreRef {
  /// Starts to wait for another core. Returns `false` if the request was already made. Then the caller must withdraw
  /// the vote.
  func attach(_ count: consuming Owned) -> Bool {
    let upstream = count.leak()
    return switch changeLink({ $0.attaching(upstream.address) }) {
    case .nothing: true
    case .withdrawAtOnce: false
    case .useSideTable: withSideTable { $0.attach(upstream, isAsked: link.isAsked) }
    }
  }

  /// Stops waiting for another core, and returns the count on that core. Returns `nil` if this core does not wait for
  /// that core, or if a thread that is withdrawing the vote has the count (R1).
  @discardableResult
  func detach(_ upstream: CoreRef) -> Owned? {
    switch changeLink({ $0.detaching(upstream.address) }) {
    case .nothing: nil
    // Unsafe, both: the word or the table has just given its count away.
    case .take: unsafe Owned(taking: upstream)
    case .useSideTable: takeFromSideTable(upstream) ? unsafe Owned(taking: upstream) : nil
    }
  }

  /// This function is separate, so that the usual case needs no stack frame.
  @inline(never)
  private func takeFromSideTable(_ upstream: CoreRef) -> Bool { withSideTable { $0.take(upstream) } }

  /// Returns the cores that this core waits for, with a count on each.
  ///
  /// If this core waits for another one, the function gives this core a side table. The lock of the side table keeps
  /// the count on the upstream core in place while a second count is added. So a search has a limit for the number of
  /// cores that it visits.
  ///
  /// - Parameter unresolved: The largest number of unresolved inputs to return, if this core waits for several cores;
  ///   `nil` to return all inputs.
  package func upstream(unresolved: Int? = nil) -> OwnedCores {
    var found = OwnedCores()
    if linkInTotalOrder.address == 0 { return found }
    // A lent count remains valid until the borrowing thread returns it under this lock.
    let counted = withSideTable { sideTable in sideTable.upstream.map { Owned($0.core).leak() } }
    // Unsafe: the count that was added under the lock.
    if let counted { found.keep(unsafe Owned(taking: counted)) }
    inputs?.keepCores(in: &found, unresolved: unresolved)
    return found
  }

  /// The upstream core as an address, for comparison only, and the steps through which this core waits for several
  /// others. The caller keeps this core alive. The access allocates nothing, and adds no count.
  package var awaited: (address: UInt, inputs: WaitingSteps?) {
    let link = self.link
    return link.hasSideTable ? withSideTable { ($0.upstream?.core.address ?? 0, $0.inputs) } : (link.address, nil)
  }

  /// The steps through which this core waits for several others.
  package var inputs: WaitingSteps? { link.hasSideTable ? withSideTable { $0.inputs } : nil }

  /// Makes this core wait for several others through these steps. The core is not shared yet.
  package func gather(_ steps: WaitingSteps) { withSideTable { $0.inputs = steps } }
}

// MARK: - Tokens

extension CoreRef {
  /// Adds a roster. The promise notifies the roster when the promise resolves. Returns `false` if this roster is also
  /// the one that was added last.
  ///
  /// A promise that has already resolved does not notify the roster. So the caller checks afterwards whether the
  /// promise has resolved.
  func add(_ listing: SideTable.Listing) -> Bool {
    withSideTable { sideTable in
      if sideTable.isClosed { return true }
      if sideTable.rosters.last?.roster === listing.roster { return false }
      // A closed roster that is a gate stays, so that the step finds the roster closed.
      sideTable.rosters.append(listing) { !$0.isGate && $0.roster.isClosed }
      return true
    }
  }
}

extension SideTable.State {
  /// Starts to wait for another core, and moves the count on that core to the table. Returns `false` if the request was
  /// already made.
  fileprivate mutating func attach(_ upstream: CoreRef, isAsked: Bool) -> Bool {
    precondition(self.upstream == nil, "a promise can wait for only one other promise at a time")
    self.upstream = SideTable.Upstream(core: upstream, hasVote: !isAsked)
    return !isAsked
  }

  /// Stops waiting for `upstream`. Returns `true` if the table had and gives away the count on `upstream`.
  fileprivate mutating func take(_ upstream: CoreRef) -> Bool {
    guard let found = self.upstream, found.core == upstream else { return false }
    self.upstream = nil
    return !found.isLent
  }
}
