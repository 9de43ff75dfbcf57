/// The whole life of a promise in one machine word: its phase, and the list of those who wait for it.
///
/// Read this file first. Its tables name the other two words of a core, ``VoteWord`` and ``LinkWord``, which have their
/// own files.
///
/// # Vocabulary
///
/// - **Core**: what the copies of one promise share. Its memory is described by `CoreState`, reached through `CoreRef`.
/// - **Result**: a value, an error, or *cancelled*. Its kind is in this word, its payload in the core.
/// - **Producer**: whoever may resolve the core: a resolver, or the core it waits for.
/// - **Waiter**: a core that waits for this one, linked into its list through its own `next` field.
/// - **Claim**: the exclusive right to write the payload and to publish.
/// - **Seal**: the last handle is gone, so nobody can register another waiter. Kept in ``VoteWord``.
/// - **Vote**: a waiter's interest in the result, withdrawn by asking to cancel. Kept in ``VoteWord``.
/// - **Request**: a request to cancel. Kept in ``LinkWord``.
/// - **Drain**: to take the list and hand each waiter its result, first registered first.
/// - **Start**: a waiter's callback is about to be called, or has been handed to its context.
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
///      └─┘ pushing        │  │ │ publishing, somebody waits
///                adopting │  │ └──────────────────────────▶ RESOLVED·OPEN
///                         ▼  │ taking
///                       ADOPTING
///
///                      ending, all have been started
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
/// `handingOut` empties the list of a resolved, open core. `ending` closes such a core whose list is empty or, for a sole waiter,
/// takes that out by the same change; otherwise it is refused. `removing` empties the list of an unresolved core that has one
/// waiter; otherwise it is refused.
///
/// A dash is a broken invariant: the transition traps and names the word it found.
///
/// A step starts pending. A core with a resolver starts claimed, by its `Producer`, which gives the claim to the first of
/// the resolver's copies that asks. A core that is made with its result starts resolved and closed.
///
/// # Who may touch what
///
/// | phase           | payload                          | the list                             |
/// |-----------------|----------------------------------|--------------------------------------|
/// | pending         | its creator, until registered    | anybody pushes                       |
/// | claimed         | the claimer                      | anybody pushes                       |
/// | adopting        | nobody                           | anybody pushes                       |
/// | resolved·open   | read by anybody                  | anybody pushes, the drainer takes    |
/// | resolved·closed | read by anybody                  | nobody                               |
///
/// As long as the core is unresolved, those who leave are taken out of the middle of the list, under a lock (`Core+Leaving`).
///
/// `next`, `source` and `place` belong to the core's creator until it is registered, and then to the owner of
/// the list that it is in: who has that lock, the drainer of its source, or the pass or the place that it was handed
/// to. That holds also for a step that somebody else resolves while it is in a list. `following` belongs to whoever has
/// published, and then to the pass that drains.
///
/// # Invariants
///
/// - **I1** A resolved promise never changes: neither its kind nor its payload.
/// - **I2** The payload is written only between a successful claim and the publishing of it, and by the claimer.
/// - **I3** Exactly one claim succeeds; of a core with a resolver, in its `Producer`. A step that nobody but its drainer can see
///   needs none (`runUnobserved`).
/// - **I4** Every waiter pushed is handed out exactly once, unless it has been resolved and has left before.
/// - **I5** Waiters are handed out in the order in which they were pushed, by one drainer at a time.
/// - **I6** Once closed, nothing is ever pushed: a late waiter reads the result itself.
/// - **I7** No user code runs inside a transition: they are pure, and the loop that applies them does nothing else, but for
///   linking the waiter that is pushed.
/// - **I8** A waiter that comes while an earlier one has not been started is started after it: the word is closed only when all
///   that were pushed have been started, but for the one that is about to be called.
/// - **I9** A drainer takes a list twice at most: what has come by the time it looks first, and what has come meanwhile. Then a
///   global queue goes on, in the same way. So the work of a resolving call has a bound, whatever other threads register.
///
/// # Memory ordering
///
/// | edge | released by            | acquired by                     | publishes |
/// |------|------------------------|---------------------------------|-----------|
/// | E1   | `publishing`           | any load that finds *resolved*  | the payload, and all that the producer did before |
/// | E2   | `pushing`              | `handingOut`, `ending`          | the waiter's fields |
/// | E3   | `ending`               | `pushing` that is refused       | that all before it have been started |
/// | E4   | `claiming`, `adopting` | `taking`                        | the step's end, before its promise is adopted |
/// | E5   | each `release`     | the last one, on the core's count; the look at a count of one (`isUnobserved`) | every use of the core, before it is destroyed (`Core+Memory.swift`) |
/// | E6   | any change of the link word | any other                  | what was attached (`LinkWord.swift`) |
/// | E7   | `pushing` an adopter, a new rank; `publishing`; movingToSideTable | the look for a cycle after it; the look for a side table; the look at the phase | nothing: a total order |
///
/// Every transition is one compare-exchange, sequentially consistent on success (E7 needs it; on the processors of
/// today it costs no more than acquire-release) and acquire on failure. Reading the phase alone is an
/// acquire load (E1). No fences: ThreadSanitizer does not understand them.
///
/// # Races, told as stories
///
/// - *Resolve against push.* Both change this word. If the push comes first, publishing finds a list and the publisher
///   drains it. If publishing comes first with an empty list, the word is closed and the push is refused: the waiter's
///   owner delivers by itself. There is no third case, so no waiter is lost (I4, I6).
/// - *Register against drain.* While the drainer hands out what it took, the word stays open and newcomers collect in it:
///   they cannot overtake (I5, I8). When only one is left to be started, the drainer closes the list, and whoever comes from then
///   on runs at once.
/// - *Register faster than the drainer runs.* If others have come when the drainer is about to close the list, it takes them, too,
///   once. Those who come after these are left to a thread of a global queue (I9), and the resolving call returns.
/// - *Two resolvers.* Only one `claiming` succeeds (I3); the other call does nothing.
/// - *Cancel against claim.* A request to cancel never touches this word. It asks; the producer answers with a claim.
/// - *A cycle closed from two threads.* Each may want to cancel its own end. Both ends are adopting, and only one of
///   `taking` (by whoever breaks the cycle) and `taking` (by the drainer of the adopted core) succeeds (I3).
/// - *Last handle dropped against resolve.* Dropping a handle seals and releases one count; the publisher holds another
///   until it has drained. Whoever is last destroys (E5).
@usableFromInline
struct StateWord: Equatable, Sendable {
  @usableFromInline var bits: UInt

  @inlinable
  init(bits: UInt) { self.bits = bits }

  /// The bits below the list.
  @inlinable static var phaseMask: UInt { 0b111 }
  /// Set in every resolved phase.
  @inlinable static var resolvedBit: UInt { 0b100 }
  /// The list of a core that takes no more waiters.
  @inlinable static var closedList: UInt { ~phaseMask }
  @usableFromInline
  enum Phase: UInt, Sendable {
    case pending = 0b000
    case claimed = 0b001
    case adopting = 0b010
    case value = 0b100
    case error = 0b101
    case cancelled = 0b110
  }

  /// A word with nobody waiting.
  static func empty(_ phase: Phase) -> StateWord { StateWord(bits: phase.rawValue) }

  /// The terminal word of an outcome: resolved, nobody waiting, nobody ever will.
  @usableFromInline
  static func closed(_ outcome: Outcome) -> StateWord {
    StateWord(bits: closedList | resolvedBit | outcome.rawValue)
  }

  var phase: Phase? { Phase(rawValue: bits & StateWord.phaseMask) }

  /// The address of the waiter registered last, `0` for nobody; or ``closedList``.
  var list: UInt { bits & ~StateWord.phaseMask }

  var isPending: Bool { bits & StateWord.phaseMask == Phase.pending.rawValue }

  @usableFromInline
  var isResolved: Bool { bits & StateWord.resolvedBit != 0 }

  /// Resolved, drained, and refusing waiters.
  @usableFromInline
  var isClosed: Bool { list == StateWord.closedList }

  /// The kind of the result, or `nil` while unresolved.
  @usableFromInline
  var outcome: Outcome? { isResolved ? Outcome(rawValue: outcomeBits) : nil }

  /// The same as a raw value; for a word that is resolved.
  var outcomeBits: UInt { bits & 0b011 }
}

/// The kind of a result, as the state word spells it.
@usableFromInline
enum Outcome: UInt, Sendable, CaseIterable {
  case value = 0b00
  case error = 0b01
  case cancelled = 0b10
}

// MARK: - Pure transitions

extension StateWord {
  /// What `pushing` asks of the waiter's owner.
  enum PushAction: Equatable {
    /// The waiter is in the list; whoever drains will hand it its result.
    case registered
    /// The core is closed: read the result, it will not change.
    case deliverYourself
  }

  /// What `publishing` asks of the producer.
  enum PublishAction: Equatable {
    /// Somebody waits: drain.
    case drain
    /// Nobody waits and nobody will.
    case finished
  }

  /// The list with `waiter` in front, or a refusal when it has ended. `linking` is the list that the waiter must point to.
  func pushing(_ waiter: UInt) -> (word: StateWord, linking: UInt, action: PushAction) {
    if isClosed { return (self, 0, .deliverYourself) }
    return (StateWord(bits: waiter | (bits & StateWord.phaseMask)), list, .registered)
  }

  /// The list without its only waiter; `nil` when that is not the only one, or the core has resolved.
  func removing(_ waiter: UInt) -> StateWord? {
    !isResolved && list == waiter ? StateWord(bits: bits & StateWord.phaseMask) : nil
  }

  /// The right to resolve, given once; `nil` when it has been given.
  func claiming() -> StateWord? {
    isPending ? StateWord(bits: bits | Phase.claimed.rawValue) : nil
  }

  /// Gives the claim to the core that is being adopted.
  func adopting() -> StateWord {
    guard phase == .claimed else { preconditionFailure("adopting needs a claimed core, found \(self)") }
    return StateWord(bits: list | Phase.adopting.rawValue)
  }

  /// Takes the claim back from an adopted core; `nil` when it has been taken.
  func taking() -> StateWord? {
    phase == .adopting ? StateWord(bits: list | Phase.claimed.rawValue) : nil
  }

  /// The result is in place: tell everybody.
  func publishing(_ outcome: Outcome) -> (word: StateWord, action: PublishAction) {
    guard phase == .claimed else { preconditionFailure("publishing needs a claimed core, found \(self)") }
    if list == 0 { return (.closed(outcome), .finished) }
    return (StateWord(bits: list | StateWord.resolvedBit | outcome.rawValue), .drain)
  }

  /// Takes the waiters, of whom there is one at least.
  func handingOut() -> (word: StateWord, list: UInt) {
    checkOpen("handing out", isWaitedFor: true)
    return (StateWord(bits: bits & StateWord.phaseMask), list)
  }

  /// Ends the list, if nobody waits but `waiter`, which is taken out; zero for nobody at all.
  func ending(taking waiter: UInt) -> StateWord? {
    checkOpen("ending")
    return list == waiter ? StateWord(bits: bits | StateWord.closedList) : nil
  }

  private func checkOpen(_ transition: StaticString, isWaitedFor: Bool = false) {
    guard isResolved, !isClosed, list != 0 || !isWaitedFor else {
      preconditionFailure(
        "\(transition) needs a resolved, open core\(isWaitedFor ? " with waiters" : ""), found \(self)")
    }
  }
}

extension StateWord: CustomStringConvertible {
  @usableFromInline
  var description: String {
    let name = phase.map { "\($0)" } ?? "invalid phase"
    let waiters = isClosed ? "closed" : list == 0 ? "nobody waits" : "somebody waits"
    return "\(name), \(waiters)"
  }
}
