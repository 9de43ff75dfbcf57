/// A weak reference to a core, through its side table. It keeps neither the core nor its result.
struct WeakCore: Sendable {
  private let sideTable: SideTable
  private let address: UInt

  /// - Parameter isExposed: Whether a request may come through this reference, so that the core must stay in its chain.
  init(_ core: CoreRef, isExposed: Bool = true) {
    sideTable = core.sideTable
    address = core.address
    if isExposed { core.updateVotes { ($0.exposing(), ()) } }
  }

  /// Runs a closure with the core, which has a count meanwhile, unless the core has ended.
  func withCore(_ body: (CoreRef) -> Void) {
    let owned = sideTable.state.withLock { sideTable in sideTable.core.flatMap { $0.ownedIfAlive() } }
    if let owned { body(owned.core) }
  }

  /// Reads a core under the lock; `nil` if it has ended. This adds no count, because that count could become the last
  /// one, whose release runs user code.
  func read<Result: Sendable>(_ body: @Sendable (CoreRef) -> Result) -> Result? {
    sideTable.state.withLock { $0.core.map(body) }
  }

  /// Identifies the promise among those that exist at the same time.
  var identity: String { CoreRef.identity(of: address) }

  /// Whether a request would have no effect, because the promise has resolved or no longer exists.
  var isSpent: Bool { read { $0.state.isResolved } ?? true }
}
