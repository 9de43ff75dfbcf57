/// A producer that records the kind of its result. So it detects that the same code soon resolves the promise again,
/// with a result of another kind.
///
/// A missing `return` has this effect. Calls on different threads, or some time apart, are taken for deliberate races,
/// such as a result against a timer, or one event against another. Every claim goes through this object, because its
/// word never has the value that `Producer.claim` expects at first.
final class WatchedProducer: ResolverObject, @unchecked Sendable {
  // Sendable: an atomic, a field that is written before the atomic, and a field that is written before the producer is
  // shared.
  /// The place where the promise was made; `nil` if contradicting results are not reported.
  private var site: CallSite?
  /// The kind of the first result, plus one. Zero if the result is unknown or may be contradicted.
  private let first = Atomic<UInt8>(0)
  /// The time and the thread of the first result. Written before `first` by the thread with the claim, and read after
  /// `first`.
  private var moment: (time: ContinuousClock.Instant, thread: UInt)?

  /// The longest time between two calls that are reported as contradicting. The first call may run observers in this
  /// time.
  private static var longest: Duration { .milliseconds(100) }

  private static var thread: UInt { ThreadLocal.current.identity }

  init(_ core: CoreRef) { super.init(watching: core) }

  override func watch(for site: CallSite) { self.site = site }

  /// Records the kind of the result. A cancellation is not recorded, nor is a result after a request to cancel, because
  /// these may be contradicted.
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
