/// What is noted about one core, by a scope of checks (`CheckedCore`) or for the whole program (`WatchedCore`).
///
/// A core that has a note has the trait `checked`, and a closure for its operations that has this object, which has the
/// real ones: so all that happens to its payload passes here, and a core without a note pays nothing. The core owns the
/// closure, and so its note; no note keeps a core.
class CoreNote: Answer, @unchecked Sendable {
  // Sendable: what is not constant is written before anybody else sees the core. Each kind says the same of its own.
  private let operations: Operations
  /// Where the root was made that the core comes from.
  final let site: CallSite
  private let bodyWaits = Atomic(false)

  /// Nobody else has seen the core. The note is its own only when it has been attached.
  init(_ core: CoreRef, _ site: CallSite) {
    operations = core.operations
    self.site = site
  }

  /// Puts the note between the core and its operations. Nobody else has seen the core.
  final func attach(to core: CoreRef) {
    // Not a trivial error any more, so that its end passes here whatever its type.
    let traits = (core.traits.rawValue | Traits.checked.rawValue) & ~Traits.trivialError.rawValue
    // Unsafe: nobody else has seen the core.
    unsafe core.pointer.pointee.traits = Traits(rawValue: traits)
    core.replaceOperations { self.perform($0, $1, $2) }
  }

  /// The note of a core for which the caller has a count or the handle.
  static func find(_ core: CoreRef) -> CoreNote? {
    guard core.traits.has(.checked), case .answer(let note) = core.perform(.findNote, nil) else { return nil }
    // Unsafe: it is `perform` that answers this, with itself.
    return unsafe unsafeDowncast(note, to: CoreNote.self)
  }

  // MARK: What happens to the core

  /// Does what the operations do. A kind of note that looks at them calls this in the end.
  func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> Verdict {
    if case .findNote = operation { .answer(self) } else { operations(operation, core, source) }
  }

  /// A step is about to be registered; or it has been served at once, and is not waiting. Nobody else has seen it.
  func noteChild(_ step: CoreRef, isWaiting: Bool = true) {}

  /// Another core adopts this one.
  func noteAdopted(by core: CoreRef) {}

  /// Somebody has read the error of the core.
  func noteRead() {}

  /// Runs code that belongs to the promise.
  func run(_ body: () -> Void) { body() }

  // MARK: The body

  /// Whether the body of the promise has not begun. If it never does, that is not the fault of who made the promise.
  final var isBodyWaiting: Bool { bodyWaits.load(ordering: .relaxed) }

  final func noteBodyWaits() { bodyWaits.store(true, ordering: .relaxed) }

  final func runBody(_ body: () -> Void) {
    bodyWaits.store(false, ordering: .relaxed)
    run(body)
  }
}

extension PromiseHandle {
  /// Whether the caller, who has made the core, is to offer it a note. It costs two instructions to look.
  #if EXPLORING
    @usableFromInline
  #else
    @inlinable
    @inline(__always)
  #endif
  var awaitsNote: Bool {
    // Unsafe: the caller has the handle.
    unsafe core.pointer.pointee.traits.contains(.awaitsNote)
  }

  @inline(never)
  func awaitNote() {
    // Unsafe: nobody else has seen the core.
    unsafe core.pointer.pointee.traits.insert(.awaitsNote)
  }

  /// Makes a note for a core without a source, if anybody wants one. Nobody else has seen it.
  @usableFromInline
  @inline(never)
  func takeNote(_ site: CallSite, _ producer: Producer? = nil) {
    // Unsafe: nobody else has seen the core.
    unsafe core.pointer.pointee.traits.remove(.awaitsNote)
    // What the library makes for itself is of no interest: an error comes out where a user has asked for it.
    let isWatched = Attention.isOn && site.isUsers
    if isWatched, !core.traits.has(.library) { producer?.watch(for: site) }
    if Attention.hasScopes, let scope = PromiseScope.current { return CheckedCore.check(core, site, in: scope) }
    if isWatched { WatchedCore(core, site).attach(to: core) }
  }
}

extension CoreRef {
  /// Somebody who is not a step has read the error.
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
  /// Cancelled is what somebody has asked for, or an executor has dropped the body, or nobody has the promise, nor observes
  /// it: then nobody has made a mistake.
  func noteResolversGone() {
    if hasBeenAskedToCancel || traits.contains(.library) { return }
    // Without a handle nobody comes.
    if votesNow.isOutOfReach, state.list == 0 { return }
    let note = CoreNote.find(self)
    if note?.isBodyWaiting != true { Diagnostics.report(.resolverDropped(origin: note?.site.text)) }
  }
}
