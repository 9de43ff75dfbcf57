/// An uncounted reference to a core. All access to cores goes through such references.
///
/// A reference owns nothing. The caller of a function has the handle or a count on the core, unless the function says
/// otherwise. The count is in an ``Owned``, in a word or in a list.
@usableFromInline
@safe
package struct CoreRef: Equatable, @unchecked Sendable {
  // Sendable: everything mutable behind the pointer is atomic, or has one owner at a time (`StateWord`, "Who may
  // touch").
  @usableFromInline
  let pointer: UnsafeMutablePointer<CoreState>

  @inlinable
  @inline(__always)
  @unsafe
  init(_ pointer: UnsafeMutablePointer<CoreState>) { unsafe self.pointer = pointer }

  /// Creates a reference to the core at an address that was taken from a word.
  @inline(__always)
  @unsafe
  init(address: UInt) {
    unsafe self.pointer = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  @usableFromInline
  package var address: UInt { unsafe UInt(bitPattern: pointer) }

  @usableFromInline
  package static func == (left: CoreRef, right: CoreRef) -> Bool { unsafe left.pointer == right.pointer }
}

// MARK: - The words

extension CoreRef {
  /// The words and fields of the core. A count keeps the core, or the core is not shared yet. The calling
  /// thread is also the thread that may touch the field (`StateWord`, "Who may touch what").
  @inline(__always)
  var fields: CoreState {
    // Unsafe, both: a count keeps the memory, which does not move.
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The state word. A thread that finds the word resolved sees everything that the resolver object did before the
  /// publication (E1).
  @inline(__always)
  package var state: StateWord { StateWord(bits: fields.state.load(ordering: .acquiring)) }

  /// The kind of the result; `nil` while the promise is unresolved. If there is a kind, the payload may be read (E1).
  @usableFromInline
  package var outcome: Outcome? { state.outcome }

  /// The link word (E6).
  @inline(__always)
  var link: LinkWord { LinkWord(bits: fields.link.load(ordering: .acquiring)) }

  package var votesNow: VoteWord { VoteWord(bits: fields.votes.load(ordering: .acquiring)) }

  package var hasBeenAskedToCancel: Bool { link.isAsked }

  /// Whether the promise has been asked to cancel and may still be cancelled, or is cancelled.
  package var hasRequestedCancel: Bool { outcome.map { $0 == .cancelled } ?? hasBeenAskedToCancel }

  // The words, read in the one order in which all threads see the changes of all words (E7).

  @inline(__always)
  var linkInTotalOrder: LinkWord { LinkWord(bits: fields.link.load(ordering: .sequentiallyConsistent)) }
  var stateInTotalOrder: StateWord { StateWord(bits: fields.state.load(ordering: .sequentiallyConsistent)) }
  var votesInTotalOrder: VoteWord { VoteWord(bits: fields.votes.load(ordering: .sequentiallyConsistent)) }

  /// Replaces the state word (E1 to E4, E7). If the word is not `old` any more, reads the word into `old`, and returns
  /// `false`. Each transition of the word is a loop around this call.
  @inline(__always)
  func replaceState(_ old: inout StateWord, by new: StateWord) -> Bool { fields.state.replace(&old.bits, by: new.bits) }

  @inline(__always)
  func updateVotes<Action>(_ transition: (VoteWord) -> (VoteWord, Action)) -> Action {
    var old = votesNow
    while true {
      let (new, action) = transition(old)
      if fields.votes.replace(&old.bits, by: new.bits) { return action }
    }
  }

  /// Changes the link word, unless the transition leaves it as it is.
  @inline(__always)
  func changeLink<Action>(_ transition: (LinkWord) -> (word: LinkWord, action: Action)) -> Action {
    var old = link
    while true {
      let (new, action) = transition(old)
      if new == old || fields.link.replace(&old.bits, by: new.bits) { return action }
    }
  }
}

// MARK: - The count

extension CoreRef {
  /// Adds a count; see ``Owned``.
  func retain() {
    // Relaxed: the caller has a count or the handle, so the core cannot end meanwhile.
    let old = fields.count.wrappingAdd(1, ordering: .relaxed).oldValue
    // The limit is half of the word's range. So the program stops before the count can wrap, even if many threads add
    // to the count at once.
    precondition(old < 1 << 31, "a promise has more than two billion holders")
  }

  /// Removes a count, which must belong to the calling code. The removal of the last count destroys the core (E5).
  @usableFromInline
  @unsafe
  func release() {
    if fields.count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }
}

// MARK: - Fields of a core that has one owner

extension CoreRef {
  var next: CoreRef? { fields.next.value }
  package var traits: Traits { fields.traits }
  // Relaxed: the place is published with the step (E2). A thread that does not own the place may only compare it,
  // because the object of the place may have been released.
  package var place: Place { Place(bits: fields.place.load(ordering: .relaxed)) }

  /// Gives the core the place on which the body of its promise waits to run. No other thread can resolve the core yet.
  package func keepPlace(_ place: Place) { fields.place.store(place.bits, ordering: .relaxed) }

  /// Takes the place and what the place owns, and leaves `immediate` in the core.
  func takePlace() -> Place {
    let place = self.place
    fields.place.store(Place.immediate.bits, ordering: .relaxed)
    return place
  }

  /// Whether this is a step of the main queue.
  @usableFromInline
  package var isOnMain: Bool { traits.has(.onMain) }
}

// MARK: - The transitions, applied

extension CoreRef {
  /// Puts a waiter into the list, and so publishes the waiter's fields (E2). If the core is closed, changes nothing.
  func push(_ waiter: CoreRef) -> StateWord.PushAction {
    var word = state
    while true {
      let (new, _, action) = word.pushing(waiter.address)
      guard action == .registered else { return action }
      // Only the owner of a waiter pushes it, and no other thread sees the waiter before the push succeeds (E2).
      waiter.fields.next.value = word.newestWaiter
      if replaceState(&word, by: new) { return action }
    }
  }
}

extension StateWord {
  /// The waiter registered last, for a thread that may touch the list; `nil` if there is no waiter.
  var newestWaiter: CoreRef? {
    // Unsafe: the list of an open word contains only cores, with a count on each (I4).
    isClosed || list == 0 ? nil : unsafe CoreRef(address: list)
  }
}
