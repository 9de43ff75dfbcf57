internal import Synchronization

/// How many scopes of checks are open: all that the making of a promise looks at while there is none.
enum OpenScopes {
  private static let count = Atomic(0)

  /// Relaxed: whoever runs in a scope was started after it was opened, on its own thread or by a hand-over that orders.
  @inline(__always)
  static var isAny: Bool { count.load(ordering: .relaxed) != 0 }

  static func open() { count.add(1, ordering: .relaxed) }
  static func close() { count.subtract(1, ordering: .relaxed) }
}

/// What a scope of checks notes about one core.
///
/// A core that is checked has the trait `checked`, and a closure for its operations that has this object and the real
/// ones: so all that happens to its payload passes here, and a core that is not checked pays nothing. Its end is the
/// core's end, as the core owns the closure and nobody else owns this for long.
final class CheckedCore: Sendable {
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

  /// All of them, by the addresses of their cores.
  private static let all = Guarded<[UInt: Weak]>([:])

  private let scope: PromiseScope
  private let core: CoreRef
  /// Keeps the words of the core readable, and its address from being used anew, as long as this is in `all`.
  private let memory: MemoryHold
  let origin: PromiseOrigin
  private let family: CheckedFamily
  private let notes = Guarded(Notes())

  private init(_ handle: PromiseHandle, in scope: PromiseScope, from source: CheckedCore?) {
    self.scope = scope
    core = handle.core
    memory = MemoryHold(handle)
    origin = source?.origin ?? scope.locate()
    family = source?.family ?? CheckedFamily()
  }

  deinit {
    _ = CheckedCore.all.withLock { $0.removeValue(forKey: core.address) }
    stopWaiting()
    if let failure = lostFailure { scope.note(lost: failure) }
  }

  // MARK: Into a scope

  /// Makes a root belong to a scope. Nobody else has seen it.
  static func check(_ handle: PromiseHandle, in scope: PromiseScope) { _ = make(handle, in: scope, from: nil) }

  /// Makes a step that is about to be registered belong where its source does. Nobody else has seen it.
  static func check(_ handle: PromiseHandle, from source: CoreRef) {
    guard let source = find(source) else { return }
    source.delegate()
    let made = make(handle, in: source.scope, from: source)
    made.family.add(1)
    made.notes.withLock { $0.isWaiting = true }
  }

  private static func make(_ handle: PromiseHandle, in scope: PromiseScope, from source: CheckedCore?) -> CheckedCore {
    let made = CheckedCore(handle, in: scope, from: source)
    let core = handle.core
    // Unsafe: nobody else has seen the core.
    let operations = unsafe core.pointer.pointee.operations
    unsafe core.pointer.pointee.traits.insert(.checked)
    unsafe core.pointer.pointee.operations = { operation, core, source in
      made.perform(operation, core, source, operations)
    }
    all.withLock { $0[core.address] = Weak(core: made) }
    return made
  }

  /// What is noted about a core, for which the caller holds a count.
  private static func find(_ core: CoreRef) -> CheckedCore? { all.withLock { $0[core.address]?.core } }

  // MARK: What happens to it

  private func perform(
    _ operation: Operation, _ core: CoreRef, _ source: CoreRef?, _ operations: Operations
  ) -> Verdict {
    switch operation {
    case .run, .pass:
      defer { stopWaiting() }
      // Suppressed by a token, or dropped by an executor, a callback for errors still counts.
      let traits = core.traits
      takeOver(from: source, looksAtError: traits.contains(.onError) && !traits.contains(.passesOn))
      return PromiseScope.$current.withValue(scope) { operations(operation, core, source) }
    case .adopt: takeOver(from: source, looksAtError: false)
    case .destroyValue, .destroyError: break
    }
    return operations(operation, core, source)
  }

  /// The failure of the source, if it has failed, becomes this core's.
  private func takeOver(from source: CoreRef?, looksAtError: Bool) {
    guard let source, source.outcome == .error, source.traits.contains(.checked), let source = CheckedCore.find(source)
    else { return }
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

  /// Runs code that belongs to a promise.
  static func run(_ body: () -> Void, inScopeOf core: CoreRef) {
    PromiseScope.$current.withValue(find(core)?.scope, operation: body)
  }

  /// Another core adopts this one.
  static func noteAdopted(_ core: CoreRef) { find(core)?.delegate() }

  /// Somebody has read the error.
  static func noteRead(_ core: CoreRef) { find(core)?.failure.observe() }

  // MARK: What is wrong with it

  /// The failure that ends here: nobody else has it. After a request to cancel, a failure is of no interest.
  var lostFailure: CheckedFailure? {
    guard core.outcome == .error, !core.hasBeenAskedToCancel, !notes.withLock({ $0.isDelegated }) else { return nil }
    return failure
  }

  /// Whether it has its result: then nothing that is to come needs it.
  var isResolved: Bool { core.state.isResolved }

  /// Whether this is a promise that a resolver, or a body, should have resolved, and that follows no other.
  var isUnresolvedRoot: Bool {
    let phase = core.state.phase
    return core.traits.contains(.produced) && (phase == .pending || phase == .claimed || phase == .held)
  }

  /// The cores of a scope that are still there, in no particular order.
  static func remaining(in scope: PromiseScope) -> [CheckedCore] {
    all.withLock { $0.values.compactMap(\.core) }.filter { $0.scope === scope }
  }
}

extension CoreRef {
  /// Somebody who is not a step has read the error.
  @usableFromInline
  func didReadError() {
    if traits.contains(.checked) { CheckedCore.noteRead(self) }
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
