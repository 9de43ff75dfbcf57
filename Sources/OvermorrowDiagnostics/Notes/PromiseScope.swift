internal import OvermorrowEngine

/// The place where a promise was made. The text of the place is computed when the text is read.
///
/// The origin is an object and not a closure, because it is passed from promise to promise, and a closure may be
/// wrapped again each time.
package final class PromiseOrigin: Sendable {
  private let find: @Sendable () -> String?

  package init(_ find: @escaping @Sendable () -> String?) { self.find = find }

  package var text: String? { find() }
}

/// A scope of checks. The checks find promises of the scope that do not resolve, and errors of these promises that no
/// code reads.
///
/// A promise without a source belongs to the current scope of the code that makes the promise. The current scope is a
/// task-local value. A step belongs to the scope of its source, whatever thread makes the step. The callback of the
/// step runs in the same scope.
package final class PromiseScope: Sendable {
  /// The scope of the calling code.
  @TaskLocal package static var current: PromiseScope?

  private struct Weak: Sendable {
    weak var note: PromiseNote?
  }

  private struct Handle: Sendable {
    weak var object: (any AnyObject & Sendable)?
    let origin: PromiseOrigin?
  }

  private struct State: Sendable {
    var isOpen = true
    /// The handles of loads that were made in the scope, if leaks are findings.
    var handles = SweptList<Handle>()
    /// The notes of the scope's promises.
    var notes: [ObjectIdentifier: Weak] = [:]
    /// The unread errors that no promise has any more. Each of them is a finding, so none is removed before the end.
    var lost: [FollowedError] = []
    /// Actions that report the failed expectations of callbacks. Each of them fails the test, so none is removed before
    /// the end.
    var failures: [@Sendable () -> Void] = []
  }

  /// Whether resolved promises that are still in memory are findings.
  private let findsLeaks: Bool
  /// A closure that finds the place of the calling code; `nil` to use the place that the compiler supplies.
  let locate: (@Sendable () -> PromiseOrigin)?
  private let state = Guarded(State())

  /// Opens a scope.
  ///
  /// - Parameters:
  ///   - findsLeaks: Whether resolved promises that are still in memory are findings.
  ///   - locate: A closure that finds the place of the calling code while a promise is made. The closure must not make
  ///     promises.
  package init(findsLeaks: Bool, locate: (@Sendable () -> PromiseOrigin)? = nil) {
    self.findsLeaks = findsLeaks
    self.locate = locate
    DiagnosticsSwitch.openScope()
  }

  deinit { close() }

  /// Runs code whose promises belong to no scope.
  package static func outside<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try run(in: nil, body) }

  /// Runs code whose promises belong to a scope. With `nil`, the promises belong to no scope.
  package static func run<R, E: Error>(in scope: PromiseScope?, _ body: () throws(E) -> R) throws(E) -> R {
    // `withValue` would lose the type of the error.
    let result = $current.withValue(scope) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  func add(_ note: PromiseNote) { state.withLock { $0.notes[ObjectIdentifier(note)] = Weak(note: note) } }

  func remove(_ note: PromiseNote) { _ = state.withLock { $0.notes.removeValue(forKey: ObjectIdentifier(note)) } }

  /// Records a handle of loads that the calling code makes. If the handle still exists when the scope is checked for
  /// leaks, it is a finding.
  package static func noteHandle(_ object: any AnyObject & Sendable) {
    guard DiagnosticsSwitch.hasScopes, let scope = current, scope.findsLeaks else { return }
    let handle = Handle(object: object, origin: scope.locate?())
    let released = scope.state.withLock { state -> (swept: [Handle], objects: [any AnyObject & Sendable]) in
      guard state.isOpen else { return ([], []) }
      // Objects that exist are retained until after the unlocking, because their release may run user code.
      var objects: [any AnyObject & Sendable] = []
      let swept = state.handles.append(handle) { old in
        guard let object = old.object else { return true }
        objects.append(object)
        return false
      }
      return (swept, objects)
    }
    withExtendedLifetime(released) {}
  }

  /// Records an unread error that no promise has any more.
  func record(lost error: FollowedError) {
    state.withLock { if $0.isOpen { $0.lost.append(error) } }
  }

  /// Keeps an action that reports a failed expectation, because the calling code does not know its test. Returns
  /// `false` if the scope is closed.
  package func keep(_ failure: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.isOpen { state.failures.append(failure) }
      return state.isOpen
    }
  }

  /// Closes the scope, and reports the failed expectations of its callbacks.
  package func end() {
    close()
    let failures = state.withLock { state in
      defer { state.failures = [] }
      return state.failures
    }
    for failure in failures { failure() }
  }

  /// The current findings, without duplicates: unresolved promises, unread errors and leaks. Each finding is a closure
  /// that returns the diagnostic, because it takes long to find the place where a promise was made.
  private var found: [() -> Finding] {
    let (notes, lost) = state.withLock { ($0.notes.values.compactMap(\.note), $0.lost) }
    let all = notes.map { (note: $0, progress: $0.progress, origin: $0.origin.map(ObjectIdentifier.init)) }
    // While a step waits, code may still read the errors of its chain, so these errors are no findings yet.
    let busy = Set(all.filter { $0.progress == .waitingStep }.map(\.origin))
    let kept = all.filter { $0.progress == .rejected }.compactMap { each in
      each.note.unobservedError.map { (error: $0, isBusy: busy.contains(each.origin) || each.note.hasRecipients) }
    }
    var seen = Set(kept.filter(\.isBusy).map { ObjectIdentifier($0.error) })
    let unobserved = (lost + kept.map(\.error)).filter { seen.insert(ObjectIdentifier($0)).inserted }
    let hasResult = findsLeaks ? all.filter { [.resolved, .rejected].contains($0.progress) } : []
    let leaked = Dictionary(hasResult.map { ($0.origin, $0.note) }) { first, _ in first }.values
    let handles = state.withLock { $0.handles.elements }.filter { $0.object != nil }
    return all.filter { $0.progress == .unresolvedRoot }.map(\.note).map { note in
      { .neverResolved(origin: note.namedOrigin) }
    }
      + unobserved.map { error in { .failureUnobserved(origin: error.namedOrigin) } }
      + leaked.map { note in { .leaked(origin: note.namedOrigin) } }
      + handles.map { handle in { .leaked(origin: handle.origin?.text) } }
  }

  package var numbers: [Int] { state.withLock { $0.notes.values.compactMap(\.note) }.map { Int($0.number) } }

  /// The current findings, without duplicates: unresolved promises, unread errors and leaks.
  package var findings: [Finding] { found.map { $0() } }

  package var isClean: Bool { found.isEmpty }

  package func close() {
    let (wasOpen, lost) = state.withLock { state in
      defer { (state.isOpen, state.lost) = (false, []) }
      return (state.isOpen, state.lost)
    }
    if wasOpen { DiagnosticsSwitch.closeScope() }
    withExtendedLifetime(lost) {}
  }
}
