/// A note about one core. Through notes, the engine informs the code that follows promises for reports and checks.
///
/// A core with a note has the trait `checked`. Its operations are a closure that calls the note, and the note calls the
/// original operations. So every operation of the core passes through the note, and a core without a note has no cost.
/// The core owns the closure, the closure owns the follower, and the follower owns the note. The note keeps neither the
/// core nor the follower.
package final class CoreNote: Answer, @unchecked Sendable {
  // Sendable: each field is constant, guarded by a lock, or written before the core is shared.
  private let operations: Operations
  /// The constants of the note. They lie at one address, so that a debugger can read them (`CoreNote+Layout`).
  private let facts: Interior<Facts>
  let bodyPhase = Guarded(BodyPhase.none)
  let givenName: Guarded<String?>
  // The lock of the note's shard guards both links.
  var next: CoreNote?
  unowned var previous: CoreNote?

  struct Facts {
    let core: CoreRef
    let site: CallSite
    let number: UInt
    let made: ContinuousClock.Instant
    let stepContext: String?
    let producer: String
  }

  package enum BodyPhase: Sendable, Equatable {
    case none
    /// The body waits to run on this context. If the body never runs, the code that made the promise is not at fault.
    case waits(on: String)
    case runs
  }

  /// The follower of the core. It exists as long as the core has its operations.
  private unowned var following: (any NoteFollower)?

  /// Creates the note of a core that is not shared yet.
  ///
  /// - Parameter producer: A description of the code that resolves a core without a step, for debuggers.
  package init(_ core: CoreRef, _ site: CallSite, name: String? = nil, producer: String) {
    operations = core.fields.operations.value.whole(isBoxed: core.traits.has(.boxed))
    givenName = Guarded(name)
    facts = Interior(
      Facts(
        core: core, site: site, number: CoreNote.nextNumber(), made: .now,
        stepContext: core.traits.has(.hasResolver) || core.state.isResolved ? nil : core.place.description,
        producer: producer))
    super.init()
  }

  // Unsafe, here and below: the constants are initialised and do not move.

  /// The core, without a count. It is used only by code that has a count, or while all locks of the list are held.
  package var core: CoreRef { unsafe facts.address.pointee.core }
  /// The call that made the first promise of the core's chain.
  package var site: CallSite { unsafe facts.address.pointee.site }
  /// A number that identifies the note in the program. A later note has a larger number.
  package var number: UInt { unsafe facts.address.pointee.number }
  package var made: ContinuousClock.Instant { unsafe facts.address.pointee.made }
  /// The name of the context on which the step runs; `nil` for a core without a step.
  private var stepContext: String? { unsafe facts.address.pointee.stepContext }
  /// The address of the constants.
  var factsAddress: UInt { unsafe UInt(bitPattern: facts.address) }

  /// The follower of the core. A count keeps the core, or a lock of the list of notes is held.
  package var follower: any NoteFollower {
    guard let following else { preconditionFailure("a note has no follower yet") }
    return following
  }

  /// Puts the follower between the core and its operations. The core is not shared yet.
  package func follow(with follower: any NoteFollower) {
    following = follower
    core.freeOperations()
    // The error no longer counts as trivial, so that its destruction passes through the note, whatever the type of the
    // error.
    var traits = core.traits.union(.checked).subtracting([.boxed, .trivialError])
    core.fields.operations.value = OperationsWord({ follower.perform($0, $1, $2) }, in: &traits)
    core.fields.traits = traits
  }

  package static func find(_ core: CoreRef) -> CoreNote? {
    guard core.traits.has(.checked), case .answer(let note) = core.perform(.findNote, nil) else { return nil }
    // Unsafe: the answer to `findNote` is the note itself.
    return unsafe unsafeDowncast(note, to: CoreNote.self)
  }

  package static func follower(of core: CoreRef) -> (any NoteFollower)? { find(core)?.follower }

  /// Performs an operation. The follower calls this function last.
  package func perform(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .findNote: return .answer(self)
    case .willEnd:
      removeFromList()
      follower.noteEnd()
      return .cancelled
    default: return operations(operation, core, source)
    }
  }

  package func noteBodyWaits(on context: String) { bodyPhase.withLock { $0 = .waits(on: context) } }

  func runBody(_ body: () -> Void) {
    bodyPhase.withLock { $0 = .runs }
    follower.run(body)
    bodyPhase.withLock { $0 = .none }
  }

  /// The name that the program has given the promise. A step begins with the name of its source. `nil` if there is no
  /// name.
  package var name: String? {
    get { givenName.withLock { $0 } }
    set { givenName.withLock { $0 = newValue } }
  }

  /// The call that made the first promise of the core's chain, as text, and the name of the promise; `nil` if neither
  /// is known.
  package var namedSite: String? { CallSite.origin(site.text, name: name) }

  package var body: BodyPhase { bodyPhase.withLock { $0 } }

  /// The name of the context on which the body waits to run, or on which the callback runs; `nil` if the core has
  /// neither context.
  package var context: String? {
    if case .waits(let context) = body { context } else { stepContext }
  }
}

extension CoreRef {
  /// Records that code other than a step has read the error.
  @usableFromInline
  package func didReadError() {
    if !traits.isFollowed { return }
    if traits.has(.checked) { CoreNote.find(self)?.follower.noteRead() } else { CoreRecord.read(self) }
  }

  /// A copy of the error; `nil` if the core is not rejected.
  package var copyOfError: Any? {
    guard outcome == .error, case .answer(let answer) = perform(.copyError, nil) else { return nil }
    return (answer as? ErrorCopy)?.error
  }

  /// The call that made the first promise of this core's chain. If the core has no note, this is a call site in the
  /// library.
  package var site: CallSite { CoreNote.find(self)?.site ?? CallSite(#fileID, #line) }

  /// The call that made the first promise of this core's chain, as text, and the name of the promise; `nil` if neither
  /// is known.
  package var origin: String? { CoreNote.find(self)?.namedSite }

  /// Reports a mistake in the use of this core's promise.
  func report(_ mistake: Mistake) {
    let note = CoreNote.find(self)
    note?.follower.noteMistake(mistake)
    mistake.report(origin: note?.namedSite)
  }
}
