package import OvermorrowEngine

/// The note of a promise that is watched, is recorded or belongs to a scope of checks. The note records whether code
/// reads the promise's error.
///
/// An error is followed from promise to promise. All promises that have the error share a `FollowedError`. If no code
/// has read the error when the last of these promises ends, the error is reported or passed to the scope. So an error
/// that code may still read is never reported. A scope can query its notes at any time.
///
/// The extensions of this class have one concern each. Together they are the `NoteFollower` of the core.
///
/// # Where a promise or an error comes from
///
/// - *site*: the file and line of a call, such as "Loader.swift:33"
/// - *name*: what the program has called a promise with `named(_:)`
/// - *origin*: where the first promise of a chain was made: its site and the name
/// - *chain*: a promise without a source, and the steps up to a promise
/// - *trail*: the chain of an error and the promises that took over the error; a `TrailParts` until it is shown
/// - *cause*: what an unresolved promise waits for
package final class PromiseNote: NoteFollower, CallbackOwner {
  let note: CoreNote
  let membership: ScopeMembership?
  /// The kind of code that resolves the promise if the promise has no source.
  let producer: ProducerKind
  let state = Guarded(NoteState())
  /// The promise itself, for trails.
  package let mark: PromiseMark
  /// The promises before this promise in its chain.
  let before: TrailParts

  /// Creates a note for a core that is not yet shared with other threads.
  package init(
    _ core: CoreRef, _ site: CallSite, in scope: PromiseScope?, from origin: PromiseOrigin?,
    producer: ProducerKind = .resolver, source: PromiseNote? = nil, isHidden: Bool = false
  ) {
    self.producer = producer
    let calls: CallStack? = source != nil || !site.isInUserCode ? .captureIfUseful() : nil
    // `locate` searches the call stack, where it would not recognise a closure in `Optional.map` as a function of this
    // module. So `Optional.map` is not used.
    if let scope {
      let known = site.isInUserCode ? PromiseOrigin { site.text } : nil
      let origin = origin ?? known ?? scope.locate?() ?? PromiseOrigin { calls?.siteOfCall }
      membership = ScopeMembership(scope: scope, origin: origin, core: WeakCore(core, isExposed: false))
    } else {
      membership = nil
    }
    note = CoreNote(core, site, name: source?.name, producer: producer.awaited)
    mark = PromiseMark(
      site, origin: membership?.origin, isStep: source != nil, context: source == nil ? nil : note.context,
      name: source?.name, producer: producer, calls: calls)
    // The delay before an attempt is no part of the trail of an error, nor is the step that begins the attempt.
    if isHidden || producer == .nextAttempt || source?.producer == .nextAttempt { mark.hide() }
    before = source?.chain ?? TrailParts()
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
    state.withLock { $0.error.followed.take() }?.release()
    membership?.scope.remove(self)
  }

  package static func find(_ core: CoreRef) -> PromiseNote? { CoreNote.find(core)?.follower as? PromiseNote }

  package var core: CoreRef { note.core }
  package var site: CallSite { note.site }
  package var number: UInt { note.number }
  package var made: ContinuousClock.Instant { note.made }
  package var name: String? { note.name }
  var body: CoreNote.BodyPhase { note.body }
  package var context: String? { note.context }

  /// The origin of a promise in a scope; `nil` for other promises.
  var origin: PromiseOrigin? { membership?.origin }
  /// The call that made the first promise of the chain, and the name of the promise; `nil` if neither is known.
  var namedSite: String? { note.namedSite }
  /// The text of the origin or of the site, and the name of the promise; `nil` if neither is known.
  package var namedOrigin: String? { CallSite.origin(origin?.text ?? site.text, name: name) }

  package var siteOfCall: String? { mark.siteOfCall }

  /// Gives the promise a name. Promises that are derived from the promise afterwards take over the name.
  package func rename(_ name: String) {
    note.name = name
    mark.rename(name)
    PromiseEvent.send(number, .named(name))
  }
}

/// The data of a note that changes. One lock guards all of them.
struct NoteState: Sendable {
  var error = ErrorState()
  var waits = WaitState()
}
