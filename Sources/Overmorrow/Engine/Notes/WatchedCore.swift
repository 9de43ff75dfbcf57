/// What is noted about a core that belongs to no scope of checks, while the whole program is watched: whether anybody
/// looks at its error.
///
/// An error is followed from core to core. All that have it share a `WatchedFailure`, and when the last of them goes and
/// nobody has looked, that is reported. So nothing is reported of an error that somebody may still look at, and nothing is
/// kept until then but a few words for each promise that is there anyway.
final class WatchedCore: CoreNote, @unchecked Sendable {
  // Sendable: an atomic, and what is behind the lock of `WatchedFailure`.

  /// The failure that the core has taken over from its source, or handed on; `nil` for a new one that is all its own.
  private var failure: WatchedFailure?
  /// A step, or an adopter, was to have the error. If it has not taken it over, it was resolved from the side: by a
  /// timeout, a request to cancel, or the end of a race.
  private let hasHeirs = Atomic(false)

  deinit {
    // A step that has looked at an error and has another result.
    if failure != nil { WatchedFailure.lock.withLock { _ in _ = failure?.release() } }
  }

  override func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> Verdict {
    switch operation {
    case .run, .pass, .passWithout:
      // Suppressed by a token, or dropped by an executor, a callback for errors still counts.
      if let source, source.outcome == .error {
        let traits = core.traits
        takeOver(from: source, looksAtError: traits.contains(.onError) && !traits.contains(.passesOn))
      }
    case .adopt: if let source, source.outcome == .error { takeOver(from: source, looksAtError: false) }
    case .destroyError: errorEnds(of: core)
    case .takeOut, .destroyValue, .copyError, .findNote: break
    }
    return super.perform(operation, core, source)
  }

  override func noteChild(_ step: CoreRef, isWaiting: Bool) {
    hasHeirs.store(true, ordering: .relaxed)
    WatchedCore(step, site).attach(to: step)
  }

  override func noteAdopted(by core: CoreRef) {
    hasHeirs.store(true, ordering: .relaxed)
    // What is adopted by a core without a note is out of sight.
    if !core.traits.contains(.checked) { noteRead() }
  }

  override func noteRead() { WatchedFailure.lock.withLock { _ in shared.isObserved = true } }

  /// The failure that others get from here. Called under the lock.
  private var shared: WatchedFailure {
    if let failure { return failure }
    let new = WatchedFailure(site)
    failure = new
    return new
  }

  /// The failure of the source becomes this core's.
  private func takeOver(from source: CoreRef, looksAtError: Bool) {
    let source = CoreNote.find(source)
    WatchedFailure.lock.withLock { _ in
      _ = failure?.release()
      failure = (source as? WatchedCore)?.shared
      failure?.retain()
      if looksAtError { failure?.isObserved = true }
    }
    // What nobody has followed up to here begins here; a scope of checks has its own way to follow errors.
    if !(source is WatchedCore) { source?.noteRead() }
  }

  /// The core is about to go, with its error.
  private func errorEnds(of core: CoreRef) {
    // After a request to cancel, a failure is of no interest.
    let isAsked = core.hasBeenAskedToCancel
    let lost = WatchedFailure.lock.withLock { _ -> CallSite? in
      guard let failure else { return isAsked || hasHeirs.load(ordering: .relaxed) ? nil : site }
      self.failure = nil
      if isAsked { failure.isObserved = true }
      return failure.release()
    }
    guard let lost, case .answer(let answer) = super.perform(.copyError, core, nil), let copy = answer as? ErrorCopy
    else { return }
    Diagnostics.reportUnobserved(copy.error, origin: lost.text)
  }
}

/// One error, shared by all cores that have it and are watched.
private final class WatchedFailure: @unchecked Sendable {
  // Sendable: what changes is only touched under the lock.

  /// One for all: only who fails comes here.
  static let lock = Guarded(())

  var isObserved = false
  private let site: CallSite
  private var holders = 1

  init(_ site: CallSite) { self.site = site }

  /// One more core has the error.
  func retain() { holders += 1 }

  /// One core less; where the promise was made, if this was the last one and nobody has looked.
  func release() -> CallSite? {
    holders -= 1
    return holders == 0 && !isObserved ? site : nil
  }
}
