internal import OvermorrowDiagnostics

extension PromiseDiagnostics {
  /// Runs a closure, and finds the mistakes in the use of the promises that the closure makes. The mistakes are
  /// unresolved promises and rejected promises whose error no code has read.
  ///
  /// The checks cover the promises that the closure makes without a source, and all promises that are derived from
  /// covered promises. They also cover the promises that the bodies and callbacks of covered promises make. If the
  /// closure itself submits work to a queue, the checks do not cover the promises that this work makes. A promise that
  /// is resolved only after the closure has returned counts as unresolved, so let the closure return only when all work
  /// has finished. The checks of `OvermorrowTesting` wait for promises, fail tests, and find the places where promises
  /// were made.
  ///
  /// An error counts as read if a callback for errors is registered on its promise, or further down a chain that
  /// forwards the error. An error also counts as read if `result` was read. If a promise has been asked to cancel, its
  /// error is not reported.
  ///
  /// - Parameters:
  ///   - leaks: Whether resolved promises and handles of loads that are still in memory are reported as mistakes. With
  ///     `true`, the closure must not retain any promise or handle on purpose. `false` by default.
  ///   - body: The closure to run, once, inside this call.
  /// - Returns: The return value of the closure, and the mistakes that were found.
  public static func checking<R, E: Error>(
    leaks: Bool = false, _ body: () throws(E) -> R
  ) throws(E) -> (result: R, diagnostics: [PromiseDiagnostic]) {
    let scope = PromiseScope(findsLeaks: leaks)
    defer { scope.close() }
    return (try PromiseScope.run(in: scope, body), scope.findings.map { PromiseDiagnostic($0) })
  }
}
