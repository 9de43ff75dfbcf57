/// What is noted about a promise that is watched, or that belongs to a scope of checks: whether anything looks at its error.
///
/// An error is followed from promise to promise. All that have it share a `FollowedError`; when the last of them goes and nothing
/// has looked, that is reported, or told to the scope. So nothing is reported of an error that something may still look at. A scope
/// can ask at any time what is wrong with the promises that are there.
final class PromiseNote: CoreNote, @unchecked Sendable {
  // Sendable: constants, and what is behind a lock.
  private struct State: Sendable {
    /// The error that the promise has taken over from its source, or handed on; `nil` for one that is all its own.
    var error: FollowedError?
    /// A step, or an adopter, was to have the error. One that has not taken it over was resolved from the side: by a timeout, a
    /// request to cancel, or the end of a race.
    var hasErrorRecipients = false
  }

  /// What only a promise in a scope has.
  struct Membership: Sendable {
    let scope: PromiseScope
    /// All that is derived from a promise has its origin.
    let origin: PromiseOrigin
    let core: WeakCore
  }

  private let membership: Membership?
  /// What resolves the promise, if that has no source.
  let producer: ProducerKind
  private let state = Guarded(State())

  /// Nobody else has seen the core.
  init(
    _ core: CoreRef, _ site: CallSite, in scope: PromiseScope?, from origin: PromiseOrigin?,
    producer: ProducerKind = .resolver, source: PromiseNote? = nil
  ) {
    self.producer = producer
    // No closure: the place is looked for among the calls, and a closure in `Optional.map` is not known for one of this module's.
    if let scope {
      membership = Membership(
        scope: scope, origin: origin ?? scope.locate?() ?? PromiseOrigin { nil }, core: WeakCore(core, isExposed: false)
      )
    } else {
      membership = nil
    }
    super.init(core, site)
    scope?.add(self)
    addToList()
    PromiseEvent.send(number, .made(source: source.map { Int($0.number) }, origin: site.text, context: context))
  }

  deinit {
    // A step that has looked at an error and has another result still has the error.
    state.withLock { $0.error.take() }?.release()
    membership?.scope.remove(self)
  }

  /// The origin, for a promise in a scope.
  var origin: PromiseOrigin? { membership?.origin }
  /// Where the promise was made, or the first one of its chain.
  var place: String? { origin?.text ?? site.text }

  // MARK: What happens to it

  override func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .run, .pass, .passWithout:
      // Suppressed by a token, or dropped by an executor, a callback for errors still counts.
      let traits = core.traits
      takeOver(from: source, looksAtError: traits.contains(.onError) && !traits.contains(.passesOn))
      if DiagnosticsSwitch.isRecording { return record(operation, core, source) }
      guard let membership else { break }
      return PromiseScope.$current.withValue(membership.scope) { super.perform(operation, core, source) }
    case .adopt:
      takeOver(from: source, looksAtError: false)
      PromiseEvent.send(number, .resolved)
    case .destroyError: errorWillBeDestroyed(of: core)
    case .takeOut, .destroyValue, .copyError, .findNote, .end: break
    }
    return super.perform(operation, core, source)
  }

  /// Runs a step, or passes its source's result on, and tells the recordings.
  private func record(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    if case .run = operation { PromiseEvent.send(number, .callbackBegins) }
    let verdict = PromiseScope.run(in: membership?.scope ?? PromiseScope.current) {
      super.perform(operation, core, source)
    }
    if case .run = operation { PromiseEvent.send(number, .callbackEnds) }
    if case .promise = verdict {} else { PromiseEvent.send(number, .resolved) }
    return verdict
  }

  override func noteClaimed() { PromiseEvent.send(number, .resolved) }

  override func noteEnd() {
    super.noteEnd()
    PromiseEvent.send(number, .freed)
  }

  override func noteChild(_ step: CoreRef) {
    state.withLock { $0.hasErrorRecipients = true }
    _ = PromiseNote(step, site, in: membership?.scope, from: origin, source: self)
  }

  override func noteAdopted(by core: CoreRef) {
    state.withLock { $0.hasErrorRecipients = true }
    if let note = CoreNote.find(core) { PromiseEvent.send(note.number, .adopts(Int(number))) }
    // What is adopted by a core without a note is out of sight.
    if !core.traits.contains(.checked) { noteRead() }
  }

  override func noteRead() { error.observe() }

  override func run(_ body: () -> Void) {
    guard let membership else { return body() }
    PromiseScope.$current.withValue(membership.scope, operation: body)
  }

  /// The error that others get from here.
  private var error: FollowedError {
    let new = FollowedError(site, origin)
    return state.withLock { state in
      let error = state.error ?? new
      state.error = error
      return error
    }
  }

  /// The error of the source, if it has failed, becomes this promise's. What has no note is followed from here on, and so is what
  /// comes from another scope.
  private func takeOver(from source: CoreRef?, looksAtError: Bool) {
    guard let source, source.outcome == .error else { return }
    let note = CoreNote.find(source) as? PromiseNote
    let isFollowed = note?.membership?.scope === membership?.scope
    if !isFollowed { note?.noteRead() }
    let error = isFollowed ? note?.error : nil
    error?.retain()
    if looksAtError { error?.observe() }
    let old = state.withLock { state in
      defer { state.error = error }
      return state.error
    }
    old?.release()
  }

  /// The core is about to go, with its error.
  private func errorWillBeDestroyed(of core: CoreRef) {
    let state = state.withLock { state in
      defer { state.error = nil }
      return state
    }
    // After a request to cancel, an error is of no interest.
    let isAsked = core.hasBeenAskedToCancel
    if isAsked { state.error?.observe() }
    if state.error == nil, isAsked || state.hasErrorRecipients { return }
    let error = state.error ?? FollowedError(site, origin)
    guard error.release() else { return }
    if let membership { return membership.scope.note(lost: error) }
    guard case .answer(let answer) = super.perform(.copyError, core, nil), let copy = answer as? ErrorCopy,
      // These say that nobody is interested: then it is no mistake to ignore them.
      Diagnostics.level != .off, !(copy.error is CancellationError), copy.error as? PromiseError != .ownerDeallocated
    else { return }
    Diagnostics.report(.failureUnobserved(origin: error.place, error: "\(copy.error)"))
  }

  // MARK: What a scope asks

  /// How far a promise has got.
  enum Progress {
    /// A resolver, or a body, should resolve it, and it follows no other.
    case unresolvedRoot
    /// A step that has not run to its end.
    case waitingStep
    case following
    case rejected
    /// It has its result, or is gone: nothing that is to come needs it. After a request to cancel, that includes an error.
    case resolved
  }

  var progress: Progress {
    membership?.core.look { core in
      let phase = core.state.phase
      if core.outcome == .error, !core.hasBeenAskedToCancel { return .rejected }
      if core.state.isResolved { return .resolved }
      if phase == .adopting { return .following }
      return core.traits.contains(.produced) ? .unresolvedRoot : .waitingStep
    } ?? .resolved
  }

  /// The error that nothing has looked at, of a promise that is rejected.
  var unobservedError: FollowedError? {
    if state.withLock({ $0.error == nil && $0.hasErrorRecipients }) { return nil }
    let error = error
    return error.isObserved ? nil : error
  }
}

extension PromiseHandle {
  /// Makes a note for a core without a source, if anything wants one. Nobody else has seen it.
  @usableFromInline
  @inline(never)
  func takeNote(_ site: CallSite, _ producer: Producer? = nil, _ kind: ProducerKind = .resolver) {
    PendingOnRequest.begin
    // What the library makes for itself is of no interest: an error comes out where a user has asked for it.
    let isUsers = site.isUsers
    let isWatched = Diagnostics.isWatching && isUsers
    if isWatched, !core.traits.has(.library) { producer?.watch(for: site) }
    let scope = DiagnosticsSwitch.hasScopes ? PromiseScope.current : nil
    if isWatched || scope != nil || DiagnosticsSwitch.isRecording && isUsers {
      _ = PromiseNote(core, site, in: scope, from: nil, producer: kind)
    }
  }
}
