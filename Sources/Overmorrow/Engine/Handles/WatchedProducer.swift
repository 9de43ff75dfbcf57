/// A producer that knows what it was resolved to, and so finds out that the same code contradicts at once.
///
/// That is how a missing `return` looks. Calls on different threads, or with some time between them, race on purpose:
/// a result with a timer, or one event with another. It is told of every claim, as its word is never what
/// `Producer.claim` expects at first.
final class WatchedProducer: ResolverObject, @unchecked Sendable {
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
