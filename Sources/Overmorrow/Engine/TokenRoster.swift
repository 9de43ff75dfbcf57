/// The promises that a token asks to cancel when it is invalidated next.
///
/// Each invalidation closes the roster, and the token takes a new one for the promises to come. It is told of those that
/// resolve (`RostersWord`), also by promises that outlive the token: so it is an object of its own, and does not lead there.
///
/// The list is swept when so many have resolved as makes it a constant for each promise. Then what is resolved takes at most as
/// much room as what is not, or as `least`.
final class TokenRoster: Sendable {
  private let promises = Guarded<[WeakCore]>([])
  /// How many have resolved since the list was swept; more than there are if some have told that twice.
  let resolved = Atomic(0)
  /// When there are so many, the list is swept: half as many as were left the last time.
  private let sweepAt = Atomic(least)
  private let closed = Atomic(false)

  private static let least = 8

  /// Adds a promise, unless that is in the list already; it will tell when it resolves. The caller holds the lock of the
  /// token, so that nobody else adds anything or closes this.
  func add(_ promise: PromiseHandle) {
    guard promise.add(self) else { return }
    promises.withLock { $0.append(WeakCore(promise)) }
    // E7: it may have told before it was in the list.
    if promise.core.stateInTotalOrder.isResolved { promiseDidResolve() }
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

  /// The promises, in the order of registration. The caller holds the lock of the token, or is its end.
  func close() -> [WeakCore] {
    closed.store(true, ordering: .relaxed)
    return promises.withLock { promises in
      defer { promises = [] }
      return promises
    }
  }

  /// Whether nothing is in the list any more, nor will be.
  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// The promises, with those that have resolved and wait to be swept.
  var entries: [WeakCore] { promises.withLock { $0 } }
}
