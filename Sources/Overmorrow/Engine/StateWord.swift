/// The whole life of a promise in one machine word: its phase, and the list of those who wait for it.
///
/// Read this file first; nothing else is needed to understand it.
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
/// - **Request**: somebody asked to cancel. Kept in ``RequestWord``.
/// - **Drain**: to take the list and hand each waiter its result, first registered first.
///
/// # Layout
///
/// ```
///   63                                             3 2 1 0
///  ┌───────────────────────────────────────────────┬─┬─┬─┐
///  │ l l l l l l l … head of the waiter list     l │r│p p│
///  └───────────────────────────────────────────────┴─┴─┴─┘
///   r = 0: unresolved,  pp = 00 pending, 01 claimed, 10 adopting, 11 held
///   r = 1: resolved,    pp = 00 value,   01 error,   10 cancelled
///   l: address of the waiter registered last; 0 when nobody waits; all ones when closed
/// ```
///
/// A waiter's address is a multiple of eight, so its three lowest bits are free.
///
/// # Diagram
///
/// ```
///             claiming              publishing, list empty
///   PENDING ───────────▶ CLAIMED ────────────────────────────▶ RESOLVED·CLOSED ◀─┐  (terminal)
///      │ ▲                │  ▲ │                                                 │ closing,
///      └─┘ pushing        │  │ │ publishing, somebody waits                      │ list empty
///                adopting │  │ └──────────────────────────▶ RESOLVED·OPEN ───────┘
///                         ▼  │ taking                        │ ▲   │ ▲
///                       ADOPTING                pushing      └─┘   └─┘ closing, somebody waits:
///                                                                      the list is handed out
///   (pushing also leaves CLAIMED, ADOPTING and HELD as they are, with a longer list; removing, with none)
///
///                       holding                            cancellingHeld
///   PENDING, CLAIMED, ─────────▶ HELD ──────────────────────────────────▶ RESOLVED·CLOSED or ·OPEN, cancelled
///   or ADOPTING       ◀─────────      (lettingGo leads back to the phase that the core would have by now)
/// ```
///
/// # Transitions
///
/// | from            | `claiming` | `adopting` | `taking`  | `publishing`   | `pushing`     | `closing`        |
/// |-----------------|------------|------------|-----------|----------------|---------------|------------------|
/// | pending         | → claimed  | –          | refused   | –              | list grows    | –                |
/// | claimed         | refused    | → adopting | refused   | → open, closed | list grows    | –                |
/// | adopting        | refused    | –          | → claimed | –              | list grows    | –                |
/// | held            | refused    | refused    | refused   | refused        | list grows    | –                |
/// | resolved·open   | refused    | – (1)      | refused   | – (1)          | list grows    | take, or → closed|
/// | resolved·closed | refused    | – (1)      | refused   | – (1)          | refused       | –                |
///
/// | from               | `holding`   | `lettingGo`                    | `cancellingHeld` | `removing`         |
/// |--------------------|-------------|--------------------------------|------------------|--------------------|
/// | pending to adopting| → held      | –                              | –                | list empty, if last|
/// | held               | refused     | → pending, claimed or adopting | → open, closed   | list empty, if last|
/// | resolved           | refused     | –                              | –                | refused            |
///
/// (1) Refused if cancelled: the core may have been held meanwhile, and have been cancelled then.
///
/// A dash is a broken invariant: the transition traps and names the word it found.
///
/// A core that is suspended is *held*, whatever it was before: pending, claimed or adopting. `holding` leads there,
/// `lettingGo` back. What has to become of it meanwhile is settled under a lock (`Suspensions`), by whoever finds its own
/// transition refused; so a core that is never suspended pays nothing. A request to cancel ends a held core from there
/// (`cancellingHeld`), and then its claim is void: what its owner publishes afterwards is refused.
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
/// | held            | as before it was suspended       | anybody pushes                       |
/// | resolved·open   | read by anybody                  | anybody pushes, the drainer takes    |
/// | resolved·closed | read by anybody                  | nobody                               |
///
/// `next`, `source`, `place` and `gate` belong to the core's creator until it is registered, and then to the owner of
/// the list that it is in: the drainer of its source, or the pass or the place that it was handed to. That holds also for
/// a step that somebody else resolves while it is in a list. `following` belongs to whoever has published.
///
/// # Invariants
///
/// - **I1** A resolved promise never changes: neither its kind nor its payload.
/// - **I2** The payload is written only between a successful claim and the publishing of it, and by the claimer.
/// - **I3** Exactly one claim succeeds; of a core with a resolver, in its `Producer`.
/// - **I4** Every waiter pushed is handed out exactly once.
/// - **I5** Waiters are handed out in the order in which they were pushed, by one drainer at a time.
/// - **I6** Once closed, nothing is ever pushed: a late waiter reads the result itself.
/// - **I7** No user code runs inside a transition: they are pure, and the loop that applies them calls nothing else.
/// - **I8** A waiter pushed while an earlier one has not been handed out is handed out after it.
///
/// # Memory ordering
///
/// | edge | released by            | acquired by                     | publishes |
/// |------|------------------------|---------------------------------|-----------|
/// | E1   | `publishing`           | any load that finds *resolved*  | the payload, and all that the producer did before |
/// | E2   | `pushing`              | `closing` that takes the list   | the waiter's fields |
/// | E3   | `closing`, `taking`    | –                               | nothing; the acquire half is E2's |
/// | E4   | `claiming`, `adopting` | `taking`                        | the step's end, before its promise is adopted |
/// | E5   | the last `release`     | the same, on the core's count   | every use of the core, before it is destroyed (`Core+Memory.swift`) |
/// | E7   | `pushing` an adopter; `publishing` | the look for a cycle after it; the look for cancel handlers | nothing: a total order |
///
/// Every transition is one compare-exchange, sequentially consistent on success (E7 needs it; on the processors of
/// today it costs no more than acquire-release) and acquire on failure. Reading the phase alone is an acquire load
/// (E1). No fences: ThreadSanitizer does not understand them.
///
/// # Races, told as stories
///
/// - *Resolve against push.* Both change this word. If the push comes first, publishing finds a list and the publisher
///   drains it. If publishing comes first with an empty list, the word is closed and the push is refused: the waiter's
///   owner delivers by itself. There is no third case, so no waiter is lost (I4, I6).
/// - *Register against drain.* While the drainer hands out one list, the word stays open and newcomers collect in it.
///   The drainer comes back and takes them, until it finds nobody and closes. A newcomer cannot overtake (I5, I8).
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
    case held = 0b011
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

  /// The address of the waiter registered last, `0` for nobody, ``closedList`` when closed.
  var list: UInt { bits & ~StateWord.phaseMask }

  var isPending: Bool { bits & StateWord.phaseMask == Phase.pending.rawValue }

  /// Suspended, and unresolved.
  var isHeld: Bool { bits & StateWord.phaseMask == Phase.held.rawValue }

  @usableFromInline
  var isResolved: Bool { bits & StateWord.resolvedBit != 0 }

  /// Resolved, drained, and refusing waiters.
  @usableFromInline
  var isClosed: Bool { list == StateWord.closedList }

  /// The kind of the result, or `nil` while unresolved.
  @usableFromInline
  var outcome: Outcome? {
    isResolved ? Outcome(rawValue: bits & 0b011) : nil
  }
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
    /// The core is suspended, or was and has been cancelled: see `Suspensions`.
    case refused
  }

  /// What `closing` asks of the drainer.
  enum CloseAction: Equatable {
    /// Hand these out, last registered first in the list, then ask again.
    case handOut(UInt)
    /// The list was empty, the word is closed.
    case finished
  }

  /// The list with `waiter` in front, or a refusal when closed. `linking` is the list that the waiter must point to.
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

  /// Gives the claim to the core that is being adopted; does not change the word of a core that is suspended, or that was
  /// and has been cancelled.
  func adopting() -> StateWord {
    guard phase == .claimed else {
      if phase == .held || phase == .cancelled { return self }
      preconditionFailure("adopting needs a claimed core, found \(self)")
    }
    return StateWord(bits: list | Phase.adopting.rawValue)
  }

  /// Takes the claim back from an adopted core; `nil` when it has been taken.
  func taking() -> StateWord? {
    phase == .adopting ? StateWord(bits: list | Phase.claimed.rawValue) : nil
  }

  /// The result is in place: tell everybody.
  func publishing(_ outcome: Outcome) -> (word: StateWord, action: PublishAction) {
    guard phase == .claimed else {
      if phase == .held || phase == .cancelled { return (self, .refused) }
      preconditionFailure("publishing needs a claimed core, found \(self)")
    }
    return resolving(outcome)
  }

  private func resolving(_ outcome: Outcome) -> (word: StateWord, action: PublishAction) {
    if list == 0 { return (.closed(outcome), .finished) }
    return (StateWord(bits: list | StateWord.resolvedBit | outcome.rawValue), .drain)
  }

  /// Takes the waiters, or closes when there are none.
  func closing() -> (word: StateWord, action: CloseAction) {
    guard isResolved, !isClosed else { preconditionFailure("closing needs a resolved, open core, found \(self)") }
    if list == 0 { return (StateWord(bits: bits | StateWord.closedList), .finished) }
    return (StateWord(bits: bits & StateWord.phaseMask), .handOut(list))
  }
}

// MARK: - Suspending

extension StateWord {
  /// Suspends; `nil` when the core is suspended already, or resolved.
  func holding() -> (word: StateWord, from: Phase)? {
    guard let phase, phase != .held, !isResolved else { return nil }
    return (StateWord(bits: list | Phase.held.rawValue), phase)
  }

  /// Ends the suspension: back to the phase that the core would have by now.
  func lettingGo(to phase: Phase) -> StateWord {
    guard isHeld else { preconditionFailure("letting go needs a held core, found \(self)") }
    return StateWord(bits: list | phase.rawValue)
  }

  /// Cancels a core that is suspended, whoever has its claim.
  func cancellingHeld() -> (word: StateWord, action: PublishAction) {
    guard isHeld else { preconditionFailure("only a held core is cancelled this way, found \(self)") }
    return resolving(.cancelled)
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
