/// The engine's side of `PromiseDiagnostics`. Only ever reached on paths that have gone wrong.
enum Diagnostics {
  private static let current = Guarded<(@Sendable (PromiseDiagnostic) -> Void)?>(nil)

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

  static func report(_ diagnostic: PromiseDiagnostic) { sink?(diagnostic) }

  /// The value given, or another in its place, which is reported.
  static func replace<Value: Equatable>(_ given: Value, by meant: Value, _ name: String) -> Value {
    if given != meant { report(.invalidArgument("\(name): \(given) counts as \(meant)")) }
    return meant
  }
}
