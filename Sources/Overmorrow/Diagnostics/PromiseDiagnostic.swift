/// Something that is survived, but that its programmer would want to know.
public enum PromiseDiagnostic: Sendable, Hashable {
  /// A promise was resolved with itself, directly or round a cycle. It was cancelled.
  case resolvedWithItself
  /// The last copy of a resolver went away without having resolved its promise. The promise was cancelled.
  case resolverDropped
  /// A value was given that makes no sense. The text names it, and what it counts as.
  case invalidArgument(String)
  /// A promise was still unresolved when the checks on it ended: its work goes on for ever, or its resolver is kept by a
  /// cycle of references. `origin` says where it was made, if that is known.
  case neverResolved(origin: String?)
  /// A promise was rejected, and nothing and nobody has looked at the error. `origin` says where the promise was made, or
  /// the one that it comes from, if that is known.
  case failureUnobserved(origin: String?)
  /// A resolved promise was still in memory when the checks on it ended, which were told to look for that. Something
  /// keeps it, such as a cycle of references. `origin` is as for the others.
  case leaked(origin: String?)
}

extension PromiseDiagnostic: CustomStringConvertible {
  /// What has happened, in words.
  public var description: String {
    switch self {
    case .resolvedWithItself: "a promise was resolved with itself"
    case .resolverDropped: "a resolver went away without having resolved its promise"
    case .invalidArgument(let text): text
    case .neverResolved(let origin): "a promise was never resolved" + PromiseDiagnostic.made(origin)
    case .failureUnobserved(let origin): "nobody looked at the error of a promise" + PromiseDiagnostic.made(origin)
    case .leaked(let origin): "a promise is kept in memory" + PromiseDiagnostic.made(origin)
    }
  }

  private static func made(_ origin: String?) -> String { origin.map { "; it was made at \($0)" } ?? "" }
}

/// Where diagnostics go.
public enum PromiseDiagnostics {
  /// Receives each diagnostic on the thread where it arose; `nil`, the default, ignores them at no cost.
  ///
  /// Keep it short and do not resolve promises in it. What ``checking(leaks:_:)`` finds is not sent here.
  public static var sink: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { Diagnostics.sink }
    set { Diagnostics.sink = newValue }
  }

  /// Runs a closure, and finds out what is wrong with the promises made in it when it has returned: which are
  /// unresolved, and whose errors nobody has looked at.
  ///
  /// Checked are the promises that the closure makes without a source, those that their bodies and callbacks make, and all
  /// that is derived from them; not those made by work that the closure hands to a queue itself. A promise that is to resolve
  /// later is unresolved, too: let the closure return when all is done. `OvermorrowTesting` has checks that wait, fail
  /// tests, and know where promises were made.
  ///
  /// An error has been looked at when a callback that takes errors was registered for it, anywhere down any chain that it
  /// was passed on to; or when `result` was read. After a request to cancel it does not matter.
  ///
  /// - Parameters:
  ///   - leaks: Whether to find resolved promises that are still in memory, too. Then the closure must not keep any on
  ///     purpose.
  ///   - body: Run once, at once.
  /// - Returns: What the closure has returned, and what was found.
  public static func checking<R, E: Error>(
    leaks: Bool = false, _ body: () throws(E) -> R
  ) throws(E) -> (result: R, diagnostics: [PromiseDiagnostic]) {
    let scope = PromiseScope(findsLeaks: leaks)
    defer { scope.close() }
    let result = PromiseScope.$current.withValue(scope) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }
    return (try result.get(), scope.diagnostics)
  }
}
