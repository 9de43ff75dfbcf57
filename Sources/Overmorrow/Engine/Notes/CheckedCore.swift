/// What a scope of checks notes about one core, which may be asked at any time what is wrong with all of its cores.
///
/// Its end is the core's end, as the core owns it and nobody else does for long.
final class CheckedCore: CoreNote, @unchecked Sendable {
  // Sendable: constants, and what is behind locks.
  private struct Notes: Sendable {
    /// The failure that the core has got from its source; its own if `nil` when it is rejected.
    var failure: CheckedFailure?
    /// Somebody else has the error now: a child, or an adopter.
    var isDelegated = false
    /// The step has been registered, and has not run yet.
    var isWaiting = false
  }

  private struct Weak: Sendable {
    weak var core: CheckedCore?
  }

  private static let all = Guarded<[ObjectIdentifier: Weak]>([:])

  private let scope: PromiseScope
  private let core: WeakCore
  let origin: PromiseOrigin
  private let family: CheckedFamily
  private let notes = Guarded(Notes())

  private init(_ core: CoreRef, _ site: CallSite, in scope: PromiseScope, from source: CheckedCore?) {
    self.scope = scope
    self.core = WeakCore(core, isExposed: false)
    let located = source == nil ? scope.locate?() : nil
    origin = source?.origin ?? PromiseOrigin { located?.text ?? site.text }
    family = source?.family ?? CheckedFamily()
    super.init(core, site)
  }

  deinit {
    _ = CheckedCore.all.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    stopWaiting()
  }

  // MARK: Into a scope

  /// Makes a root belong to a scope. Nobody else has seen it.
  static func check(_ core: CoreRef, _ site: CallSite, in scope: PromiseScope) {
    _ = make(core, site, in: scope, from: nil)
  }

  /// Makes a step that is about to be registered belong where its source does.
  override func noteChild(_ step: CoreRef, isWaiting: Bool) {
    delegate()
    let made = CheckedCore.make(step, site, in: scope, from: self)
    guard isWaiting else { return }
    made.family.add(1)
    made.notes.withLock { $0.isWaiting = true }
  }

  private static func make(
    _ core: CoreRef, _ site: CallSite, in scope: PromiseScope, from source: CheckedCore?
  ) -> CheckedCore {
    let made = CheckedCore(core, site, in: scope, from: source)
    made.attach(to: core)
    all.withLock { $0[ObjectIdentifier(made)] = Weak(core: made) }
    return made
  }

  // MARK: What happens to it

  override func perform(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> Verdict {
    switch operation {
    case .run, .pass, .passWithout:
      defer { stopWaiting() }
      // Suppressed by a token, or dropped by an executor, a callback for errors still counts.
      let traits = core.traits
      takeOver(from: source, looksAtError: traits.contains(.onError) && !traits.contains(.passesOn))
      return PromiseScope.$current.withValue(scope) { super.perform(operation, core, source) }
    case .adopt: takeOver(from: source, looksAtError: false)
    case .destroyError: if let failure = lostFailure { scope.note(lost: failure) }
    case .takeOut, .destroyValue, .copyError, .findNote: break
    }
    return super.perform(operation, core, source)
  }

  /// The failure of the source, if it has failed, becomes this core's.
  private func takeOver(from source: CoreRef?, looksAtError: Bool) {
    guard let source, source.outcome == .error, let source = CoreNote.find(source) else { return }
    // What was made outside of all scopes is followed in another way.
    guard let source = source as? CheckedCore else { return source.noteRead() }
    let failure = source.failure
    if looksAtError { failure.observe() }
    notes.withLock { $0.failure = failure }
  }

  private var failure: CheckedFailure {
    let new = CheckedFailure(origin, family)
    return notes.withLock { notes in
      let failure = notes.failure ?? new
      notes.failure = failure
      return failure
    }
  }

  private func delegate() { notes.withLock { $0.isDelegated = true } }

  private func stopWaiting() {
    let wasWaiting = notes.withLock { notes in
      defer { notes.isWaiting = false }
      return notes.isWaiting
    }
    if wasWaiting { family.add(-1) }
  }

  override func run(_ body: () -> Void) { PromiseScope.$current.withValue(scope, operation: body) }

  override func noteAdopted(by core: CoreRef) { delegate() }

  override func noteRead() { failure.observe() }

  // MARK: What is wrong with it

  /// The failure that ends here: nobody else has it. After a request to cancel, a failure is of no interest.
  var lostFailure: CheckedFailure? {
    let isOwn = core.look { $0.outcome == .error && !$0.hasBeenAskedToCancel } ?? false
    guard isOwn, !notes.withLock({ $0.isDelegated }) else { return nil }
    return failure
  }

  /// Whether it has its result: then nothing that is to come needs it.
  var isResolved: Bool { core.isSpent }

  /// Whether this is a promise that a resolver, or a body, should have resolved, and that follows no other.
  var isUnresolvedRoot: Bool {
    core.look { core in
      let phase = core.state.phase
      return core.traits.contains(.produced) && (phase == .pending || phase == .claimed)
    } ?? false
  }

  /// The cores of a scope that are still there, in no particular order.
  static func remaining(in scope: PromiseScope) -> [CheckedCore] {
    all.withLock { $0.values.compactMap(\.core) }.filter { $0.scope === scope }
  }
}

/// One error, shared by all the promises that have passed it on.
final class CheckedFailure: Sendable {
  let origin: PromiseOrigin
  private let family: CheckedFamily
  private let isObserved = Guarded(false)

  init(_ origin: PromiseOrigin, _ family: CheckedFamily) {
    self.origin = origin
    self.family = family
  }

  /// Somebody has looked at it.
  func observe() { isObserved.withLock { $0 = true } }

  /// Whether nobody has looked at it, and no step that has not run yet may still do so.
  var isUnobserved: Bool { !isObserved.withLock { $0 } && family.isQuiet }
}

/// A root and all that was derived from it.
final class CheckedFamily: Sendable {
  private let waiting = Guarded(0)

  func add(_ number: Int) { waiting.withLock { $0 += number } }

  /// Whether no step waits to run.
  var isQuiet: Bool { waiting.withLock { $0 == 0 } }
}
