/// The engine's side of `PromiseDiagnostics`. Only ever reached on paths that have gone wrong.
enum Diagnostics {
  private static let current = Guarded<(@Sendable (PromiseDiagnostic) -> Void)?>(nil)
  private static let printer = DiagnosticsPrinter { Console.print($0) }

  static var sink: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { current.withLock { $0 } }
    set {
      // The old one goes after the lock has been let go: what it holds may do anything then.
      let old = current.withLock { sink in
        defer { sink = newValue }
        return sink
      }
      withExtendedLifetime(old) {}
    }
  }

  static func report(_ diagnostic: PromiseDiagnostic) {
    sink?(diagnostic)
    let level = Attention.level
    if level == .trap { fatalError(diagnostic.line) }
    if level == .print { printer.print(diagnostic) }
  }

  /// Nobody has looked at this error, and nobody can any more.
  ///
  /// Some errors say that nobody is interested: then it is no mistake to ignore them.
  static func reportUnobserved(_ error: Any, origin: String?) {
    if Attention.level == .off || error is CancellationError || error is PromiseOwnerError { return }
    report(.failureUnobserved(origin: origin, error: "\(error)"))
  }

  /// The value given, or another in its place, which is reported.
  static func replace<Value: Equatable>(_ given: Value, by meant: Value, _ name: String) -> Value {
    if given != meant { report(.invalidArgument("\(name): \(given) counts as \(meant)")) }
    return meant
  }
}

/// Prints what is reported: each thing once for each place, and not for ever.
package final class DiagnosticsPrinter: Sendable {
  /// More would hide what else a program prints.
  package static var limit: Int { 100 }

  private let printed = Guarded<Set<PromiseDiagnostic>>([])
  private let output: @Sendable (String) -> Void

  package init(_ output: @escaping @Sendable (String) -> Void) { self.output = output }

  package func print(_ diagnostic: PromiseDiagnostic) {
    let count = printed.withLock { printed -> Int? in
      guard printed.count < Self.limit, printed.insert(diagnostic.withoutError).inserted else { return nil }
      return printed.count
    }
    guard let count else { return }
    output(diagnostic.line)
    if count == Self.limit { output("Overmorrow: that was report number \(count); no more are printed.") }
  }
}
