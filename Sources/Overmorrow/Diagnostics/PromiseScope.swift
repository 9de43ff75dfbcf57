/// Where a promise was made, as text, found out when it is asked for; `nil` if that is not known.
///
/// An object, as it is handed on from promise to promise: a closure may get one more wrapping each time.
package final class PromiseOrigin: Sendable {
  private let find: @Sendable () -> String?

  package init(_ find: @escaping @Sendable () -> String?) { self.find = find }

  package var text: String? { find() }
}

/// Checks the promises that are made in it: that they resolve, and that somebody looks at their errors.
///
/// A promise without a source belongs to the scope that is current where it is made: that is a task-local value. A step
/// belongs where its source belongs, on any thread, and for its callback that scope is the current one.
package final class PromiseScope: Sendable {
  /// The scope of the code that asks.
  @TaskLocal package static var current: PromiseScope?

  private struct State: Sendable {
    var isOpen = true
    var lost: [CheckedFailure] = []
  }

  /// Whether promises that are resolved have to be gone, too.
  private let findsLeaks: Bool
  /// Notes where the code that asks is. Without it, a promise was made where the compiler says.
  let locate: (@Sendable () -> PromiseOrigin)?
  private let state = Guarded(State())

  /// Opens a scope.
  ///
  /// - Parameters:
  ///   - findsLeaks: Whether promises that are resolved have to be gone, too.
  ///   - locate: Called in the middle of the making of a promise; it must not make any.
  package init(findsLeaks: Bool, locate: (@Sendable () -> PromiseOrigin)? = nil) {
    self.findsLeaks = findsLeaks
    self.locate = locate
    Attention.openScope()
  }

  deinit { close() }

  /// Runs code whose promises belong to no scope.
  package static func outside<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let result = $current.withValue(nil) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// A core has gone, and with it a failure; another one may still have it.
  func note(lost failure: CheckedFailure) {
    state.withLock { if $0.isOpen { $0.lost.append(failure) } }
  }

  /// What is wrong as things stand, each thing once: what is unresolved, whose errors nobody has looked at, what is leaked.
  private var findings: (unresolved: [PromiseOrigin], lost: [CheckedFailure], leaked: [PromiseOrigin]) {
    let cores = CheckedCore.remaining(in: self)
    var seen: Set<ObjectIdentifier> = []
    let lost = (state.withLock { $0.lost } + cores.compactMap(\.lostFailure)).filter {
      $0.isUnobserved && seen.insert(ObjectIdentifier($0)).inserted
    }
    // All that is derived from a promise has its origin.
    let leaked = findsLeaks ? cores.filter { $0.isResolved && seen.insert(ObjectIdentifier($0.origin)).inserted } : []
    return (cores.filter(\.isUnresolvedRoot).map(\.origin), lost, leaked.map(\.origin))
  }

  /// What is wrong as things stand.
  package var diagnostics: [PromiseDiagnostic] {
    let (unresolved, lost, leaked) = findings
    return unresolved.map { .neverResolved(origin: $0.text) }
      + lost.map { .failureUnobserved(origin: $0.origin.text) } + leaked.map { .leaked(origin: $0.text) }
  }

  /// Whether nothing is wrong as things stand.
  package var isClean: Bool {
    let (unresolved, lost, leaked) = findings
    return unresolved.isEmpty && lost.isEmpty && leaked.isEmpty
  }

  /// Ends the checks.
  package func close() {
    let (wasOpen, lost) = state.withLock { state in
      defer { (state.isOpen, state.lost) = (false, []) }
      return (state.isOpen, state.lost)
    }
    if wasOpen { Attention.closeScope() }
    withExtendedLifetime(lost) {}
  }
}
