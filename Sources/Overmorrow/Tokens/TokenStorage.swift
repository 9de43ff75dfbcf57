internal import OvermorrowEngine

/// The state that the copies of a token share. The token ends when this object is deallocated.
///
/// The lock guards the lists. Promises are asked to cancel after the lock has been released.
final class TokenStorage: Sendable {
  private struct State {
    /// The steps whose callbacks the next invalidation suppresses.
    var callbacks = TokenRoster()
    /// The promises that the next invalidation asks to cancel.
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
    for follower in relations.followers.tokens { _ = follower.change { $0.followed.tokenDidEnd() } }
    for followed in relations.followed.tokens { _ = followed.change { $0.followers.tokenDidEnd() } }
  }

  // MARK: Registering

  var callbackRoster: TokenRoster { register { $0.callbacks } }

  /// Asks a promise to cancel at the next invalidation.
  func add(_ promise: PromiseHandle) {
    register { state in
      let roster = state.roster ?? TokenRoster()
      state.roster = roster
      _ = roster.add(promise.core)
    }
  }

  /// Registers a callback or a promise. If this token is idle, first marks this token and the tokens that it follows as
  /// active.
  private func register<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
    while true {
      let result = state.withLock { state -> Result? in state.relations.isIdle ? nil : body(&state) }
      if let result { return result }
      TokenForest.markActive(self)
    }
  }

  // MARK: Looking

  /// The promises that the next invalidation asks to cancel, and the tokens that follow this one.
  var contents: (promises: [WeakCore], followers: [TokenStorage]) {
    // A token may end when it is released, so the tokens are released after the lock has been released.
    let (roster, followers) = state.withLock { ($0.roster, $0.relations.followers.tokens) }
    return (roster?.entries.filter { !$0.isSpent } ?? [], followers)
  }

  var roster: TokenRoster? { state.withLock { $0.roster } }

  /// The number of entries in the lists of promises and tokens. An entry of a resolved promise or an ended token counts
  /// until it is swept.
  var entryCount: Int {
    state.withLock { ($0.roster?.entries.count ?? 0) + $0.relations.followers.count + $0.relations.followed.count }
  }

  // MARK: Invalidating

  /// The callbacks and promises that an invalidation affects.
  struct Taken: Sendable {
    /// The steps whose callbacks are suppressed.
    var callbacks: [WeakCore] = []
    /// The promises to ask to cancel, in the order of registration.
    var promises: [WeakCore] = []

    static func += (left: inout Taken, right: Taken) {
      left.callbacks += right.callbacks
      left.promises += right.promises
    }
  }

  /// If `suppressing` is `true`, suppresses every callback of this token and of its followers. Then asks every promise
  /// of these tokens to cancel. Because of this order, no suppressed callback receives the cancellation of another
  /// promise.
  func invalidate(suppressing: Bool) {
    let withoutFollowers = state.withLock { state in
      state.relations.followers.isEmpty ? TokenStorage.take(from: &state, suppressing: suppressing) : nil
    }
    let taken = withoutFollowers ?? TokenForest.take(from: self, suppressing: suppressing)
    let suppressed = taken.callbacks.filter { $0.takeCallbackOut() != nil }
    RequestLoop.together { for promise in taken.promises { promise.requestCancel() } }
    // The last step of a chain ends first, so that the step before it then has no waiter.
    for step in suppressed.reversed() { step.suppressCallback() }
  }

  /// Closes and returns the lists. The list of callbacks is included only if `suppressing` is `true`. Returns `nil` for
  /// an idle token.
  func takeOne(suppressing: Bool) -> (taken: Taken, followers: [TokenStorage])? {
    state.withLock { state in
      if state.relations.isIdle { return nil }
      let taken = TokenStorage.take(from: &state, suppressing: suppressing)
      return (taken, state.relations.followers.tokens(forCancel: !suppressing))
    }
  }

  /// Takes the lists out and closes them under the lock, so that a thread that finds new lists knows that the old lists
  /// are closed.
  private static func take(from state: inout State, suppressing: Bool) -> Taken {
    var taken = Taken()
    if suppressing {
      if !state.relations.isIdle {
        taken.callbacks = state.callbacks.close()
        state.callbacks = TokenRoster()
      }
      state.relations.isIdle = !state.relations.followed.isEmpty
    }
    taken.promises = state.roster?.close() ?? []
    state.roster = nil
    return taken
  }

  // MARK: Relations

  /// Changes the relations. The caller must not release the result under a lock, because tokens in the result may then
  /// end.
  func change<Result: Sendable>(_ body: @Sendable (inout TokenRelations) -> Result) -> Result {
    state.withLock { body(&$0.relations) }
  }
}
