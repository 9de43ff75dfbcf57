/// What the copies of a token share.
///
/// Under the lock there are lists and a gate; promises are asked after it has been let go.
final class TokenStorage: Sendable {
  /// A token that follows this one.
  struct Child: Sendable {
    weak let storage: TokenStorage?
    let includingCancel: Bool
  }

  private struct State {
    var gate = Gate()
    var promises: [WeakCore] = []
    var children: [Child] = []
    /// The lists are swept when they have grown to this, so that sweeping costs a constant per entry, and what is
    /// spent takes at most as much room as what is not.
    var sweepAt = 16

    /// - Returns: The tokens that were looked at. They may end when the caller lets go of them, so not under the lock.
    mutating func sweepIfGrown() -> [TokenStorage] {
      guard promises.count + children.count >= sweepAt else { return [] }
      promises.removeAll { $0.isSpent }
      let alive = children.map(\.storage)
      children = zip(children, alive).compactMap { child, storage in storage == nil ? nil : child }
      sweepAt = max(16, 2 * (promises.count + children.count))
      return alive.compactMap { $0 }
    }
  }

  private let state = Guarded(State())
  let invalidateOnDeinit: Bool

  init(invalidateOnDeinit: Bool) { self.invalidateOnDeinit = invalidateOnDeinit }

  deinit {
    guard invalidateOnDeinit else { return }
    let (promises, children) = take(suppressing: true)
    TokenStorage.invalidate(children.compactMap(\.storage), suppressing: true, asking: promises)
  }

  var gate: Gate { state.withLock { $0.gate } }

  /// The promises that the next invalidation asks to cancel, and the tokens that follow this one.
  var contents: (promises: [WeakCore], followers: [TokenStorage]) {
    // The tokens may end when the caller lets go of them, so not under the lock.
    let (promises, followers) = state.withLock { ($0.promises, $0.children.map(\.storage)) }
    return (promises.filter { !$0.isSpent }, followers.compactMap { $0 })
  }

  /// How long the lists are, with what is spent.
  var entryCount: Int { state.withLock { $0.promises.count + $0.children.count } }

  func add(_ promise: WeakCore) {
    let looked = state.withLock { state in
      let looked = state.sweepIfGrown()
      state.promises.append(promise)
      return looked
    }
    withExtendedLifetime(looked) {}
  }

  func add(_ child: Child) {
    let looked = state.withLock { state in
      let looked = state.sweepIfGrown()
      state.children.append(child)
      return looked
    }
    withExtendedLifetime(looked) {}
  }

  /// Shuts the gate if asked to, and hands out whom that concerns.
  ///
  /// The gate is shut under the lock: whoever finds a new one knows that the old one is shut.
  private func take(suppressing: Bool) -> (promises: [WeakCore], children: [Child]) {
    state.withLock { state in
      if suppressing {
        state.gate.close()
        state.gate = Gate()
      }
      defer { state.promises = [] }
      return (state.promises, state.children)
    }
  }

  static func invalidate(_ storage: TokenStorage, suppressing: Bool) {
    invalidate([storage], suppressing: suppressing, asking: [])
  }

  /// Walks the tree: first every callback in it is suppressed, then every promise is asked, so that none of the
  /// callbacks sees the cancellation of another's promise.
  private static func invalidate(_ roots: [TokenStorage], suppressing: Bool, asking first: [WeakCore]) {
    var promises = first
    var waiting = roots
    var seen = Set(roots.map(ObjectIdentifier.init))
    // A token that ends meanwhile must not give its identity to a new one.
    var kept = roots
    while let storage = waiting.popLast() {
      let (taken, children) = storage.take(suppressing: suppressing)
      promises += taken
      for child in children where suppressing || child.includingCancel {
        guard let next = child.storage, seen.insert(ObjectIdentifier(next)).inserted else { continue }
        waiting.append(next)
        kept.append(next)
      }
    }
    withExtendedLifetime(kept) {}
    for promise in promises { promise.requestCancel() }
  }
}
