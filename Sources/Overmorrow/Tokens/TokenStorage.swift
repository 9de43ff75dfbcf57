/// What the copies of a token share; its end is the token's.
///
/// Under the lock there are a gate and lists; promises are asked after it has been let go.
final class TokenStorage: Sendable {
  private struct State {
    var gate = Gate()
    var roster: TokenRoster?
    var relations = TokenRelations()
  }

  private let state = Guarded(State())
  let invalidateOnDeinit: Bool

  init(invalidateOnDeinit: Bool) { self.invalidateOnDeinit = invalidateOnDeinit }

  deinit {
    if invalidateOnDeinit { invalidate(suppressing: true) }
    let (roster, relations) = state.withLock { ($0.roster, $0.relations) }
    _ = roster?.close()
    for follower in relations.followers.tokens { _ = follower.change { $0.followed.oneDidEnd() } }
    for followed in relations.followed.tokens { _ = followed.change { $0.followers.oneDidEnd() } }
  }

  // MARK: Registering

  /// What the callbacks that are registered now have to look at.
  var gate: Gate { register { $0.gate } }

  /// Asks a promise to cancel at the next invalidation.
  func add(_ promise: PromiseHandle) {
    register { state in
      if let roster = state.roster { return roster.add(promise) }
      let roster = TokenRoster()
      state.roster = roster
      roster.add(promise)
    }
  }

  /// Registers something, of which all tokens that this one follows have to know that it is there.
  private func register<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
    while true {
      let result = state.withLock { state -> Result? in state.relations.isQuiet ? nil : body(&state) }
      if let result { return result }
      TokenForest.wake(self)
    }
  }

  // MARK: Looking

  /// The promises that the next invalidation asks to cancel, and the tokens that follow this one.
  var contents: (promises: [WeakCore], followers: [TokenStorage]) {
    // The tokens may end when the caller lets go of them, so not under the lock.
    let (roster, followers) = state.withLock { ($0.roster, $0.relations.followers.tokens) }
    return (roster?.entries.filter { !$0.isSpent } ?? [], followers)
  }

  /// The promises, if there are any.
  var roster: TokenRoster? { state.withLock { $0.roster } }

  /// How long the lists are, with what is resolved, or has ended, and waits to be swept.
  var entryCount: Int {
    state.withLock {
      ($0.roster?.entries.count ?? 0) + $0.relations.followers.count + $0.relations.followed.count
    }
  }

  // MARK: Invalidating

  /// Whom an invalidation concerns.
  struct Taken: Sendable {
    /// The callbacks that are suppressed.
    var callbacks: [GateMember.Chain] = []
    /// The promises to ask, in the order of registration.
    var promises: [WeakCore] = []

    static func += (left: inout Taken, right: Taken) {
      left.callbacks += right.callbacks
      left.promises += right.promises
    }
  }

  /// First every callback is suppressed that this token and those that follow it have, then every promise is asked, so that
  /// none of the callbacks sees the cancellation of another's promise.
  func invalidate(suppressing: Bool) {
    let alone = state.withLock { state in
      state.relations.followers.isEmpty ? TokenStorage.take(from: &state, suppressing: suppressing) : nil
    }
    let taken = alone ?? TokenForest.take(from: self, suppressing: suppressing)
    let suppressed = taken.callbacks.flatMap { $0.drop() }
    RequestLoop.together { for promise in taken.promises { promise.requestCancel() } }
    // The last step of a chain first: then nobody waits for the one before it.
    for callback in suppressed.reversed() { callback.endStep() }
  }

  /// Shuts the gate if asked to, and hands out whom that concerns; `nil` for a token that is quiet, with all that follow it.
  func takeOne(suppressing: Bool) -> (taken: Taken, followers: [TokenStorage])? {
    state.withLock { state in
      if state.relations.isQuiet { return nil }
      let taken = TokenStorage.take(from: &state, suppressing: suppressing)
      return (taken, state.relations.followers.tokens(forCancel: !suppressing))
    }
  }

  /// The gate is shut under the lock: whoever finds a new one knows that the old one is shut.
  private static func take(from state: inout State, suppressing: Bool) -> Taken {
    var taken = Taken()
    if suppressing {
      if !state.relations.isQuiet {
        taken.callbacks = [state.gate.close()]
        state.gate = Gate()
      }
      state.relations.isQuiet = !state.relations.followed.isEmpty
    }
    taken.promises = state.roster?.close() ?? []
    state.roster = nil
    return taken
  }

  // MARK: Relations

  /// Changes the relations. Tokens that were looked at may end when the result goes, so not under the lock.
  func change<Result: Sendable>(_ body: @Sendable (inout TokenRelations) -> Result) -> Result {
    state.withLock { body(&$0.relations) }
  }
}
