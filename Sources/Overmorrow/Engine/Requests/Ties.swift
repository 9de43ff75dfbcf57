/// What few cores need: cancel handlers, rosters of tokens, several inputs, a weak reference, or being looked at by others.
///
/// A core gets its ties when it first needs them, and keeps them to its end. The ``LinkWord`` leads to them, and what it said
/// before is in here from then on. A core without ties pays nothing for all of this.
///
/// # The lock
///
/// Everything that changes is behind one lock, under which no code of a user runs, nothing is published, and no other ties
/// are locked: at most counts are made. Locks are taken in the order token, roster, ties.
///
/// A thread that publishes looks at the link word afterwards, and a thread that adds something looks at the phase afterwards;
/// both looks are in the total order of E7. So a handler or roster that is added while the promise resolves is found by one of
/// the two.
///
/// # Without a resolver
///
/// A promise whose resolvers are gone is cancelled, unless it has a handler that is given a resolver, and there is a handle
/// or a vote, through which it can still be asked. Then the ties keep the claim of the producer that has ended, with its
/// count (`keepsClaim`): until a request, which gives it to the handlers, or until the last handle or vote is gone. The bit
/// `w` of the ``VoteWord`` tells the threads that drop those to look in here.
///
/// A request that comes while the producer ends finds no resolver any more, and no claim yet. It leaves the handlers where they are
/// and notes that (`requestWaits`); the producer finds the note, keeps its claim, and makes the request.
final class Ties: @unchecked Sendable {
  // Sendable: what changes is behind the lock.
  struct State: Sendable {
    /// The core, until it ends. This reference makes no count.
    var core: CoreRef?
    /// What the core waits for, counted.
    var upstream: Upstream?
    /// In the order of registration: the first one, which most are alone, and the others.
    var firstHandler: CancelHandler?
    var moreHandlers: [CancelHandler] = []
    /// Decides when the vote on `upstream` is withdrawn.
    var interceptor: (@Sendable (CoreRef, PassOn) -> Void)?
    /// The steps through which the core waits for several others.
    var inputs: WaitingSteps?
    /// The rosters of tokens that list this core.
    var rosters = SweptList<Listing>()
    var callback = CallbackState.inPlace
    /// Resolved: nothing is added any more.
    var isClosed = false
    var keepsClaim = false
    var requestWaits = false
    /// How many have left the core's list since it was gone through, and how many stayed then (`Core+Leaving`).
    var departures = 0
    var staying = 0

    /// Whether one of the handlers is given a producer.
    var needsProducer: Bool { firstHandler?.needsProducer == true || moreHandlers.contains(where: \.needsProducer) }
  }

  struct Listing: Sendable {
    let roster: TokenRoster
    /// The token suppresses the step's callback; otherwise it asks the promise to cancel.
    let isGate: Bool

    var isShutGate: Bool { isGate && roster.isClosed }
  }

  struct Upstream: Sendable {
    let core: CoreRef
    /// The vote has not been withdrawn.
    var hasVote: Bool
    /// A thread uses this count to withdraw the vote, since before there were ties.
    var isLent = false
  }

  let state: Guarded<State>
  /// The producer through which handlers were registered: all of them are given the same. Under the lock.
  weak var producer: Producer?

  /// That producer; or if it has gone, and the promise adopts another one, one that can do nothing.
  func livingProducer(of core: CoreRef) -> Producer? { producer ?? Producer.late(core) }

  /// - Parameter link: What the core's word has said so far.
  fileprivate init(of core: CoreRef, _ link: LinkWord) {
    let upstream = link.address == 0 ? nil : CoreRef(address: link.address)
    state = Guarded(
      State(
        core: core,
        upstream: upstream.map {
          Upstream(core: $0, hasVote: link.kind == .upstream, isLent: link.kind == .asking)
        }))
    Seam.keep(self)
  }

  /// The promise is resolved: takes out all that was for the time before.
  func close() -> State {
    var closed = State(isClosed: true)
    state.withLock { ties in
      swap(&closed, &ties)
      ties.core = closed.core
    }
    return closed
  }

  /// The core has ended.
  fileprivate func coreDidEnd() { state.withLock { $0.core = nil } }
}

// MARK: - From a core

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
  /// Begins to wait for another core, whose count goes to the ties; `false` when the request has been made already.
  func attachTied(_ upstream: CoreRef) -> Bool {
    withTies { ties in
      precondition(ties.upstream == nil, "a promise waits for one other at a time")
      let isAsked = link.isAsked
      ties.upstream = Ties.Upstream(core: upstream, hasVote: !isAsked)
      return !isAsked
    }
  }

  /// Takes out what the ties say that the core waits for, if it is this one; whether its count goes to the caller.
  @inline(never)
  func takeTied(_ upstream: CoreRef) -> Bool {
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
