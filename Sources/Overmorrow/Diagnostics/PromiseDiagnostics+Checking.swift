extension PromiseDiagnostics {
  /// Runs a closure, and then reports what is wrong with the promises that were made in it: promises that are
  /// unresolved, and rejected promises whose error no code has read.
  ///
  /// The checks cover the promises that the closure makes without a source, the promises that their bodies and
  /// callbacks make, and all promises that are derived from these. They do not cover promises that are made by work
  /// which the closure itself submits to a queue. A promise that would resolve later counts as unresolved, so let the
  /// closure return only when all work has finished. `OvermorrowTesting` has checks that wait, fail tests, and know
  /// where promises were made.
  ///
  /// An error counts as read if a callback that takes errors is registered for it, anywhere down a chain that passes it
  /// on, or if `result` was read. After a request to cancel, errors are ignored.
  ///
  /// - Parameters:
  ///   - leaks: Whether to report resolved promises that are still in memory as well. If so, the closure must not
  ///     retain any promise on purpose. `false` by default.
  ///   - body: The closure to run, once, inside this call.
  /// - Returns: What the closure has returned, and the mistakes that were found.
  public static func checking<R, E: Error>(
    leaks: Bool = false, _ body: () throws(E) -> R
  ) throws(E) -> (result: R, diagnostics: [PromiseDiagnostic]) {
    let scope = PromiseScope(findsLeaks: leaks)
    defer { scope.close() }
    return (try PromiseScope.run(in: scope, body), scope.diagnostics)
  }
}
