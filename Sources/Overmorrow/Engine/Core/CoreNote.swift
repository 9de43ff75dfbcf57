/// A note about one core: what the engine tells a client that follows promises, for reports and checks.
///
/// A core that has a note has the trait `checked`, and a closure for its operations that has this object, which has the
/// real ones: so all that happens to its payload passes here, and a core without a note pays nothing. The core owns the
/// closure, and so its note; no note keeps a core.
class CoreNote: Answer, @unchecked Sendable {
  // Sendable: what is not constant is atomic. A subclass says the same of its own.
  private let operations: Operations
  /// Not counted: to be used by those who hold a count, or all locks of the list.
  final let core: CoreRef
  /// Where the root was made that the core comes from.
  final let site: CallSite
  /// Tells the note from all others of the program. A later one has a larger number.
  final let number = CoreNote.nextNumber()
  final let made = ContinuousClock.now
  /// Where the step runs; `nil` for a core that runs none.
  private final let stepContext: String?
  private final let bodyPhase = Guarded(BodyPhase.none)
  // Under the lock of its list.
  final var next: CoreNote?
  final unowned var previous: CoreNote?

  /// How far the body of a promise is.
  enum BodyPhase: Sendable, Equatable {
    case none
    /// It waits to be run on this context. If it never is, that is not the fault of the code that made the promise.
    case waits(on: String)
    case runs
  }

  /// Puts the note between the core and its operations. Nobody else has seen the core.
  init(_ core: CoreRef, _ site: CallSite) {
    operations = core.operations
    self.core = core
    self.site = site
    stepContext = core.traits.has(.produced) || core.state.isResolved ? nil : core.place.description
    super.init()
    core.replaceOperations { self.perform($0, $1, $2) }
    // Not a trivial error any more, so that its end passes here whatever its type.
    let traits = (core.traits.rawValue | Traits.checked.rawValue) & ~Traits.trivialError.rawValue
    // Unsafe: nobody else has seen the core.
    unsafe core.pointer.pointee.traits.value = Traits(rawValue: traits)
  }

  /// The note of a core for which the caller has a count or the handle.
  static func find(_ core: CoreRef) -> CoreNote? {
    guard core.traits.has(.checked), case .answer(let note) = core.perform(.findNote, nil) else { return nil }
    // Unsafe: it is `perform` that answers this, with itself.
    return unsafe unsafeDowncast(note, to: CoreNote.self)
  }

  /// Does what the operations do. A note that looks at them calls this in the end.
  func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .findNote: return .answer(self)
    case .end:
      noteEnd()
      return .cancelled
    default: return operations(operation, core, source)
    }
  }

  /// A step is about to be registered, or has been served at once. Nobody else has seen it.
  func noteChild(_ step: CoreRef) {}

  /// Another core adopts this one.
  func noteAdopted(by core: CoreRef) {}

  /// The error of the core has been read.
  func noteRead() {}

  /// Runs code that belongs to the promise.
  func run(_ body: () -> Void) { body() }

  /// The promise has a result, or another one to adopt, from its resolver.
  func noteClaimed() {}

  /// The core ends.
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

  /// How far the body is.
  final var body: BodyPhase { bodyPhase.withLock { $0 } }

  /// Where the callback runs, or the body that waits; `nil` if there is none.
  final var context: String? {
    if case .waits(let context) = body { context } else { stepContext }
  }
}

extension CoreRef {
  /// The error has been read, and not by a step.
  @usableFromInline
  func didReadError() {
    if traits.contains(.checked) { CoreNote.find(self)?.noteRead() }
  }

  /// Where the root was made that this core comes from.
  var site: CallSite { CoreNote.find(self)?.site ?? CallSite(#fileID, #line) }

  /// The same, in words.
  var origin: String? { site.text }

  /// The last copy of the resolver has gone, and the promise is about to be cancelled for that. The caller has the claim.
  ///
  /// It is no mistake when cancelling was requested, when an executor has dropped the body, and when nobody has the promise, nor
  /// observes it.
  func noteResolversGone() {
    if hasBeenAskedToCancel || traits.contains(.library) { return }
    // Without a handle nobody comes.
    if votesNow.isUnreachable, state.list == 0 { return }
    let note = CoreNote.find(self)
    if case .waits? = note?.body { return }
    Diagnostics.report(.resolverDropped(origin: note?.site.text))
  }
}
