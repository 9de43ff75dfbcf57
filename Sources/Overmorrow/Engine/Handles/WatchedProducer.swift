/// A producer that notes the kind of its result, and so detects that the same code soon resolves it to another one.
///
/// A missing `return` has this effect. Calls on different threads, or some time apart, race on purpose: a result with a
/// timer, or one event with another. Every claim calls this object, as its word is never what `Producer.claim` expects
/// at first.
final class WatchedProducer: ResolverObject, @unchecked Sendable {
  // Sendable: an atomic, a field that is written before it, and a field that is written before the producer is shared.
  /// Where the promise was made; `nil` if contradictions are not reported.
  private var site: CallSite?
  /// The kind of the first result, plus one; zero if it is unknown or may be contradicted.
  private let first = Atomic<UInt8>(0)
  /// When and where that was. Written before `first`, by the thread with the claim, and read after it.
  private var moment: (time: ContinuousClock.Instant, thread: UInt)?

  /// The longest time between two calls that count as contradicting, including the observers that the first one calls.
  private static var longest: Duration { .milliseconds(100) }

  private static var thread: UInt { ThreadLocal.current.identity }

  init(_ core: CoreRef) { super.init(watching: core) }

  override func watch(for site: CallSite) { self.site = site }

  /// After a request to cancel, no result is a contradiction.
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
