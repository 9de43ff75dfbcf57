/// Ending what nobody can see, so that a pending promise does not keep it.
///
/// A promise that has been asked to cancel goes on, as whatever it waits for may resolve all the same. But nobody can tell if it
/// has no handle, nobody waits for it, and it has no callback to run. Then it is cancelled, and leaves the list of what it waits
/// for (`Core+Leaving.swift`). So is one whose callback is suppressed, asked or not. An adopter can also be seen by its
/// resolver: it ends when nothing but the list has a count on it.
///
/// Its end may be what the one that it has waited for was still needed for, and so on up the chain: a loop, not a recursion,
/// of one round for each core that ends and one for what it has waited for.
struct UnseenEndings {
  /// The cores to look at next, each counted.
  private var waiting: [(core: CoreRef, isChain: Bool)]

  /// Looks at a core now, or as soon as the look around this call is done.
  ///
  /// The caller has one count on it, and `look` takes over another.
  static func look(at core: CoreRef, isChain: Bool) {
    let thread = unsafe ThreadLocal.current
    // Unsafe: a pointer into this thread's own stack, valid while the look around this call goes on.
    if let outer = unsafe thread.pointee.unseenEndings { return unsafe outer.pointee.waiting.append((core, isChain)) }
    var endings = UnseenEndings(waiting: [])
    // Unsafe: the pointer is used by this thread only, and reset before the value goes.
    unsafe withUnsafeMutablePointer(to: &endings) { endings in
      unsafe thread.pointee.unseenEndings = endings
      core.endNow(isChain: isChain, counts: 2)
      core.release()
      // Whoever has put these there has returned, and given its count back.
      while let (core, isChain) = unsafe endings.pointee.waiting.popLast() {
        core.endNow(isChain: isChain, counts: 1)
        core.release()
      }
      unsafe thread.pointee.unseenEndings = nil
    }
  }
}

extension CoreRef {
  /// Ends this core if nobody can see that. The caller holds one count, or has the handle.
  ///
  /// - Parameter isChain: Whether the callbacks of the steps that this is the last one to need are suppressed, too: the owner
  ///   of a chain has gone.
  @inline(__always)
  func endUnseen(isChain: Bool = false) {
    let votes = votesNow
    if votes.isSealed, hasBeenAskedToCancel || votes.isSuppressed, !state.isResolved {
      retain()
      UnseenEndings.look(at: self, isChain: isChain)
    }
  }

  /// The callback of this step will not run: the step ends when nobody sees it. The caller looks at that afterwards, or has the handle.
  @usableFromInline
  func suppressCallback() { updateVotes { ($0.suppressing(), ()) } }

  /// Gives back the count of a producer whose resolvers are gone, and whose claim is taken.
  func releaseFromProducer() {
    if state.phase == .adopting { endUnseen() }
    release()
  }

  /// - Parameter counts: How many the caller has, and whoever has called that.
  fileprivate func endNow(isChain: Bool, counts: UInt32) {
    switch state.phase {
    case .pending:
      // Whoever intercepts a request may make another observer, though there is no handle.
      guard isChain || votesNow.isSuppressed || isSilent, !traits.has(.hasHandlers), isAlone, claim() else { return }
      // If nobody has asked, the vote stays, and nobody can take it back.
      let source = hasBeenAskedToCancel ? nil : detachKeepingVote()
      endClaimed(isChain: isChain)
      if let source {
        leave(listOf: source)
        source.release()
      }
    case .adopting:
      guard hasBeenAskedToCancel, isAlone, hasCounts(counts + 1), takeAdopted() else { return }
      // The list of the source still has this core, with the pending count; publishing gives up another.
      retain()
      publish(.cancelled, in: nil)
    case .claimed:
      guard hasBeenAskedToCancel else { return }
      guard let steps = inputs, steps.mayEndUnseen, isAlone else { return }
      steps.end()
    default: break
    }
  }

  /// Cancels a step that waits for its source, without running it. The caller has the claim.
  ///
  /// - Parameter isChain: Whether the steps before it end, too, which nobody else can see and which have been asked.
  func endClaimed(isChain: Bool) {
    let upstream = isChain ? retainUpstream() : []
    let verdict = perform(takeCallback(isToRun: false), nil)
    // The list of the source still has this core, with the pending count; publishing gives up another.
    retain()
    settle(verdict, in: nil)
    for core in upstream {
      core.endUnseen(isChain: true)
      core.release()
    }
  }

  /// Takes out what this core waits for; its count goes to the caller, and the vote stays.
  private func detachKeepingVote() -> CoreRef? {
    switch changeLink({ $0.detachingAny() }) {
    case .forget(let address), .release(let address): CoreRef(address: address)
    // A count that is lent stays with the thread that is asking.
    case .askTies: takeTiedUpstream().flatMap { $0.isLent ? nil : $0.core }
    default: nil
    }
  }

  /// Whether this is a step that has no callback of a user's.
  private var isSilent: Bool { traits.isDisjoint(with: .onAnything) || traits.has(.passesOn) }

  private func hasCounts(_ number: UInt32) -> Bool {
    // Acquiring: whoever has given a count back has done all that it wanted. Unsafe: the caller holds one.
    fields.count.load(ordering: .acquiring) == number
  }

  /// Whether nobody waits for this core, which is sealed, but perhaps one that has ended.
  private var isAlone: Bool { state.list == 0 || isEndedWaiterAlone }
}

extension ThreadLocal {
  /// The look for promises that nothing sees any more that is going on on this thread.
  @inline(__always)
  fileprivate(set) var unseenEndings: UnsafeMutablePointer<UnseenEndings>? {
    // Unsafe: only this property reads and writes the word.
    get { unsafe words.unseenEndings?.assumingMemoryBound(to: UnseenEndings.self) }
    set { unsafe words.unseenEndings = UnsafeMutableRawPointer(newValue) }
  }
}
