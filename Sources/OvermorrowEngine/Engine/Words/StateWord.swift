/// The life of a promise in one machine word: its phase, and the list of its waiters.
///
/// Read this file first. The other two words of a core, ``VoteWord`` and ``LinkWord``, have their own files.
/// `HowTheEngineWorks.md` has the glossary.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ l l l l l l l … head of the waiter list     l │r│p p│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   r = 0: unresolved,  pp = 00 pending, 01 claimed, 10 adopting
///   r = 1: resolved,    pp = 00 value,   01 error,   10 cancelled
///   l: address of the waiter registered last; 0 when there is none; all ones when closed
/// ```
///
/// A waiter's address is a multiple of eight, so its three lowest bits are free. No core has the highest address.
///
/// # Diagram
///
/// ```
///             claiming              publishing, list empty
///   PENDING ───────────▶ CLAIMED ────────────────────────────▶ RESOLVED·CLOSED    (terminal)
///      │ ▲                │  ▲ │
///      └─┘ pushing        │  │ │ publishing, with waiters
///                adopting │  │ └──────────────────────────▶ RESOLVED·OPEN
///                         ▼  │ taking
///                       ADOPTING
///
///                      closing, all but the next have been started
///   RESOLVED·OPEN ─────────────────────────────────────────────▶ RESOLVED·CLOSED
///    │ ▲
///    └─┘ pushing, handingOut
///
///   (pushing also leaves CLAIMED and ADOPTING as they are, with a longer list; removing, with none)
/// ```
///
/// # Transitions
///
/// | from            | `claiming` | `adopting` | `taking`  | `publishing`   | `pushing`     |
/// |-----------------|------------|------------|-----------|----------------|---------------|
/// | pending         | → claimed  | –          | refused   | –              | list grows    |
/// | claimed         | refused    | → adopting | refused   | → open, closed | list grows    |
/// | adopting        | refused    | –          | → claimed | –              | list grows    |
/// | resolved·open   | refused    | –          | refused   | –              | list grows    |
/// | resolved·closed | refused    | –          | refused   | –              | refused       |
///
/// `handingOut` empties the list of a resolved, open core. `closing` closes such a core if its list is empty. It also
/// closes such a core if its only waiter is the given one, and takes out this waiter. In every other case, `closing` is
/// refused. `removing` empties the list of an unresolved core whose only waiter is the given one. In every other case,
/// `removing` is refused.
///
/// A dash is a broken invariant: the transition traps, and its message describes the word that it found.
///
/// A step starts pending. A core with a resolver starts claimed by its `ResolverClaim`, which gives the claim to the
/// first copy of the resolver that asks for the claim. A core that is made with its result starts resolved and closed.
///
/// # Who may touch what
///
/// | phase           | payload                          | the list                             |
/// |-----------------|----------------------------------|--------------------------------------|
/// | pending         | its creator, until registered    | any thread pushes                    |
/// | claimed         | the claimer                      | any thread pushes                    |
/// | adopting        | no thread                        | any thread pushes                    |
/// | resolved·open   | read by any thread               | any thread pushes, the drainer takes |
/// | resolved·closed | read by any thread               | no thread                            |
///
/// The claimer has a `Claim`, the drainer has a `Drainer`, and the owner of a waiter has a `Waiter`.
///
/// While the core is unresolved, waiters that leave are taken out of the middle of the list, under a lock
/// (`Core+Leaving`).
///
/// `next`, `sourceOrBelow` and `place` belong to the core's creator until the core is registered. Then they belong to
/// the owner of the list that contains the core: the thread with that lock, the drainer of the source, or the pass or
/// place to which the core was handed. If a step is resolved from elsewhere while it is in a list, the owner stays the
/// same. So a thread that has claimed a core from the side (`claimFromSide`, `takeAdoptedFromSide`) publishes a result,
/// and never adopts, because the core cannot be in a second list. `following` belongs to the thread that has published
/// the result, and then to the pass that drains the core.
///
/// # Invariants
///
/// - **I1** The outcome and the payload of a resolved promise never change.
/// - **I2** Only the claimer writes the result into the payload, between its successful claim and the publication.
/// - **I3** Exactly one claim succeeds. For a core with a resolver, the `ResolverClaim` decides which claim succeeds. A
///   step that only its drainer can see needs no claim (`runUnobserved`).
/// - **I4** Every pushed waiter is handed out exactly once, unless it was resolved and has left the list before.
/// - **I5** Waiters are handed out in the order in which they were pushed, by one drainer at a time.
/// - **I6** No waiter is pushed onto a closed list. The owner of a late waiter reads the result itself.
/// - **I7** No user code runs inside a transition. Transitions are pure. The loop that applies a transition only links
///   the waiter that is pushed.
/// - **I8** If a waiter is pushed before an earlier waiter has been started, the later waiter is started after the
///   earlier one. The word is closed only when all pushed waiters have been started, except the one that is started
///   next. No code of a user runs between the closing and this start. So this waiter counts as started, and a later
///   observer that runs on another thread meanwhile is one that overlaps its callback.
/// - **I9** A drainer takes a list at most twice: first the waiters that it finds, and then those that were pushed
///   meanwhile. After that, a thread of a global queue continues in the same way. So the work of a resolving call is
///   bounded, whatever other threads register.
///
/// # Memory ordering
///
/// | edge | released by             | acquired by                        | publishes                               |
/// |------|-------------------------|------------------------------------|-----------------------------------------|
/// | E1   | `publishing`            | any load that finds *resolved*     | the payload, and what the resolver did  |
/// | E2   | `pushing`               | `handingOut`, `closing`            | the waiter's fields                     |
/// | E3   | `closing`               | `pushing` that is refused          | all earlier starts but the last (I8)    |
/// | E4   | `claiming`, `adopting`  | `taking`                           | the end of the step, before it adopts   |
/// | E5   | each `release`          | the last one; `isUnobserved`       | every use of the core (`CoreRef`)       |
/// | E6   | a change of the link    | any other change of it             | what was attached (`LinkWord`)          |
/// | E7   | a change of the link    | the search for a cycle after it    | nothing: a total order                  |
/// | E7   | `publishing`            | the check for a side table         | nothing: a total order                  |
/// | E7   | `movingToSideTable`     | the check of the phase             | nothing: a total order                  |
/// | E7   | a request, `sealing`    | the check for an unobserved core   | nothing: a total order                  |
///
/// Every transition is one compare-exchange. A successful exchange is sequentially consistent, because E7 needs that
/// order. On today's processors, this order costs no more than acquire-release. A failed exchange is an acquire load. A
/// read of the phase alone is an acquire load (E1), or a sequentially consistent load (E7). There are no fences,
/// because ThreadSanitizer does not understand them.
///
/// # Races
///
/// - *Resolve against push.* Both change this word. If the push is first, publishing finds a list, and the publisher
///   drains it. If publishing is first and the list is empty, the word is closed and the push is refused. Then the
///   waiter's owner reads the result itself. No waiter is lost (I4, I6).
/// - *Register against drain.* While the drainer hands out the waiters that it took, the word stays open and collects
///   new waiters. So new waiters cannot overtake earlier waiters (I5, I8). When one waiter is left to be started, the
///   drainer closes the list. A later waiter then runs at once.
/// - *Register faster than the drainer runs.* If waiters were pushed before the drainer closes the list, the drainer
///   takes these waiters, too, but only once. Waiters that are pushed later are left to a thread of a global queue
///   (I9), and the resolving call returns.
/// - *Two resolvers.* Only one of them gets the claim from the `ResolverClaim` (I3). The call of the other does
///   nothing.
/// - *Cancel against claim.* A request to cancel never changes this word. The code with the resolver may answer the
///   request with a claim.
/// - *A cycle of watched promises closed from two threads.* Each thread may cancel its own end of the cycle. Both ends
///   are adopting. For each end, only one `taking` succeeds. It is made by the thread that breaks the cycle, or by the
///   drainer of the adopted core (I3).
/// - *Last copy released against resolve.* The release of the last copy seals the core and releases one count. The
///   publisher has another count until the core is drained. The last release destroys the core (E5).
@usableFromInline
package struct StateWord: Equatable, Sendable {
  @usableFromInline var bits: UInt

  @inlinable
  init(bits: UInt) { self.bits = bits }

  /// The bits below the list.
  @inlinable static var phaseMask: UInt { 0b111 }
  /// The bit that is set in every resolved phase.
  @inlinable static var resolvedBit: UInt { 0b100 }
  /// The list bits of a core that takes no more waiters.
  @inlinable static var closedList: UInt { ~phaseMask }
  @usableFromInline
  package enum Phase: UInt, Sendable {
    case pending = 0b000
    case claimed = 0b001
    case adopting = 0b010
    case value = 0b100
    case error = 0b101
    case cancelled = 0b110
  }

  static func empty(_ phase: Phase) -> StateWord { StateWord(bits: phase.rawValue) }

  /// Returns the terminal word of an outcome: resolved, closed, without waiters.
  @usableFromInline
  static func closed(_ outcome: Outcome) -> StateWord {
    StateWord(bits: closedList | resolvedBit | outcome.rawValue)
  }

  package var phase: Phase? { Phase(rawValue: bits & StateWord.phaseMask) }

  /// The address of the waiter registered last, `0` if there is none, or ``closedList``.
  var list: UInt { bits & ~StateWord.phaseMask }

  var isPending: Bool { bits & StateWord.phaseMask == Phase.pending.rawValue }

  @usableFromInline
  package var isResolved: Bool { bits & StateWord.resolvedBit != 0 }

  @usableFromInline
  var isClosed: Bool { list == StateWord.closedList }

  /// The kind of the result, or `nil` while unresolved.
  @usableFromInline
  var outcome: Outcome? { isResolved ? Outcome(rawValue: outcomeBits) : nil }

  /// The kind of the result as a raw value. Only for a resolved word.
  var outcomeBits: UInt { bits & 0b011 }
}

/// The kind of a result, with its bits in the state word.
@usableFromInline
package enum Outcome: UInt, Sendable, CaseIterable {
  case value = 0b00
  case error = 0b01
  case cancelled = 0b10
}

// MARK: - Pure transitions

extension StateWord {
  /// The next duty of the owner of a waiter after `pushing`.
  enum PushAction: Equatable {
    /// Nothing: the waiter is in the list, and the drainer will serve it.
    case registered
    /// The core is closed: read the result, which will not change.
    case deliverYourself
  }

  /// The next duty of the publishing thread after `publishing`.
  enum PublishAction: Equatable {
    /// There are waiters: drain.
    case drain
    /// Nothing: there are no waiters, and there will be none.
    case finished
  }

  /// Puts `waiter` in front of the list, or refuses it if the list is closed. A waiter that is put in front must first
  /// be made to point to `linking`, the previous front of the list.
  func pushing(_ waiter: UInt) -> (word: StateWord, linking: UInt, action: PushAction) {
    if isClosed { return (self, 0, .deliverYourself) }
    return (StateWord(bits: waiter | (bits & StateWord.phaseMask)), list, .registered)
  }

  /// Takes out `waiter`, which has no older waiter behind it. Returns `nil` if newer waiters were pushed, or if the
  /// core has resolved.
  func removing(_ waiter: UInt) -> StateWord? {
    !isResolved && list == waiter ? StateWord(bits: bits & StateWord.phaseMask) : nil
  }

  /// Takes the right to resolve. Returns `nil` if this right was already taken.
  func claiming() -> StateWord? {
    isPending ? StateWord(bits: bits | Phase.claimed.rawValue) : nil
  }

  /// Gives the claim to the core that is being adopted.
  func adopting() -> StateWord {
    guard phase == .claimed else { preconditionFailure("adopting needs a claimed core, found \(self)") }
    return StateWord(bits: list | Phase.adopting.rawValue)
  }

  /// Takes the claim back from an adopted core. Returns `nil` if this core is not adopting.
  func taking() -> StateWord? {
    phase == .adopting ? StateWord(bits: list | Phase.claimed.rawValue) : nil
  }

  /// Publishes the result, which is in the payload.
  func publishing(_ outcome: Outcome) -> (word: StateWord, action: PublishAction) {
    guard phase == .claimed else { preconditionFailure("publishing needs a claimed core, found \(self)") }
    if list == 0 { return (.closed(outcome), .finished) }
    return (StateWord(bits: list | StateWord.resolvedBit | outcome.rawValue), .drain)
  }

  /// Takes out all waiters, of which there is at least one.
  func handingOut() -> StateWord {
    guard isResolved, !isClosed, list != 0 else {
      preconditionFailure("handing out needs a resolved, open core with waiters, found \(self)")
    }
    return StateWord(bits: bits & StateWord.phaseMask)
  }

  /// Closes the list and takes out `waiter`, which has no older waiter behind it. A `waiter` of zero stands for an
  /// empty list. Returns `nil` if newer waiters were pushed.
  func closing(taking waiter: UInt) -> StateWord? {
    guard isResolved, !isClosed else { preconditionFailure("closing needs a resolved, open core, found \(self)") }
    return list == waiter ? StateWord(bits: bits | StateWord.closedList) : nil
  }
}

extension StateWord: CustomStringConvertible {
  @usableFromInline
  package var description: String {
    let name = phase.map { "\($0)" } ?? "invalid phase"
    let waiters = isClosed ? "closed" : list == 0 ? "no waiters" : "has waiters"
    return "\(name), \(waiters)"
  }
}
