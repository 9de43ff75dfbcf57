/// An uncounted reference to a core, and the only way to one.
///
/// It owns nothing. Each function says which count makes it valid; `Core+Memory.swift` says what a count is.
@usableFromInline
@safe
struct CoreRef: Equatable, @unchecked Sendable {
  // Sendable: everything mutable behind the pointer is atomic, or has one owner at a time (`StateWord`, "Who may touch").
  @usableFromInline
  let pointer: UnsafeMutablePointer<CoreState>

  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutablePointer<CoreState>) { unsafe self.pointer = pointer }

  /// The core at an address that was taken from a word.
  @inline(__always)
  init(address: UInt) {
    // Unsafe: the words only ever hold zero, tags, and addresses of cores on which they own a count (I4, R1).
    unsafe self.pointer = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  @inline(__always)
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  @usableFromInline
  static func == (left: CoreRef, right: CoreRef) -> Bool { unsafe left.pointer == right.pointer }
}

// MARK: - The words

extension CoreRef {
  /// The phase, with all that its producer did before (E1).
  @inline(__always)
  var state: StateWord {
    // Unsafe: the caller holds a count on this core, so the memory is there.
    unsafe StateWord(bits: pointer.pointee.state.load(ordering: .acquiring))
  }

  /// The kind of the result, or `nil`; the payload may be read when it is not `nil` (E1).
  @usableFromInline
  var outcome: Outcome? { state.outcome }

  var hasBeenAskedToCancel: Bool {
    // Unsafe: as for `state`.
    unsafe RequestWord(bits: pointer.pointee.request.load(ordering: .acquiring)).isAsked
  }

  /// The same, in the one order in which all threads see the changes of all words (E7).
  var hasBeenAskedInTotalOrder: Bool {
    // Unsafe: as for `state`.
    unsafe RequestWord(bits: pointer.pointee.request.load(ordering: .sequentiallyConsistent)).isAsked
  }

  /// The phase, in the one order in which all threads see the changes of all state words (E7).
  var stateInTotalOrder: StateWord {
    // Unsafe: as for `state`.
    unsafe StateWord(bits: pointer.pointee.state.load(ordering: .sequentiallyConsistent))
  }

  var votesNow: VoteWord {
    // Unsafe: as for `state`.
    unsafe VoteWord(bits: pointer.pointee.votes.load(ordering: .acquiring))
  }

  /// The one loop that changes the state word: `transition` is pure, and returns `nil` to leave the word alone (I7).
  @inline(__always)
  private func updateState<Action>(_ transition: (StateWord) -> (StateWord, Action)?) -> Action? {
    // Unsafe: the caller holds a count on this core, so the memory is there.
    var old = unsafe pointer.pointee.state.load(ordering: .relaxed)
    while let (new, action) = transition(StateWord(bits: old)) {
      // E1, E2, E4, E7: every change publishes, sees what came before, and has a place in one total order.
      let (exchanged, current) = unsafe pointer.pointee.state.weakCompareExchange(
        expected: old, desired: new.bits, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
      if exchanged { return action }
      old = current
    }
    return nil
  }

  /// The same loop for the votes; each change publishes what was done before it.
  @inline(__always)
  func updateVotes<Action>(_ transition: (VoteWord) -> (VoteWord, Action)) -> Action {
    // Unsafe: the caller holds a count on this core, so the memory is there.
    var old = unsafe pointer.pointee.votes.load(ordering: .relaxed)
    while true {
      let (new, action) = transition(VoteWord(bits: old))
      let (exchanged, current) = unsafe pointer.pointee.votes.weakCompareExchange(
        expected: old, desired: new.bits, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return action }
      old = current
    }
  }

  /// The same loop for requests (E6); it waits while another thread makes a count from the word's (R4).
  @inline(__always)
  func updateRequest(
    _ transition: (RequestWord) -> (word: RequestWord, action: RequestWord.Action)
  )
    -> RequestWord.Action
  {
    // Unsafe: the caller holds a count on this core, so the memory is there.
    var old = unsafe pointer.pointee.request.load(ordering: .acquiring)
    while true {
      let (new, action) = transition(RequestWord(bits: old))
      if action == .wait {
        Borrowing.wait(for: self)
        old = unsafe pointer.pointee.request.load(ordering: .acquiring)
        continue
      }
      if new.bits == old, !action.isLinking { return action }
      let (exchanged, current) = unsafe pointer.pointee.request.weakCompareExchange(
        expected: old, desired: new.bits, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
      if exchanged { return action }
      old = current
    }
  }
}

// MARK: - The transitions, applied

extension CoreRef {
  /// Puts a waiter into the list, unless the core is closed. The waiter's fields are published by it (E2).
  func push(_ waiter: CoreRef) -> StateWord.PushAction {
    // Every word has an answer to a push, so the loop ends with one.
    updateState { word in
      let (new, linking, action) = word.pushing(waiter.address)
      guard action == .registered else { return nil }
      waiter.link(to: linking)
      return (new, action)
    } ?? .deliverYourself
  }

  /// Takes the right to resolve; `true` once, for one caller (I3).
  func claim() -> Bool {
    if claimUnlessHeld() { return true }
    // It was suspended just now, or has been let go since.
    let word = state
    if word.isHeld || word.isPending { return Suspensions.claim(self) }
    // The caller may let go of the core through an object's reference count, which ThreadSanitizer does not see: this
    // orders what it has read before the core's destruction (E5), and costs the loser of a race only.
    unsafe pointer.pointee.count.add(0, ordering: .releasing)
    return false
  }

  /// Takes the right to resolve, but not of a core that is suspended.
  @inline(__always)
  func claimUnlessHeld() -> Bool { updateState({ word in word.claiming().map { ($0, true) } }) == true }

  /// Hands the claim over to the core about to be adopted; `false` if this one has been cancelled while suspended.
  func handClaimToAdopted() -> Bool { adoptUnlessHeld() || Suspensions.adopt(self) }

  /// The same, but not for a core that is suspended.
  @inline(__always)
  func adoptUnlessHeld() -> Bool {
    updateState { word in
      let new = word.adopting()
      return (new, new.phase == .adopting)
    } == true
  }

  /// Takes the claim of an adopting core; `true` once (I3).
  func takeAdopted() -> Bool {
    updateState { word in word.taking().map { ($0, true) } } ?? false
  }

  /// Tells everybody that the payload is in place.
  @inline(__always)
  func markPublished(_ outcome: Outcome) -> StateWord.PublishAction {
    updateState { $0.publishing(outcome) } ?? .finished
  }

  /// The waiter registered last. The caller is the drainer of this core, which is open; so the waiter stays there.
  @inline(__always)
  var newestWaiter: CoreRef { CoreRef(address: state.list) }

  /// Takes the waiters, first registered first. The caller is the drainer, and somebody waits.
  func takeWaiters() -> CoreRef {
    // Every open word with a waiter has an answer, so the loop ends with one.
    CoreRef.reversed(
      updateState { word in
        let (new, list) = word.handingOut()
        return (new, list)
      } ?? 0)
  }

  /// Ends the list, unless somebody waits but `waiter`, which is taken out. The caller is the drainer.
  @inline(__always)
  func end(_ end: StateWord.End, taking waiter: CoreRef? = nil) -> Bool {
    updateState { word in word.ending(end, taking: waiter?.address ?? 0).map { ($0, true) } } == true
  }

  /// Takes the latecomers, first registered first, and lets them queue. The caller is the drainer, and holds the lock of
  /// the queue.
  func share() -> CoreRef {
    CoreRef.reversed(
      updateState { word in
        let (new, list) = word.sharing()
        return (new, list)
      } ?? 0)
  }

  /// All have been started (E3). A plain store: nothing else can happen to a list that has ended.
  @inline(__always)
  func close() {
    // Relaxed: the caller has ended the list, or has the lock of the latecomers, as those had who did. Unsafe: the caller holds
    // a count on this core, or has the handle.
    let ended = unsafe StateWord(bits: pointer.pointee.state.load(ordering: .relaxed))
    unsafe pointer.pointee.state.store(ended.closing().bits, ordering: .releasing)
  }

  /// Takes out the only waiter. The caller knows that nobody else can change the list.
  func removeSoleWaiter(_ waiter: CoreRef) {
    let done: Void? = updateState { word in word.removing(waiter.address).map { ($0, ()) } }
    precondition(done != nil, "the list of a sealed and claimed core has changed")
  }

  /// Suspends; what the core was before, or `nil` when it is suspended or resolved.
  func hold() -> StateWord.Phase? {
    updateState { word in word.holding().map { ($0.word, $0.from) } }
  }

  /// Ends the suspension.
  func letGo(to phase: StateWord.Phase) { _ = updateState { ($0.lettingGo(to: phase), ()) } }

  /// Cancels a core that is suspended.
  func markHeldCancelled() -> StateWord.PublishAction { updateState { $0.cancellingHeld() } ?? .refused }

  private func link(to address: UInt) {
    // Unsafe: only the waiter's owner pushes it, and nobody else sees it before the push succeeds (E2).
    unsafe pointer.pointee.next = address == 0 ? nil : CoreRef(address: address)
  }

  /// The list that starts at `address`, turned round.
  private static func reversed(_ address: UInt) -> CoreRef {
    var node = CoreRef(address: address)
    var done: CoreRef?
    // Unsafe: the list was taken out of the word, so its nodes belong to this thread (I4, E2).
    while let following = unsafe node.pointer.pointee.next {
      unsafe node.pointer.pointee.next = done
      done = node
      node = following
    }
    unsafe node.pointer.pointee.next = done
    return node
  }
}
