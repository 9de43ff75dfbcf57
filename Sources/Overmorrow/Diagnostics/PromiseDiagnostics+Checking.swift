extension PromiseDiagnostics {
  /// Runs a closure, and finds out what is wrong with the promises made in it when it has returned: which are
  /// unresolved, and whose errors no code has read.
  ///
  /// Checked are the promises that the closure makes without a source, those that their bodies and callbacks make, and
  /// all that is derived from them; not those made by work that the closure hands to a queue itself. A promise that is
  /// to resolve later is unresolved, too: let the closure return when all is done. `OvermorrowTesting` has checks that
  /// wait, fail tests, and know where promises were made.
  ///
  /// An error counts as read when a callback that takes errors was registered for it, anywhere down a chain that it was
  /// passed on to; or when `result` was read. After a request to cancel it does not matter.
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
    return (try PromiseScope.run(in: scope, body), scope.diagnostics)
  }
}
