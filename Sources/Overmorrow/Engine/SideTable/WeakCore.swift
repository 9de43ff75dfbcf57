/// A reference to a core that keeps neither that nor its result: it leads to the core's side table.
struct WeakCore: Sendable {
  private let sideTable: SideTable
  private let address: UInt

  /// - Parameter isExposed: Whether a request may come by it, so that the core may not be left out of a chain.
  init(_ core: CoreRef, isExposed: Bool = true) {
    sideTable = core.sideTable
    address = core.address
    if isExposed { core.updateVotes { ($0.exposing(), ()) } }
  }

  /// Runs a closure with the core, counted for it, unless the promise is gone.
  func withCore(_ body: (CoreRef) -> Void) {
    let owned = sideTable.state.withLock { sideTable in sideTable.core.flatMap { $0.ownedIfAlive() } }
    if let owned { body(owned.core) }
  }

  /// Looks at a core that has not ended, under a lock; `nil` when it has. This makes no count: a count could be the last one, and
  /// its end runs the user's code.
  func look<Result: Sendable>(_ body: @Sendable (CoreRef) -> Result) -> Result? {
    sideTable.state.withLock { $0.core.map(body) }
  }

  /// Tells the promise from others that exist at the same time.
  var identity: String { CoreRef.identity(of: address) }

  /// Whether a request cannot mean anything any more: the promise has resolved, or is gone.
  var isSpent: Bool { look { $0.state.isResolved } ?? true }
}
