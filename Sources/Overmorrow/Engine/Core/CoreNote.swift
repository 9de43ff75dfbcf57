/// A note about one core. Through notes, the engine informs the code that follows promises for reports and checks.
///
/// A core with a note has the trait `checked`. Its operations are a closure that calls the note, and the note calls the
/// original operations. So every operation of the core passes through the note, and a core without a note has no cost.
/// The core owns the closure, and so owns the note. The note does not keep the core.
class CoreNote: Answer, @unchecked Sendable {
  // Sendable: each field is constant, atomic or guarded by a lock. A subclass proves the same for its own fields.
  private let operations: Operations
  /// The core, without a count. It is used only by code that has a count, or while all locks of the list are held.
  final let core: CoreRef
  /// The call that made the first promise of the core's chain.
  final let site: CallSite
  /// A number that identifies the note in the program. A later note has a larger number.
  final let number = CoreNote.nextNumber()
  final let made = ContinuousClock.now
  /// The name of the context on which the step runs; `nil` for a core without a step.
  private final let stepContext: String?
  private final let bodyPhase = Guarded(BodyPhase.none)
  private final let givenName: Guarded<String?>
  // The lock of the note's shard guards both links.
  final var next: CoreNote?
  final unowned var previous: CoreNote?

  /// The progress of a promise's body.
  enum BodyPhase: Sendable, Equatable {
    case none
    /// The body waits to run on this context. If the body never runs, the code that made the promise is not at fault.
    case waits(on: String)
    case runs
  }

  /// Puts the note between the core and its operations. The core is not shared yet.
  init(_ core: CoreRef, _ site: CallSite, name: String? = nil) {
    operations = core.operations
    self.core = core
    self.site = site
    givenName = Guarded(name)
    stepContext = core.traits.has(.produced) || core.state.isResolved ? nil : core.place.description
    super.init()
    core.replaceOperations { self.perform($0, $1, $2) }
    // The error no longer counts as trivial, so that its destruction passes through the note, whatever the type of the
    // error.
    let traits = (core.traits.rawValue | Traits.checked.rawValue) & ~Traits.trivialError.rawValue
    // Unsafe: the core is not shared yet.
    unsafe core.pointer.pointee.traits.value = Traits(rawValue: traits)
  }

  /// Returns the note of a core, if it has one. The caller has a count on the core or the handle.
  static func find(_ core: CoreRef) -> CoreNote? {
    guard core.traits.has(.checked), case .answer(let note) = core.perform(.findNote, nil) else { return nil }
    // Unsafe: the answer to `findNote` is the note itself.
    return unsafe unsafeDowncast(note, to: CoreNote.self)
  }

  /// Performs an operation. An override calls this implementation last.
  func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .findNote: return .answer(self)
    case .end:
      noteEnd()
      return .cancelled
    default: return operations(operation, core, source)
    }
  }

  /// Handles a new step of the core. The step is about to be registered, or was served at once. It is not shared yet.
  func noteChild(_ step: CoreRef) {}

  /// Handles the adoption of this core by another one.
  func noteAdopted(by core: CoreRef) {}

  /// Handles a read of the core's error.
  func noteRead() {}

  /// Runs user code of the promise.
  func run(_ body: () -> Void) { body() }

  /// Handles the claim of a resolver for a result. The claim for the adoption of a promise does not call this function.
  func noteClaimed(for outcome: Outcome) {}

  /// Handles the beginning of a wait for an input, or for the internal step that reports the input's result.
  func noteInput(_ input: CoreRef) {}

  /// Records that the core is an internal step of the library.
  func noteInternal() {}

  /// Handles a mistake in the use of the promise.
  func noteMistake(_ mistake: PromiseDiagnostic) {}

  /// Handles the end of the core.
  func noteEnd() { removeFromList() }

  final func noteBodyWaits(on context: PromiseContext) {
    let name = context.shownName
    bodyPhase.withLock { $0 = .waits(on: name) }
  }

  final func runBody(_ body: () -> Void) {
    bodyPhase.withLock { $0 = .runs }
    run(body)
    bodyPhase.withLock { $0 = .none }
  }

  /// The name that the program has given the promise. A step begins with the name of its source. `nil` if there is no
  /// name.
  final var name: String? {
    get { givenName.withLock { $0 } }
    set { givenName.withLock { $0 = newValue } }
  }

  /// The call that made the first promise of the core's chain, as text, and the name of the promise; `nil` if neither
  /// is known.
  final var namedSite: String? { PromiseDiagnostic.origin(site.text, name: name) }

  /// The progress of the body.
  final var body: BodyPhase { bodyPhase.withLock { $0 } }

  /// The name of the context on which the body waits to run, or on which the callback runs; `nil` if the core has
  /// neither context.
  final var context: String? {
    if case .waits(let context) = body { context } else { stepContext }
  }
}

extension CoreRef {
  /// Records that code other than a step has read the error.
  @usableFromInline
  func didReadError() {
    if traits.contains(.checked) { CoreNote.find(self)?.noteRead() }
  }

  /// The call that made the first promise of this core's chain. If the core has no note, this is a call site in the
  /// library.
  var site: CallSite { CoreNote.find(self)?.site ?? CallSite(#fileID, #line) }

  /// The call that made the first promise of this core's chain, as text, and the name of the promise; `nil` if neither
  /// is known.
  var origin: String? { CoreNote.find(self)?.namedSite }

  /// Reports that the last copy of the resolver was released without a result, so that the promise is about to be
  /// cancelled. The caller has the claim.
  ///
  /// Four cases are no mistakes and are not reported: the promise was asked to cancel, the library made the promise for
  /// its own use, an executor dropped the body, or the promise has neither a handle nor an observer.
  func noteResolversGone() {
    if hasBeenAskedToCancel || traits.contains(.library) { return }
    // Without a handle no waiter can be added.
    if votesNow.isUnreachable, state.list == 0 { return }
    let note = CoreNote.find(self)
    if case .waits? = note?.body { return }
    report(.resolverDropped(origin: note?.namedSite))
  }

  /// Records that this core is about to get its result in a way that no operation performs.
  func noteResult(_ outcome: Outcome) {
    if traits.contains(.checked) { CoreNote.find(self)?.noteClaimed(for: outcome) }
  }

  /// Records that this core waits for an input. The caller has the handle of this core, or a count on it.
  func noteInput(_ input: CoreRef) {
    if traits.contains(.checked) { CoreNote.find(self)?.noteInput(input) }
  }

  /// Records that this core is an internal step of the library. The caller has the handle of this core, or a count.
  func noteInternal() {
    if traits.contains(.checked) { CoreNote.find(self)?.noteInternal() }
  }

  /// Reports a mistake in the use of this core's promise.
  func report(_ mistake: PromiseDiagnostic) {
    CoreNote.find(self)?.noteMistake(mistake)
    Diagnostics.report(mistake)
  }
}
