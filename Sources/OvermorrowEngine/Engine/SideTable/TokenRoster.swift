/// The list that a token has until its next invalidation. It contains the promises to ask to cancel, and the steps
/// whose callbacks are to be suppressed.
///
/// Each invalidation closes a roster, and the token takes a new one. Promises notify their rosters when they resolve
/// (`SideTable`), and may outlive the token. So a roster is a separate object, without a reference to the token.
///
/// The list is swept when so many promises have resolved that the amortised cost of each promise is constant. The
/// number of resolved entries is at most that of the other entries, or at most `least`.
@usableFromInline
package final class TokenRoster: Sendable {
  private let promises = Guarded<[WeakCore]>([])
  /// The number of promises that have resolved since the last sweep. The number is too large if some promises have
  /// notified the roster twice.
  let resolved = Atomic(0)
  /// The value of `resolved` at which the list is swept: half of what the last sweep left.
  private let sweepAt = Atomic(least)
  private let closed = Atomic(false)

  private static let least = 8

  package init() {}

  /// Adds a promise. The promise notifies the roster when the promise resolves. If this roster is the one that was last
  /// added to the promise, does nothing.
  ///
  /// - Parameter isGate: Whether the token suppresses the promise's callback.
  /// - Returns: `false` if the roster is closed.
  package func add(_ promise: CoreRef, asGate isGate: Bool = false) -> Bool {
    guard promise.add(SideTable.Listing(roster: self, isGate: isGate)) else { return true }
    let entry = WeakCore(promise, isExposed: !isGate)
    let isOpen = promises.withLock { promises in
      if isClosed { return false }
      promises.append(entry)
      return true
    }
    // E7: the promise may have resolved before it was in the list.
    if promise.stateInTotalOrder.isResolved { promiseDidResolve() }
    return isOpen
  }

  /// Records that a promise of the list has resolved.
  func promiseDidResolve() {
    // The addition acquires what earlier notifications released, so that the sweep finds those promises resolved.
    let count = resolved.add(1, ordering: .acquiringAndReleasing).newValue
    if count >= sweepAt.load(ordering: .relaxed) { sweep() }
  }

  @inline(never)
  private func sweep() {
    promises.withLock { promises in
      let count = resolved.load(ordering: .acquiring)
      guard count >= sweepAt.load(ordering: .relaxed) else { return }
      promises.removeAll(where: \.isSpent)
      // The entries move to a new list, because the old list would keep its capacity.
      if promises.capacity > max(32, 4 * promises.count) { promises = promises.map { $0 } }
      sweepAt.store(max(TokenRoster.least, promises.count / 2), ordering: .relaxed)
      resolved.subtract(count, ordering: .relaxed)
    }
  }

  /// Closes the roster. Threads that find the roster closed see what the caller did before this call.
  ///
  /// - Returns: The promises, in the order of registration.
  package func close() -> [WeakCore] {
    promises.withLock { promises in
      closed.store(true, ordering: .releasing)
      defer { promises = [] }
      return promises
    }
  }

  /// Whether the roster is closed, so that its list stays empty.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// The promises, including resolved ones that were not swept yet.
  package var entries: [WeakCore] { promises.withLock { $0 } }
}
