/// The state that only few cores need: cancel handlers, rosters of tokens, several inputs, weak references, and
/// upstream cores that another thread reads.
///
/// A core gets its side table when it first needs one, and keeps it to its end. The ``LinkWord`` then points to the
/// table, which contains what the word contained before. A core without a side table needs no memory for this state.
///
/// # The lock
///
/// All mutable state is behind one lock. While it is held, no user code runs, no result is published, and no other side
/// table is locked. Counts may be added, but not released. Locks are taken in the order token, roster, side table.
///
/// A thread that publishes a result reads the link word afterwards. A thread that adds a handler or a roster reads the
/// phase afterwards. Both reads are in the total order of E7. So if a handler or a roster is added while the promise
/// resolves, one of the two threads sees what the other has done.
final class SideTable: @unchecked Sendable {
  // Sendable: mutable state is behind the lock.
  struct State: Sendable {
    /// The core, without a count; `nil` after the core has ended.
    var core: CoreRef?
    /// The upstream core, with its count; `nil` if the core waits for no other core.
    var upstream: Upstream?
    var handlers = CancelHandlers()
    /// The closure that decides when the vote on the upstream core is withdrawn.
    var interceptor: RequestInterceptor?
    /// The steps through which the core waits for several others.
    var inputs: WaitingSteps?
    /// The rosters of tokens that list this core.
    var rosters = SweptList<Listing>()
    var callback = CallbackState.inPlace
    /// Whether the promise has resolved, so that nothing is added any more.
    var isClosed = false
    /// The number of waiters that have left the core's list since its last sweep, and the number of live waiters that
    /// this sweep found (`Core+Leaving`).
    var leftSinceSweep = 0
    var liveAtSweep = 0
    /// A copy of the resolver that keeps the promise unresolved until the request, or until the last handle ends.
    var keptResolver: ResolverClaim?
  }

  struct Listing: Sendable {
    let roster: TokenRoster
    /// Whether the token suppresses the step's callback. If `false`, the token asks the promise to cancel.
    let isGate: Bool

    var isShutGate: Bool { isGate && roster.isClosed }
  }

  struct Upstream: Sendable {
    let core: CoreRef
    /// Whether the vote has not been withdrawn.
    var hasVote: Bool
    /// Whether a thread is using this count to withdraw the vote. The thread began the withdrawal before the side table
    /// was made.
    var isLent = false
  }

  let state: Guarded<State>
  /// The resolver object that the handlers receive: that of the last handler that needs one. Guarded by the lock.
  weak var resolver: ResolverClaim?

  /// - Parameter link: The core's word before it moved.
  init(of core: CoreRef, _ link: LinkWord) {
    // Unsafe: the word contains the address of the upstream core.
    let upstream = link.address == 0 ? nil : unsafe CoreRef(address: link.address)
    state = Guarded(
      State(
        core: core,
        upstream: upstream.map {
          Upstream(core: $0, hasVote: link.kind == .upstream, isLent: link.kind == .asking)
        }))
    Seam.keep(self)
  }

  /// Closes the table of a resolved promise, and takes out everything that is no longer needed.
  func close() -> State {
    var closed = State(isClosed: true)
    state.withLock { sideTable in
      swap(&closed, &sideTable)
      sideTable.core = closed.core
    }
    return closed
  }

  /// Adds a handler. Returns `false` if the promise is resolved, or if the request was already made.
  ///
  /// - Parameter isKept: Whether the handler keeps a copy of the resolver.
  func add(
    _ handler: @escaping CancelHandlers.Handler, from resolver: ResolverClaim?, to core: CoreRef, isKept: Bool
  ) -> Bool {
    state.withLock { sideTable in
      if sideTable.isClosed || core.link.isAsked { return false }
      if let resolver { self.resolver = resolver }
      // A promise has one resolver object with a claim, so the second copy would be the same.
      if isKept, sideTable.keptResolver == nil { sideTable.keptResolver = resolver }
      sideTable.handlers.append(handler)
      return true
    }
  }

  func coreDidEnd() { state.withLock { $0.core = nil } }
}

enum CallbackState: Sendable {
  /// In the payload.
  case inPlace
  /// Taken by the thread that runs the step or forwards its result.
  case taken
  /// Released, because a token was invalidated.
  case dropped
}
