/// The ties of a core: how it gets them, and what it does with them.
extension CoreRef {
  private func ties(in link: LinkWord) -> Ties? {
    // Unsafe: as for `owned`.
    link.isTied ? unsafe owned(by: link).takeUnretainedValue() : nil
  }

  @inline(__always)
  private func owned(by link: LinkWord) -> Unmanaged<Ties> {
    // Unsafe: a tied word owns the object at its address, until the core ends.
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: link.address).unsafelyUnwrapped)
  }

  /// Runs code under the lock of the ties, which are made now if there are none.
  @inline(__always)
  func withTies<Result: Sendable>(_ body: (inout sending Ties.State) -> Result) -> Result {
    let link = self.link
    // Unsafe: the caller's count on the core keeps the object.
    guard link.isTied else { return tie().state.withLock { body(&$0) } }
    return unsafe owned(by: link)._withUnsafeGuaranteedRef { ties in ties.state.withLock { body(&$0) } }
  }

  /// The ties, which are made now if there are none.
  var ties: Ties { ties(in: link) ?? tie() }

  @inline(never)
  private func tie() -> Ties {
    var old = link
    while true {
      if let existing = ties(in: old) { return existing }
      let made = Ties(of: self, old)
      // Unsafe: if the exchange succeeds, the word owns the reference, and `endTies` gives it back.
      let owned = unsafe Unmanaged.passRetained(made)
      let new = unsafe old.tying(UInt(bitPattern: owned.toOpaque()))
      let (exchanged, current) = fields.link.compareExchange(
        expected: old.bits, desired: new.bits, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
      if exchanged { return made }
      unsafe owned.release()
      old = LinkWord(bits: current)
    }
  }

  /// Notes the request in the word. The caller has the lock of the ties.
  func markAskedInTies() {
    fields.link.bitwiseOr(LinkWord.tiedAskedBit, ordering: .sequentiallyConsistent)
  }

  /// The core ends: weak references lead nowhere from now on. The caller is the last holder.
  @inline(never)
  func endTies() {
    guard let ties = ties(in: link) else { return }
    ties.coreDidEnd()
    // Unsafe: gives back what the word owns; nobody looks at it again.
    unsafe Unmanaged.passUnretained(ties).release()
  }
}

// MARK: - What the core waits for

extension CoreRef {
  /// Begins to wait for another core; `false` when the request has been made already, and the caller is to withdraw the vote.
  func attach(_ count: consuming Owned) -> Bool {
    let upstream = count.leak()
    return switch changeLink({ $0.attaching(upstream.address) }) {
    case .tellAtOnce: false
    case .askTies: attachTied(upstream)
    default: true
    }
  }

  /// Waits for another core no more; the count on it, unless a thread that asks has that (R1).
  @discardableResult
  func detach(_ upstream: CoreRef) -> Owned? {
    switch changeLink({ $0.detaching(upstream.address) }) {
    case .nothing: nil
    case .askTies: takeTied(upstream) ? Owned(adopting: upstream) : nil
    default: Owned(adopting: upstream)
    }
  }

  /// Begins to wait for another core, whose count goes to the ties; `false` when the request has been made already.
  private func attachTied(_ upstream: CoreRef) -> Bool {
    withTies { ties in
      precondition(ties.upstream == nil, "a promise waits for one other at a time")
      let isAsked = link.isAsked
      ties.upstream = Ties.Upstream(core: upstream, hasVote: !isAsked)
      return !isAsked
    }
  }

  /// Takes out what the ties say that the core waits for, if it is this one; whether its count goes to the caller.
  @inline(never)
  private func takeTied(_ upstream: CoreRef) -> Bool {
    withTies { ties in
      guard let found = ties.upstream, found.core == upstream else { return false }
      ties.upstream = nil
      return !found.isLent
    }
  }

  /// What this core waits for.
  ///
  /// A core that is looked at gets ties: so its count on what it waits for cannot go meanwhile.
  func upstream() -> OwnedCores {
    var found = OwnedCores()
    if linkInTotalOrder.address == 0 { return found }
    // A count that is lent is there until it is given back, under this lock.
    let counted = withTies { ties in ties.upstream.map { Owned($0.core).leak() } }
    if let counted { found.keep(Owned(adopting: counted)) }
    inputs?.keepCores(in: &found)
    return found
  }

  /// The same as an address, to be compared only, and the steps through which this core waits for several others. The caller keeps the
  /// core from ending. Nothing is made, and nothing counted.
  var awaited: (address: UInt, inputs: WaitingSteps?) {
    let link = self.link
    return link.isTied ? withTies { ($0.upstream?.core.address ?? 0, $0.inputs) } : (link.address, nil)
  }

  /// The steps through which this core waits for several others.
  var inputs: WaitingSteps? { link.isTied ? withTies { $0.inputs } : nil }

  /// Makes a core wait through steps. Nobody else has seen it.
  func gather(_ steps: WaitingSteps) { withTies { $0.inputs = steps } }
}

// MARK: - Tokens

extension CoreRef {
  /// Lets the promise tell a roster when it resolves; `false` if that is the last one that was added already.
  ///
  /// It is not told if the promise has resolved: the caller looks at that afterwards.
  func add(_ listing: Ties.Listing) -> Bool {
    withTies { ties in
      if ties.isClosed { return true }
      if ties.rosters.last?.roster === listing.roster { return false }
      // A closed roster that is a gate has to be found closed by the step.
      ties.rosters.append(listing) { !$0.isGate && $0.roster.isClosed }
      return true
    }
  }
}
