/// The claim of a core that a resolver resolves, and who uses the core. Each producer is a ``ResolverObject``.
///
/// The core is claimed from the start, by its producer, which gives the claim away once (I3). With it goes the count that
/// keeps the core while it is unresolved, so that resolvers which are still about do not keep a promise that has
/// resolved. Afterwards nobody gets at the core from here; except when the promise adopts another one: then there is
/// still something to ask it.
///
/// ```
///   31                    3 2 1 0
///  ┌───────────────────────┬─┬─┬─┐   t: taken, somebody has the claim
///  │ n n n … users       n │w│c│t│   c: it was taken in order to cancel
///  └───────────────────────┴─┴─┴─┘   w: watched, a `WatchedProducer`
///                                    n: who may use the core: one for the count, and one for each caller inside
/// ```
@usableFromInline
class Producer: @unchecked Sendable {
  // Sendable: nothing changes but the word; and in `WatchedProducer`, which is the only kind there is, another one.
  final let core: CoreRef
  final let word: Atomic<UInt32>

  private static var takenBit: UInt32 { 0b01 }
  private static var cancelledBit: UInt32 { 0b10 }
  private static var watchedBit: UInt32 { 0b100 }
  private static var one: UInt32 { 0b1000 }

  /// Takes over a count on the core.
  init(_ core: CoreRef, isTaken: Bool = false) {
    self.core = core
    word = Atomic(isTaken ? Producer.one | Producer.takenBit : Producer.one)
  }

  /// Takes over a count on the core. For `WatchedProducer`: whoever claims comes by `didClaim` or `noteRefused`.
  init(watching core: CoreRef) {
    self.core = core
    word = Atomic(Producer.one | Producer.watchedBit)
  }

  // MARK: Resolving

  /// The right to resolve, once: the core, with a count for publishing (I3); `nil` if the claim is taken.
  @usableFromInline
  final func claim(for outcome: Outcome) -> CoreRef? {
    let taken = outcome == .cancelled ? Producer.takenBit | Producer.cancelledBit : Producer.takenBit
    let (exchanged, _) = word.compareExchange(
      expected: Producer.one, desired: taken, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    if !exchanged {
      guard take(taken) else {
        noteRefused(outcome)
        return nil
      }
      didClaim(core, for: outcome)
      // Somebody is inside, or this is watched: the count stays until the last one leaves.
      core.retain()
      leave()
    }
    return core
  }

  /// Sets the bits that say who took the claim, if nobody has.
  final func take(_ bits: UInt32 = takenBit) -> Bool {
    if word.change({ $0 & Producer.takenBit == 0 ? ($0 | bits, true) : nil }) == true { return true }
    // The caller may let go of its copy through an object's reference count, which ThreadSanitizer does not see: this
    // orders what it has read before the end of the producer, and costs the loser of a race only.
    word.add(0, ordering: .releasing)
    return false
  }

  // MARK: Looking

  /// What a word leaves to whoever has it last: the claim, with a count on the core; the count alone; or nothing.
  static func rest(in word: UInt32) -> (claim: Bool, count: Bool) { (word & takenBit == 0, word >= one) }

  /// Does something with the core; `nil` once the promise has a result of its own.
  final func withCore<Result>(_ body: (CoreRef) -> Result) -> Result? {
    guard enter() else { return nil }
    defer { leave() }
    return body(core)
  }

  private final func enter() -> Bool {
    if word.change({ $0 >= Producer.one ? ($0 + Producer.one, true) : nil }) == true { return true }
    // As in `take`.
    word.add(0, ordering: .releasing)
    return false
  }

  /// One user less; the last one gives the count back.
  private final func leave() {
    if word.subtract(Producer.one, ordering: .acquiringAndReleasing).newValue < Producer.one { core.release() }
  }

  /// Whether the promise has no result yet.
  @usableFromInline
  final var isUnresolved: Bool { withCore { $0.outcome == nil } ?? false }

  /// Whether the promise is cancelled.
  final var isCancelled: Bool { withCore { $0.outcome == .cancelled } ?? hasCancelled }

  /// Whether a resolver has cancelled the promise.
  final var hasCancelled: Bool { word.load(ordering: .relaxed) & Producer.cancelledBit != 0 }

  /// Whether cancelling was requested and may still matter, or has happened.
  @usableFromInline
  final var hasRequestedCancel: Bool {
    let answer = withCore { core in core.outcome.map { $0 == .cancelled } ?? core.hasBeenAskedToCancel }
    return answer ?? hasCancelled
  }

  // MARK: Watching

  /// Reports contradictions from now on. Nobody else has seen the producer.
  func watch(for site: CallSite) {}

  /// Somebody has got the claim of a producer that is watched; for others this is not always called.
  func didClaim(_ core: CoreRef, for outcome: Outcome) {}

  /// Somebody has come too late for the claim.
  func noteRefused(_ outcome: Outcome) {}
}
