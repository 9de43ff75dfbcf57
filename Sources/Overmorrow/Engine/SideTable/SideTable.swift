/// What few cores need: cancel handlers, rosters of tokens, several inputs, a weak reference, or being looked at by others.
///
/// A core gets its side table when it first needs it, and keeps it to its end. The ``LinkWord`` leads to it, and what it said
/// before is in here from then on. A core without a side table pays nothing for all of this.
///
/// # The lock
///
/// Everything that changes is behind one lock, under which no code of a user runs, nothing is published, and no other side table
/// are locked: at most counts are made. Locks are taken in the order token, roster, side table.
///
/// A thread that publishes looks at the link word afterwards, and a thread that adds something looks at the phase afterwards;
/// both looks are in the total order of E7. So a handler or roster that is added while the promise resolves is found by one of
/// the two.
///
/// # Without a resolver
///
/// A promise whose resolvers are gone is cancelled, unless it has a handler that is given a resolver, and there is a handle
/// or a vote, through which it can still be asked. Then the side table keeps the claim of the producer that has ended, with its
/// count (`keepsClaim`): until a request, which gives it to the handlers, or until the last handle or vote is gone. The bit
/// `w` of the ``VoteWord`` tells the threads that drop those to look in here.
///
/// A request that comes while the producer ends finds no resolver any more, and no claim yet. It leaves the handlers where they are
/// and notes that (`requestWaits`); the producer finds the note, keeps its claim, and makes the request.
final class SideTable: @unchecked Sendable {
  // Sendable: what changes is behind the lock.
  struct State: Sendable {
    /// The core, until it ends. This reference makes no count.
    var core: CoreRef?
    /// What the core waits for, counted.
    var upstream: Upstream?
    var handlers = CancelHandlers()
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
    var leftSinceSweep = 0
    var liveAtSweep = 0
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
    /// A thread uses this count to withdraw the vote, since before there were a side table.
    var isLent = false
  }

  let state: Guarded<State>
  /// The producer through which handlers were registered: all of them are given the same. Under the lock.
  weak var producer: Producer?

  /// - Parameter link: What the core's word has said so far.
  init(of core: CoreRef, _ link: LinkWord) {
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
    state.withLock { sideTable in
      swap(&closed, &sideTable)
      sideTable.core = closed.core
    }
    return closed
  }

  /// Adds a handler; `false` if the promise is resolved, `nil` if the request has been made.
  ///
  /// - Parameter producer: What handlers are given that need a producer, as long as it is there.
  func add(_ handler: CancelHandler, from producer: Producer?, to core: CoreRef) -> Bool? {
    state.withLock { sideTable in
      if let producer { self.producer = producer }
      if sideTable.isClosed { return false }
      if core.link.isAsked { return nil }
      sideTable.handlers.append(handler)
      return true
    }
  }

  /// The core has ended.
  func coreDidEnd() { state.withLock { $0.core = nil } }
}

/// Where the callback of a step is.
enum CallbackState: Sendable {
  /// In the payload.
  case inPlace
  /// With the thread that runs the step, or passes its result on.
  case taken
  /// Released, as a token was invalidated.
  case dropped
}
