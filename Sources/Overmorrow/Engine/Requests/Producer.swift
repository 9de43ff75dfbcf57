/// What the copies of a resolver share; its end is the end of the hope for a result.
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
  private final let core: CoreRef
  private final let word: Atomic<UInt32>

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
  fileprivate init(watching core: CoreRef) {
    self.core = core
    word = Atomic(Producer.one | Producer.watchedBit)
  }

  deinit {
    // Acquire: all that was done through any copy comes before the end of the core.
    let last = word.load(ordering: .acquiring)
    if last & Producer.takenBit == 0 {
      abandon()
    } else if last >= Producer.one {
      core.releaseFromProducer()
    }
  }

  @inline(never)
  private final func abandon() {
    switch core.waitForRequest() {
    case .begun: break
    case .asked:
      // The new producer has the count, which is gone once a handler has used it to resolve; others may come behind that one.
      let kept = Owned(core)
      kept.core.requestCancelOfTies(Producer(core))
    case .refused:
      core.noteResolversGone()
      core.publish(.cancelled)
    }
  }

  /// A producer for a core that has lost its own after that had used its claim: it can do nothing. `nil` if the claim is to be had.
  static func late(_ core: CoreRef) -> Producer? {
    // In the total order, as whoever finds the producer gone must find what it has done before: no edge leads here from its end.
    guard core.stateInTotalOrder.phase == .adopting else { return nil }
    return Producer(Owned(core).leak(), isTaken: true)
  }

  /// Runs the body of the promise, in the scope of checks that the promise belongs to, if there is one.
  ///
  /// The body gets the first copy of the resolver, so that the producer still has its count when this is called.
  final func inScope(_ body: () -> Void) {
    core.bodyBegins()
    if let note = CoreNote.find(core) { note.runBody(body) } else { body() }
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

  /// Resolves to the result of another promise; does nothing if the claim is taken.
  @usableFromInline
  final func adopt(_ handle: PromiseHandle) {
    guard take(Producer.takenBit) else { return }
    // The list of the promise adopted needs a count, as it may outlive this producer.
    core.retain()
    core.adopt(handle, in: nil)
  }

  /// Cancels; does nothing if the claim is taken.
  @usableFromInline
  final func cancel() { claim(for: .cancelled)?.publish(.cancelled) }

  /// Sets the bits that say who took the claim, if nobody has.
  private final func take(_ bits: UInt32) -> Bool {
    if word.change({ $0 & Producer.takenBit == 0 ? ($0 | bits, true) : nil }) == true { return true }
    // The caller may let go of its copy through an object's reference count, which ThreadSanitizer does not see: this
    // orders what it has read before the end of the producer, and costs the loser of a race only.
    word.add(0, ordering: .releasing)
    return false
  }

  // MARK: Looking

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

/// A producer that knows what it was resolved to, and so finds out that the same code contradicts at once.
///
/// That is how a missing `return` looks. Calls on different threads, or with some time between them, race on purpose:
/// a result with a timer, or one event with another. It is told of every claim, as its word is never what
/// `Producer.claim` expects at first.
final class WatchedProducer: Producer, @unchecked Sendable {
  // Sendable: an atomic, what is written before that, and what is written before anybody else sees the producer.
  /// Where the promise was made; `nil` if contradictions are not reported.
  private var site: CallSite?
  /// What the first call has resolved the promise to, plus one; zero if that is not known, or nobody may contradict.
  private let first = Atomic<UInt8>(0)
  /// When and where that was. Written before `first`, by the one who has the claim, and read behind it.
  private var moment: (time: ContinuousClock.Instant, thread: UInt)?

  /// How long code may take from one call to the next, the observers that the first one calls included.
  private static var longest: Duration { .milliseconds(100) }

  private static var thread: UInt { ThreadLocal.current.identity }

  init(_ core: CoreRef) { super.init(watching: core) }

  override func watch(for site: CallSite) { self.site = site }

  /// After a request to cancel it does not matter what comes first, or second.
  override func didClaim(_ core: CoreRef, for outcome: Outcome) {
    CoreNote.find(core)?.noteClaimed()
    guard site != nil, outcome != .cancelled, !core.hasBeenAskedToCancel else { return }
    moment = (ContinuousClock.now, Self.thread)
    first.store(UInt8(outcome.rawValue) + 1, ordering: .releasing)
  }

  override func noteRefused(_ outcome: Outcome) {
    let first = first.load(ordering: .acquiring)
    guard let site, first != 0, outcome != .cancelled, first != UInt8(outcome.rawValue) + 1, let moment,
      moment.thread == Self.thread, ContinuousClock.now - moment.time < Self.longest
    else { return }
    Diagnostics.report(.resolvedTwice(origin: site.text, isRejection: outcome == .error))
  }
}
