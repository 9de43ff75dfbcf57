/// What a token lists until it is invalidated next: the promises to ask, or the steps whose callbacks to suppress.
///
/// Each invalidation closes a roster, and the token takes a new one for what is to come. A roster is told of the promises that
/// resolve (`SideTable`), also of those that outlive the token: so it is an object of its own, and does not lead there.
///
/// The list is swept when so many have resolved as makes it a constant for each promise. Then what is resolved takes at most as
/// much room as what is not, or as `least`.
@usableFromInline
final class TokenRoster: Sendable {
  private let promises = Guarded<[WeakCore]>([])
  /// How many have resolved since the list was swept; more than there are if some have told that twice.
  let resolved = Atomic(0)
  /// When there are so many, the list is swept: half as many as were left the last time.
  private let sweepAt = Atomic(least)
  private let closed = Atomic(false)

  private static let least = 8

  /// Adds a promise, unless that is in the list already; it will tell when it resolves.
  ///
  /// - Parameter isGate: Whether its callback is what the token suppresses.
  /// - Returns: `false` if the roster is closed.
  func add(_ promise: CoreRef, asGate isGate: Bool = false) -> Bool {
    guard promise.add(SideTable.Listing(roster: self, isGate: isGate)) else { return true }
    let entry = WeakCore(promise, isExposed: !isGate)
    let isOpen = promises.withLock { promises in
      if isClosed { return false }
      promises.append(entry)
      return true
    }
    // E7: it may have told before it was in the list.
    if promise.stateInTotalOrder.isResolved { promiseDidResolve() }
    return isOpen
  }

  /// A promise of the list has resolved.
  func promiseDidResolve() {
    // Acquires what those released that have been counted before: they are found to be resolved.
    let count = resolved.add(1, ordering: .acquiringAndReleasing).newValue
    if count >= sweepAt.load(ordering: .relaxed) { sweep() }
  }

  @inline(never)
  private func sweep() {
    promises.withLock { promises in
      let count = resolved.load(ordering: .acquiring)
      guard count >= sweepAt.load(ordering: .relaxed) else { return }
      promises.removeAll(where: \.isSpent)
      // A new list, as the old one keeps the room that it once had.
      if promises.capacity > max(32, 4 * promises.count) { promises = promises.map { $0 } }
      sweepAt.store(max(TokenRoster.least, promises.count / 2), ordering: .relaxed)
      resolved.subtract(count, ordering: .relaxed)
    }
  }

  /// Closes the roster. What the caller did before is seen by threads that find it closed.
  ///
  /// - Returns: The promises, in the order of registration.
  func close() -> [WeakCore] {
    promises.withLock { promises in
      closed.store(true, ordering: .releasing)
      defer { promises = [] }
      return promises
    }
  }

  /// Whether nothing is in the list any more, nor will be.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// The promises, with those that have resolved and wait to be swept.
  var entries: [WeakCore] { promises.withLock { $0 } }
}
