/// A weak reference to a core, through its side table. The reference keeps neither the core nor the result.
package struct WeakCore: Sendable {
  private let sideTable: SideTable
  private let address: UInt

  /// - Parameter isExposed: Whether a request may come through this reference, so that the core must stay in its chain.
  package init(_ core: CoreRef, isExposed: Bool = true) {
    sideTable = core.sideTable
    address = core.address
    if isExposed { core.updateVotes { ($0.exposing(), ()) } }
  }

  /// Runs a closure with the core, and has a count on the core meanwhile. If the core has ended, does nothing.
  package func withCore(_ body: (CoreRef) -> Void) {
    let owned = sideTable.state.withLock { sideTable in sideTable.core.flatMap { $0.ownedIfAlive() } }
    if let owned { body(owned.core) }
  }

  /// Runs a closure with the core under the lock, and returns its result. If the core has ended, returns `nil`. This
  /// function adds no count, because the release of this count could be the last one, and would then run user code.
  package func read<Result: Sendable>(_ body: @Sendable (CoreRef) -> Result) -> Result? {
    sideTable.state.withLock { $0.core.map(body) }
  }

  /// The core's address as text. It identifies the promise among those that exist at the same time.
  package var identity: String { CoreRef.identity(of: address) }

  /// Whether a request would have no effect, because the promise has resolved or no longer exists.
  package var isSpent: Bool { read { $0.state.isResolved } ?? true }
}
