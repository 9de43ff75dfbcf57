/// A resolver object that records the kind of its result. So the resolver object detects if the same thread soon
/// resolves the promise again with a result of another kind.
///
/// A missing `return` causes such a second call. Calls on different threads, or some time apart, are taken for
/// deliberate races, such as a result against a timer, or one event against another. Every call of
/// `ResolverClaim.claim` reaches a function of this class, because the word of a watched resolver object never has the
/// value that `claim` expects at first.
final class WatchedResolverObject: ResolverObject, @unchecked Sendable {
  // Sendable: the fields are an atomic, one that is written before the atomic, and one that is written before the
  // resolver object is shared.
  /// The call that made the promise; `nil` if contradicting results are not reported.
  private var site: CallSite?
  /// The kind of the first result, plus one; zero if the result is unknown or may be contradicted.
  private let first = Atomic<UInt8>(0)
  /// The time and the thread of the first result, and the name that the promise then had. The thread with the claim
  /// writes this field before `first`. Other calls read this field after `first`.
  private var moment: (time: ContinuousClock.Instant, thread: UInt, name: String?)?

  /// The longest time between two calls that are reported as contradicting. The first call may run observers in this
  /// time.
  private static var longest: Duration { .milliseconds(100) }

  private static var thread: UInt { ThreadLocal.current.identity }

  init(_ count: consuming Owned) { super.init(watching: count) }

  override func watch(for site: CallSite) { self.site = site }

  /// Records the kind of the result. Two kinds of results are not recorded, because later calls may contradict them: a
  /// cancellation, and a result after a request to cancel.
  override func didClaim(_ core: CoreRef, for outcome: Outcome) {
    let note = CoreNote.find(core)
    note?.follower.noteClaimed(for: outcome)
    guard site != nil, outcome != .cancelled, !core.hasBeenAskedToCancel else { return }
    moment = (ContinuousClock.now, Self.thread, note?.name)
    first.store(UInt8(outcome.rawValue) + 1, ordering: .releasing)
  }

  override func noteRefused(_ outcome: Outcome) {
    let first = first.load(ordering: .acquiring)
    guard let site, first != 0, outcome != .cancelled, first != UInt8(outcome.rawValue) + 1, let moment,
      moment.thread == Self.thread, ContinuousClock.now - moment.time < Self.longest
    else { return }
    Mistake.resolvedTwice(isRejection: outcome == .error).report(origin: CallSite.origin(site.text, name: moment.name))
  }
}
