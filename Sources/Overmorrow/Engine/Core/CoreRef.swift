/// An uncounted reference to a core. All access to cores goes through such references.
///
/// A reference owns nothing. The caller of a function has the handle or a count on the core, unless the function says
/// otherwise. The count is in an ``Owned``, in a word or in a list.
@usableFromInline
@safe
struct CoreRef: Equatable, @unchecked Sendable {
  // Sendable: everything mutable behind the pointer is atomic, or has one owner at a time (`StateWord`, "Who may
  // touch").
  @usableFromInline
  let pointer: UnsafeMutablePointer<CoreState>

  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutablePointer<CoreState>) { unsafe self.pointer = pointer }

  /// Creates a reference to the core at an address that was taken from a word.
  @inline(__always)
  init(address: UInt) {
    // Unsafe: only addresses of cores are passed here, and a count keeps each of these cores (I4, R1).
    unsafe self.pointer = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  @usableFromInline
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  @usableFromInline
  static func == (left: CoreRef, right: CoreRef) -> Bool { unsafe left.pointer == right.pointer }
}

// MARK: - The words

extension CoreRef {
  /// The words and fields of the core. The caller has a count on the core, or has not shared the core yet. The calling
  /// thread is also the thread that may touch the field (`StateWord`, "Who may touch what").
  @inline(__always)
  var fields: CoreState {
    // Unsafe, both: a count keeps the memory, which does not move.
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The state word. A thread that finds the word resolved sees everything that the producer did before the publication
  /// (E1).
  @inline(__always)
  var state: StateWord { StateWord(bits: fields.state.load(ordering: .acquiring)) }

  /// The kind of the result; `nil` while the promise is unresolved. If there is a kind, the payload may be read (E1).
  @usableFromInline
  var outcome: Outcome? { state.outcome }

  /// The link word (E6).
  @inline(__always)
  var link: LinkWord { LinkWord(bits: fields.link.load(ordering: .acquiring)) }

  /// The link word, read in the one order in which all threads see the changes of all words (E7).
  @inline(__always)
  var linkInTotalOrder: LinkWord {
    LinkWord(bits: fields.link.load(ordering: .sequentiallyConsistent))
  }

  var hasBeenAskedToCancel: Bool { link.isAsked }

  /// Whether the promise has been asked to cancel and may still be cancelled, or is cancelled.
  var hasRequestedCancel: Bool { outcome.map { $0 == .cancelled } ?? hasBeenAskedToCancel }

  /// The state word, read in the one order in which all threads see the changes of all words (E7).
  var stateInTotalOrder: StateWord { StateWord(bits: fields.state.load(ordering: .sequentiallyConsistent)) }

  var votesNow: VoteWord { VoteWord(bits: fields.votes.load(ordering: .acquiring)) }

  /// The vote word, read in the one order in which all threads see the changes of all words (E7).
  var votesInTotalOrder: VoteWord { VoteWord(bits: fields.votes.load(ordering: .sequentiallyConsistent)) }

  /// Changes the state word (E1 to E4, E7). If the transition returns `nil`, leaves the word unchanged and returns
  /// `nil`.
  @inline(__always)
  private func updateState<Action>(_ transition: (StateWord) -> (StateWord, Action)?) -> Action? {
    fields.state.change { bits in transition(StateWord(bits: bits)).map { ($0.bits, $1) } }
  }

  /// Changes the vote word.
  @inline(__always)
  func updateVotes<Action>(_ transition: (VoteWord) -> (VoteWord, Action)) -> Action {
    let action = fields.votes.change { bits in
      let (new, action) = transition(VoteWord(bits: bits))
      return (new.bits, action)
    }
    guard let action else { preconditionFailure("every vote word has an answer") }
    return action
  }

  /// Changes the link word.
  @inline(__always)
  func changeLink<Action>(_ transition: (LinkWord) -> (word: LinkWord, action: Action)) -> Action {
    var answer: Action?
    _ = fields.link.change { bits in
      let (new, action) = transition(LinkWord(bits: bits))
      answer = action
      return new.bits == bits ? nil : (new.bits, ())
    }
    guard let answer else { preconditionFailure("every link word has an answer") }
    return answer
  }
}

// MARK: - The transitions, applied

extension CoreRef {
  /// Puts a waiter into the list, and so publishes the waiter's fields (E2). If the core is closed, changes nothing.
  func push(_ waiter: CoreRef) -> StateWord.PushAction {
    // The result is `nil` only if the core is closed.
    updateState { word in
      let (new, linking, action) = word.pushing(waiter.address)
      guard action == .registered else { return nil }
      waiter.link(to: linking)
      return (new, action)
    } ?? .deliverYourself
  }

  /// Takes the right to resolve. Returns `true` for one caller only (I3).
  func claim() -> Bool {
    if updateState({ word in word.claiming().map { ($0, true) } }) == true { return true }
    // The caller may release the core through an object's reference count, which ThreadSanitizer does not see. This
    // addition orders the caller's reads before the core's destruction (E5). Only the loser of a race performs the
    // addition.
    fields.count.add(0, ordering: .releasing)
    return false
  }

  /// Gives the claim to the core that is about to be adopted.
  func handClaimToAdopted() { _ = updateState { ($0.adopting(), ()) } }

  /// Takes the claim of an adopting core. Returns `true` for one caller only (I3).
  func takeAdopted() -> Bool {
    updateState { word in word.taking().map { ($0, true) } } ?? false
  }

  /// Publishes the result, which is in the payload.
  @inline(__always)
  func markPublished(_ outcome: Outcome) -> StateWord.PublishAction {
    updateState { $0.publishing(outcome) } ?? .finished
  }

  /// The waiter registered last. The caller is the drainer of this core, and the core is open, so the waiter stays in
  /// the list.
  @inline(__always)
  var newestWaiter: CoreRef { CoreRef(address: state.list) }

  /// Takes all waiters out of the list. Returns the waiter registered first, to which the others are linked in order.
  /// The caller is the drainer, and there is at least one waiter.
  func takeWaiters() -> CoreRef {
    // `handingOut` never returns `nil`, so the zero is never used.
    CoreRef.reversed(
      updateState { $0.handingOut() } ?? 0)
  }

  /// Closes the list if `waiter` is its only waiter, and takes out `waiter`. If `waiter` is `nil`, closes the list if
  /// it is empty. In every other case, returns `false` and changes nothing. The caller is the drainer.
  @inline(__always)
  func end(taking waiter: CoreRef? = nil) -> Bool {
    updateState { word in word.ending(taking: waiter?.address ?? 0).map { ($0, true) } } == true
  }

  /// Takes out the only waiter. The caller knows that no other thread can change the list.
  func removeSoleWaiter(_ waiter: CoreRef) {
    let done: Void? = updateState { word in word.removing(waiter.address).map { ($0, ()) } }
    precondition(done != nil, "the list of a sealed and claimed core has changed")
  }

  private func link(to address: UInt) {
    // Only the owner of a waiter pushes the waiter, and no other thread sees the waiter before the push succeeds (E2).
    fields.next.value = address == 0 ? nil : CoreRef(address: address)
  }

  /// Reverses the list that starts at `address`, and returns its new front.
  private static func reversed(_ address: UInt) -> CoreRef {
    var node = CoreRef(address: address)
    var done: CoreRef?
    // The list was taken out of the word, so its nodes belong to this thread (I4, E2).
    while let following = node.fields.next.value {
      node.fields.next.value = done
      done = node
      node = following
    }
    node.fields.next.value = done
    return node
  }
}
