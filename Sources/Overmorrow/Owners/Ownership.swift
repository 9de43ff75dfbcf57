/// What the copies of an ``OwnedPromise`` share: its end is the end of the chain so far.
///
/// It keeps what is owned upstream, and nothing upstream keeps it.
final class Ownership: Sendable {
  private struct Held {
    var upstream: Ownership?
    /// The end of the chain that this link waits for, if a callback has returned one.
    var adopted: Ownership?
  }

  /// Suppresses the callback of this link, and asks its promise to cancel.
  let token = PromiseInvalidationToken(invalidateOnDeinit: false)
  private let held: Guarded<Held>

  init(upstream: Ownership?) { held = Guarded(Held(upstream: upstream)) }

  deinit {
    token.invalidate()
    // The links are ended one by one, so that the end of a long chain does not recurse.
    var waiting = takeHeld()
    while var next = waiting.popLast() {
      if isKnownUniquelyReferenced(&next) { waiting += next.takeHeld() }
    }
  }

  /// Keeps another chain, or none any more.
  func adopt(_ other: Ownership?) {
    // What is replaced goes after the lock has been let go.
    let old = held.withLock { held in
      defer { held.adopted = other }
      return held.adopted
    }
    withExtendedLifetime(old) {}
  }

  private func takeHeld() -> [Ownership] {
    held.withLock { held in
      defer { held = Held() }
      return [held.upstream, held.adopted].compactMap { $0 }
    }
  }
}
