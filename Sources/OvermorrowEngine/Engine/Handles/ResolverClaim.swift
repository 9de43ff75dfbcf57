/// The claim of a core that a resolver resolves, and the number of users of the core. Each object of this class is a
/// ``ResolverObject``.
///
/// The core is claimed from the start by its resolver object, which gives the claim away once (I3). The claim comes
/// with the count that keeps the unresolved core, so that the remaining resolvers do not keep a resolved promise. After
/// the claim was given away, a resolver object can reach its core in one case only: the promise adopts another one and
/// can still be asked to cancel.
///
/// ```
///   31                    3 2 1 0
///  ┌───────────────────────┬─┬─┬─┐   t: taken: the claim was given away
///  │ n n n … users       n │w│c│t│   c: it was taken in order to cancel
///  └───────────────────────┴─┴─┴─┘   w: watched: a `WatchedResolverObject`
///                                    n: users of the core: one for the count, and one for each caller inside
/// ```
@usableFromInline
package class ResolverClaim: @unchecked Sendable {
  // Sendable: only the word changes; `WatchedResolverObject`, the only subclass with more state, says why it is
  // Sendable.
  package final let core: CoreRef
  final let word: Atomic<UInt32>

  private static var takenBit: UInt32 { 0b01 }
  private static var cancelledBit: UInt32 { 0b10 }
  private static var watchedBit: UInt32 { 0b100 }
  private static var one: UInt32 { 0b1000 }

  init(_ count: consuming Owned, isTaken: Bool = false) {
    core = count.leak()
    word = Atomic(isTaken ? ResolverClaim.one | ResolverClaim.takenBit : ResolverClaim.one)
  }

  /// Creates a watched resolver object. Each call of ``claim(for:)`` then calls `didClaim` or `noteRefused`.
  init(watching count: consuming Owned) {
    core = count.leak()
    word = Atomic(ResolverClaim.one | ResolverClaim.watchedBit)
  }

  // MARK: Resolving

  /// Takes the right to resolve (I3). Returns `nil` if the claim was already taken.
  @usableFromInline
  package final func claim(for outcome: Outcome) -> Claim? {
    let taken = outcome == .cancelled ? ResolverClaim.takenBit | ResolverClaim.cancelledBit : ResolverClaim.takenBit
    let (exchanged, _) = word.compareExchange(
      expected: ResolverClaim.one, desired: taken, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    if !exchanged {
      guard take(taken) else {
        noteRefused(outcome)
        return nil
      }
      didClaim(core, for: outcome)
      // There are other users, or this resolver object is watched. The count of the resolver object stays until the
      // last user leaves.
      core.retain()
      leave()
    }
    // Unsafe: the word has just given the claim to this thread. In the usual case, the count is the resolver object's.
    return unsafe Claim(on: core)
  }

  /// Takes the claim by setting `bits`. Returns `false` if the claim was already taken.
  final func take(_ bits: UInt32 = takenBit) -> Bool {
    if word.change({ $0 & ResolverClaim.takenBit == 0 ? ($0 | bits, true) : nil }) == true { return true }
    // The caller may release its copy through an object's reference count, which ThreadSanitizer does not see. The
    // addition orders the caller's reads before the end of the resolver object. Only the loser of a race performs the
    // addition.
    word.add(0, ordering: .releasing)
    return false
  }

  // MARK: Looking

  /// Returns what the last user owns according to the resolver object's word: the claim with a count on the core, the
  /// count alone, or nothing.
  static func rest(in word: UInt32) -> (claim: Bool, count: Bool) { (word & takenBit == 0, word >= one) }

  /// Runs `body` with the core. Returns `nil` if the claim was used for a result, because the resolver object then has
  /// no count on the core any more.
  package final func withCore<Result>(_ body: (CoreRef) -> Result) -> Result? {
    guard enter() else { return nil }
    defer { leave() }
    return body(core)
  }

  private final func enter() -> Bool {
    if word.change({ $0 >= ResolverClaim.one ? ($0 + ResolverClaim.one, true) : nil }) == true { return true }
    // The addition has the same reason as in `take`.
    word.add(0, ordering: .releasing)
    return false
  }

  /// Removes a user. The removal of the last user releases the count on the core.
  private final func leave() {
    // Unsafe: the count of the resolver object, whose last user leaves.
    if word.subtract(ResolverClaim.one, ordering: .acquiringAndReleasing).newValue < ResolverClaim.one {
      unsafe core.release()
    }
  }

  @usableFromInline
  package final var isUnresolved: Bool { withCore { $0.outcome == nil } ?? false }

  /// Whether the promise has been asked to cancel and may still be cancelled, or is cancelled.
  @usableFromInline
  package final var hasRequestedCancel: Bool {
    withCore(\.hasRequestedCancel) ?? (word.load(ordering: .relaxed) & ResolverClaim.cancelledBit != 0)
  }

  // MARK: Watching

  /// Makes the resolver object report contradicting results from now on. The resolver object is not shared yet.
  package func watch(for site: CallSite) {}

  /// Handles a claim of a watched resolver object. Other resolver objects may skip this call.
  func didClaim(_ core: CoreRef, for outcome: Outcome) {}

  /// Handles the refusal of a claim that was already taken.
  func noteRefused(_ outcome: Outcome) {}
}
