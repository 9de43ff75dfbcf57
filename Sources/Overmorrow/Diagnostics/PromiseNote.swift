internal import OvermorrowEngine

/// The note of a promise that is watched, is recorded or belongs to a scope of checks. The note records whether code
/// reads the promise's error.
///
/// An error is followed from promise to promise. All promises that have the error share a `FollowedError`. If no code
/// has read the error when the last of these promises ends, the error is reported or passed to the scope. So an error
/// that code may still read is never reported. A scope can query its notes at any time.
final class PromiseNote: NoteFollower {
  struct State: Sendable {
    /// The error of the promise; `nil` until the promise takes over the error from its source or forwards the error, or
    /// code reads the error.
    var error: FollowedError?
    /// The number of steps and adopters that were registered to receive the error and have not taken it over. When the
    /// promise ends, each of them has ended before the error arrived: by a timeout, a token, a request to cancel, or
    /// the end of a race.
    var recipients = 0
    /// The source that resolves the promise, such as a limiter.
    var source: WeakWaitSource?
    /// The task whose end resolves the promise, or the task that the step resumes.
    var task: Int?
    /// The blocking waits that the callback of the promise has called and that have not ended, the innermost one last.
    var blockedWaits: [WeakWaitSource] = []
    /// The wait of the promise in a cycle that was reported.
    var reportedWait: ReportedWait?
    /// The way of the error that the promise took over; `nil` if it took over no error.
    var way: PromiseWay?
    /// The failure for which the code that rejected the promise was a callback. The promise may have another error.
    var rejectedIn: RecordedFailure?
  }

  /// A wait of a promise: the promise before it, which is only compared, and the blocking wait of its callback.
  struct ReportedWait: Sendable, Equatable {
    let upstream: UInt
    let blockedWait: ObjectIdentifier?
  }

  /// The data of a promise in a scope.
  struct Membership: Sendable {
    let scope: PromiseScope
    /// The origin. A promise and all promises that are derived from it share one origin.
    let origin: PromiseOrigin
    let core: WeakCore
  }

  private let note: CoreNote
  private let membership: Membership?
  /// The kind of code that resolves the promise if the promise has no source.
  let producer: ProducerKind
  let state = Guarded(State())
  /// The promise itself, for ways.
  let mark: PromiseMark
  /// The promises before this promise in its chain.
  private let before: PromiseWay

  /// Creates a note for a core that is not yet shared with other threads.
  init(
    _ core: CoreRef, _ site: CallSite, in scope: PromiseScope?, from origin: PromiseOrigin?,
    producer: ProducerKind = .resolver, source: PromiseNote? = nil, isHidden: Bool = false
  ) {
    self.producer = producer
    let calls: CallStack? = source != nil || !site.isInUserCode ? .captureIfUseful() : nil
    // `locate` searches the call stack, where it would not recognise a closure in `Optional.map` as a function of this
    // module. So `Optional.map` is not used.
    if let scope {
      let known = site.isInUserCode ? PromiseOrigin { site.text } : nil
      let origin = origin ?? known ?? scope.locate?() ?? PromiseOrigin { calls?.placeOfCall }
      membership = Membership(scope: scope, origin: origin, core: WeakCore(core, isExposed: false))
    } else {
      membership = nil
    }
    note = CoreNote(core, site, name: source?.name, producer: producer.awaited)
    mark = PromiseMark(
      site, origin: membership?.origin, isStep: source != nil, context: source == nil ? nil : note.context,
      name: source?.name, producer: producer, calls: calls)
    // The delay before an attempt is no part of the way of an error, nor is the step that begins the attempt.
    if isHidden || producer == .nextAttempt || source?.producer == .nextAttempt { mark.hide() }
    before = source?.chain ?? PromiseWay()
    note.follow(with: self)
    scope?.add(self)
    note.writeLayoutIfFirst { [CoreNote.offset(of: CoreNote.address(of: mark), in: self), PromiseMark.offsetOfCalls] }
    note.addToList()
    PromiseEvent.send(
      number, .made(source: source.map { Int($0.number) }, origin: site.text, name: source?.name, context: context))
    if let outcome = core.outcome { noteClaimed(for: outcome) }
  }

  deinit {
    // A step that has read the error of its source and has another result still holds that error. So the error is
    // released here.
    state.withLock { $0.error.take() }?.release()
    membership?.scope.remove(self)
  }

  static func find(_ core: CoreRef) -> PromiseNote? { CoreNote.find(core)?.follower as? PromiseNote }

  var core: CoreRef { note.core }
  var site: CallSite { note.site }
  var number: UInt { note.number }
  var made: ContinuousClock.Instant { note.made }
  var name: String? { note.name }
  var body: CoreNote.BodyPhase { note.body }
  var context: String? { note.context }

  /// The origin of a promise in a scope; `nil` for other promises.
  var origin: PromiseOrigin? { membership?.origin }
  /// The call that made the first promise of the chain, and the name of the promise; `nil` if neither is known.
  var namedSite: String? { note.namedSite }
  /// The place where the promise, or the first promise of its chain, was made, and the name of the promise; `nil` if
  /// neither is known.
  var place: String? { CallSite.origin(origin?.text ?? site.text, name: name) }

  /// Gives the promise a name. Promises that are derived from the promise afterwards take over the name.
  func rename(_ name: String) {
    note.name = name
    mark.rename(name)
    PromiseEvent.send(number, .named(name))
  }

  // MARK: Events

  func perform(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .run, .forward, .forwardWithoutCallback:
      // A callback for errors counts as a reader even if a token suppresses the callback or an executor drops it.
      let traits = core.traits
      takeOver(from: source, readsError: traits.contains(.onError) && !traits.contains(.handlesNoError))
      let callback = if case .run = operation { StallWatch.begin(self, isStep: true) } else { RunningCallback?.none }
      defer { callback?.end() }
      if case .run = operation, traits.contains(.onError), let source, source.outcome == .error,
        let failure = PromiseNote.find(source)?.failure
      {
        failure.keep()
        let verdict = failure.handle { serve(operation, core, source) }
        if traits.contains(.makesResult), case .error = verdict { followNewError(unless: failure) }
        return verdict
      }
      return serve(operation, core, source)
    case .adopt:
      takeOver(from: source, readsError: false, isAdoption: true)
      if let outcome = source?.outcome { noteClaimed(for: outcome) }
    case .destroyError: errorWillBeDestroyed(of: core)
    case .takeOut, .destroyValue, .copyError, .findNote, .willEnd: break
    }
    return note.perform(operation, core, source)
  }

  /// Runs a step, or forwards its source's result, in the scope of the promise.
  private func serve(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    if DiagnosticsSwitch.isRecording { return record(operation, core, source) }
    guard let membership else { return note.perform(operation, core, source) }
    return PromiseScope.$current.withValue(membership.scope) { note.perform(operation, core, source) }
  }

  /// Runs a step, or forwards its source's result, and sends the events.
  private func record(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    if case .run = operation { PromiseEvent.send(number, .callbackBegins) }
    let verdict = PromiseScope.run(in: membership?.scope ?? PromiseScope.current) {
      note.perform(operation, core, source)
    }
    if case .run = operation { PromiseEvent.send(number, .callbackEnds) }
    // Only the event is sent, because a recording must not affect the ways of errors.
    switch verdict {
    case .value: sendClaimed(for: .value)
    case .error: sendClaimed(for: .error)
    case .cancelled: sendClaimed(for: .cancelled)
    case .promise, .answer: break
    }
    return verdict
  }

  func noteClaimed(for outcome: Outcome) {
    if outcome == .error, let failure = RecordedFailure.current {
      let old = state.withLock { state in
        defer { state.rejectedIn = failure }
        return state.rejectedIn
      }
      withExtendedLifetime(old) {}
    }
    sendClaimed(for: outcome)
  }

  private func sendClaimed(for outcome: Outcome) { PromiseEvent.send(number, .resolved(PromiseEvent.Ending(outcome))) }

  func noteMistake(_ mistake: Mistake) {
    send(PromiseDiagnostic(mistake, origin: note.namedSite))
  }

  private func send(_ mistake: PromiseDiagnostic) {
    PromiseEvent.send(number, .mistake(mistake.description))
  }

  func noteInput(_ input: CoreRef) {
    guard DiagnosticsSwitch.isRecording, let input = CoreNote.find(input) else { return }
    PromiseEvent.send(number, .gathers(Int(input.number)))
  }

  func noteInternal() { PromiseEvent.send(number, .isInternal) }

  func noteEnd() {
    PromiseEvent.send(number, .freed)
    if producer == .resolver, let task = state.withLock({ $0.task }) { TaskWaits.end(task, number) }
  }

  func noteChild(_ step: CoreRef, isHidden: Bool) {
    state.withLock { $0.recipients += 1 }
    let note = PromiseNote(step, site, in: membership?.scope, from: origin, source: self, isHidden: isHidden)
    if step.traits.has(.resumesTask) { note.beginWait(for: core, through: step) }
  }

  func noteAdopted(by core: CoreRef) {
    state.withLock { $0.recipients += 1 }
    if let note = CoreNote.find(core) { PromiseEvent.send(note.number, .adopts(Int(number))) }
    // An error cannot be followed into a core without a note, so the error counts as read.
    if !core.traits.contains(.checked) { noteRead() }
  }

  func noteAdopter(_ core: CoreRef) { WaitGraph.check(adopter: core, of: self.core) }

  func noteRead() {
    failure?.keep()
    error.observe()
  }

  func run(_ body: () -> Void) {
    let callback = StallWatch.begin(self, isStep: false)
    defer { callback?.end() }
    // If the promise is rejected, the code is a callback for its error, which runs without a step.
    guard let failure else { return runInScope(body) }
    failure.handle { runInScope(body) }
  }

  private func runInScope(_ body: () -> Void) {
    guard let membership else { return body() }
    PromiseScope.$current.withValue(membership.scope, operation: body)
  }

  /// The promises before this promise in its chain, and this promise.
  private var chain: PromiseWay { before.appending(PromiseWay.Part(mark: mark)) }

  /// The way of the error of the promise, which is rejected. The caller has a count on the core, or had the last count.
  private var way: PromiseWay {
    let (way, failure) = state.withLock { ($0.way, $0.rejectedIn) }
    if let way { return way }
    guard let failure, let error = copyOfError, failure.isOf(error) else { return chain.rejectedAtEnd }
    var new = chain
    new.append(failure.way)
    new.append(PromiseWay.Part(mark: mark, isAdoption: true))
    return new
  }

  /// A copy of the error of the promise, which is rejected. The caller has a count on the core, or had the last count.
  private var copyOfError: Any? {
    guard case .answer(let answer) = note.perform(.copyError, core, nil) else { return nil }
    return (answer as? ErrorCopy)?.error
  }

  /// A record of the promise's error; `nil` if the promise is not rejected. The caller has a count on the core.
  private var failure: RecordedFailure? {
    guard core.outcome == .error, let error = copyOfError else { return nil }
    return RecordedFailure(of: error, of: number, way)
  }

  /// The error that other promises take over from this promise.
  private var error: FollowedError {
    let new = FollowedError(site, origin, name: name)
    return state.withLock { state in
      let error = state.error ?? new
      state.error = error
      return error
    }
  }

  /// Takes over the error of a rejected source. If the source has no note or is in another scope, the error is followed
  /// only from this promise on.
  private func takeOver(from source: CoreRef?, readsError: Bool, isAdoption: Bool = false) {
    guard let source, source.outcome == .error else { return }
    let note = PromiseNote.find(source)
    if let way = note?.way { extendWay(by: way, isAdoption: isAdoption) }
    note?.state.withLock { $0.recipients -= 1 }
    let isFollowed = note?.membership?.scope === membership?.scope
    if !isFollowed { note?.noteRead() }
    let error = isFollowed ? note?.error : nil
    error?.retain()
    error?.way = way
    if readsError { error?.observe() }
    let old = state.withLock { state in
      defer { state.error = error }
      return state.error
    }
    old?.release()
  }

  /// Stops following the source's error if the step has made another error. The other error, which no code has read
  /// yet, is then followed from this promise on, and its way says that it was made here. A step that throws the error
  /// of its source again has made no error.
  private func followNewError(unless failure: RecordedFailure) {
    guard let error = copyOfError, !failure.isOf(error) else { return }
    let old = state.withLock { state in
      let way = state.way
      state.way = way?.rejectedAtEnd
      return (error: state.error.take(), way: way)
    }
    old.error?.release()
  }

  /// Continues the way of an error with this promise. If trails leave out the promise, the way of the error that it had
  /// before an adoption is left out, too.
  private func extendWay(by way: PromiseWay, isAdoption: Bool) {
    var new = isAdoption && !mark.isHidden ? state.withLock { $0.way } ?? chain : PromiseWay()
    new.append(way)
    new.append(PromiseWay.Part(mark: mark, isAdoption: isAdoption))
    let old = state.withLock { state in
      defer { state.way = new }
      return state.way
    }
    withExtendedLifetime(old) {}
  }

  /// Handles the end of a core that has an error. If no other promise has the error and no code has read the error,
  /// reports the error or passes it to the scope.
  private func errorWillBeDestroyed(of core: CoreRef) {
    let state = state.withLock { state in
      defer { state.error = nil }
      return state
    }
    // It is no mistake to ignore an error after a request to cancel, or after the end of a recipient.
    let isDiscarded = core.hasBeenAskedToCancel || state.recipients > 0
    if isDiscarded { state.error?.observe() }
    if state.error == nil, isDiscarded { return }
    let error = state.error ?? FollowedError(site, origin, name: name)
    guard error.release(), let copy = relevantError(of: core) else { return }
    send(.failureUnobserved(origin: nil, error: "\(copy)"))
    if let membership { return membership.scope.record(lost: error) }
    if Diagnostics.level == .off { return }
    Diagnostics.report(.failureUnobserved(origin: error.place, error: "\(copy)")) { (error.way ?? way).lines }
  }

  /// Returns a copy of the error of a rejected core. Returns `nil` if the error says that the work is no longer wanted,
  /// because it is no mistake to ignore such an error. The caller has a count on the core, or had the last count.
  private func relevantError(of core: CoreRef) -> Any? {
    guard let error = copyOfError, !(error is CancellationError), error as? PromiseError != .ownerDeallocated else {
      return nil
    }
    return error
  }

  // MARK: Queries of a scope

  enum Progress {
    /// The promise is unresolved, has no source, and has not adopted another promise.
    case unresolvedRoot
    /// The promise is a step that has not run to its end.
    case waitingStep
    case following
    case rejected
    /// The promise has its result and does not count as `rejected`, or the promise no longer exists. If a promise was
    /// rejected after a request to cancel, it counts as resolved and not as rejected.
    case resolved
  }

  var progress: Progress {
    membership?.core.read { core in
      let phase = core.state.phase
      if core.outcome == .error, !core.hasBeenAskedToCancel { return .rejected }
      if core.state.isResolved { return .resolved }
      if phase == .adopting { return .following }
      return core.traits.contains(.hasResolver) ? .unresolvedRoot : .waitingStep
    } ?? .resolved
  }

  /// Whether the promise has a recipient that has not taken over the error, so that it is no mistake to ignore the
  /// error now.
  var hasRecipients: Bool { state.withLock { $0.recipients > 0 } }

  /// The error of a rejected promise; `nil` if code has read the error, or if it is no mistake to ignore the error.
  var unobservedError: FollowedError? {
    let error = error
    if error.isObserved { return nil }
    membership?.core.withCore { core in
      if relevantError(of: core) == nil { error.observe() }
    }
    return error.isObserved ? nil : error
  }
}
