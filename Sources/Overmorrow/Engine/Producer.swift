internal import Synchronization

/// What the copies of a resolver share; its end is the end of the hope for a result.
///
/// The core is claimed from the start, by its producer, which gives the claim away once (I3). With it goes the count that
/// keeps the core while it is unresolved, so that resolvers which are still about do not keep a promise that has
/// resolved. Afterwards nobody gets at the core from here; except when the promise adopts another one: then there is
/// still something to ask it.
///
/// ```
///   31                      2 1 0
///  ┌─────────────────────────┬─┬─┐   t: taken, somebody has the claim
///  │ n n n … users         n │c│t│   c: it was taken in order to cancel
///  └─────────────────────────┴─┴─┘   n: who may use the core: one for the count, and one for each caller inside
/// ```
@usableFromInline
final class Producer: Sendable {
  private let core: CoreRef
  private let word: Atomic<UInt32>

  private static var takenBit: UInt32 { 0b01 }
  private static var cancelledBit: UInt32 { 0b10 }
  private static var one: UInt32 { 0b100 }

  /// Takes over a count on the core.
  init(_ core: CoreRef, isTaken: Bool = false) {
    self.core = core
    word = Atomic(isTaken ? Producer.one | Producer.takenBit : Producer.one)
  }

  deinit {
    // Acquire: all that was done through any copy comes before the end of the core.
    let last = word.load(ordering: .acquiring)
    if last & Producer.takenBit == 0 {
      abandon()
    } else if last >= Producer.one {
      core.release()
    }
  }

  @inline(never)
  private func abandon() {
    if core.waitForRequest() { return }
    Diagnostics.report(.resolverDropped)
    core.publish(.cancelled)
  }

  /// A producer for a core that has lost its own and waits for a request; it takes over the claim.
  static func afterWait(of core: CoreRef) -> Producer? { core.endWaitForRequest() ? Producer(core) : nil }

  /// A producer for a core that has lost its own and adopts another one: it can do nothing, as the claim is taken.
  static func late(_ core: CoreRef) -> Producer? {
    let state = core.state
    guard state.phase == .adopting || state.isHeld else { return nil }
    core.retain()
    return Producer(core, isTaken: true)
  }

  /// Runs the body of the promise, in the scope of checks that the promise belongs to, if there is one.
  ///
  /// The body gets the first copy of the resolver, so that the producer still has its count when this is called.
  func inScope(_ body: () -> Void) {
    core.bodyBegins()
    if core.traits.contains(.checked) { CheckedCore.run(body, inScopeOf: core) } else { body() }
  }

  // MARK: Resolving

  /// The right to resolve, once: the core, with a count for publishing (I3); `nil` if the claim is taken.
  @usableFromInline
  func claim(for outcome: Outcome) -> CoreRef? {
    let taken = outcome == .cancelled ? Producer.takenBit | Producer.cancelledBit : Producer.takenBit
    let (exchanged, _) = word.compareExchange(
      expected: Producer.one, desired: taken, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    if !exchanged {
      guard take(taken) else { return nil }
      // Somebody is inside, so the count stays until that one leaves.
      core.retain()
      leave()
    }
    return core
  }

  /// Resolves to the result of another promise; does nothing if the claim is taken.
  @usableFromInline
  func adopt(_ handle: PromiseHandle) {
    guard take(Producer.takenBit) else { return }
    // The list of the promise adopted needs a count, as it may outlive this producer.
    core.retain()
    core.adopt(handle, in: nil)
  }

  /// Cancels; does nothing if the claim is taken.
  @usableFromInline
  func cancel() { claim(for: .cancelled)?.publish(.cancelled) }

  /// Sets the bits that say who took the claim, if nobody has.
  private func take(_ bits: UInt32) -> Bool {
    var old = word.load(ordering: .relaxed)
    while old & Producer.takenBit == 0 {
      let (exchanged, current) = word.weakCompareExchange(
        expected: old, desired: old | bits, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return true }
      old = current
    }
    // The caller may let go of its copy through an object's reference count, which ThreadSanitizer does not see: this
    // orders what it has read before the end of the producer, and costs the loser of a race only.
    word.add(0, ordering: .releasing)
    return false
  }

  // MARK: Looking

  /// Does something with the core; `nil` once the promise has a result of its own.
  func withCore<Result>(_ body: (CoreRef) -> Result) -> Result? {
    guard enter() else { return nil }
    defer { leave() }
    return body(core)
  }

  private func enter() -> Bool {
    var old = word.load(ordering: .relaxed)
    while old >= Producer.one {
      let (exchanged, current) = word.weakCompareExchange(
        expected: old, desired: old + Producer.one, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return true }
      old = current
    }
    // As in `take`.
    word.add(0, ordering: .releasing)
    return false
  }

  /// One user less; the last one gives the count back.
  private func leave() {
    if word.subtract(Producer.one, ordering: .acquiringAndReleasing).newValue < Producer.one { core.release() }
  }

  /// Whether the promise has no result yet.
  var isUnresolved: Bool { withCore { $0.outcome == nil } ?? false }

  /// Whether the promise is suspended.
  var isHeld: Bool { withCore { $0.state.isHeld } ?? false }

  /// Whether a resolver has cancelled the promise.
  var hasCancelled: Bool { word.load(ordering: .relaxed) & Producer.cancelledBit != 0 }

  /// Whether cancelling was requested and may still matter, or has happened.
  @usableFromInline
  var hasRequestedCancel: Bool {
    let answer = withCore { core in core.outcome.map { $0 == .cancelled } ?? core.hasBeenAskedToCancel }
    return answer ?? hasCancelled
  }
}
