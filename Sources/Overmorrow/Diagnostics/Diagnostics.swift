/// The engine's side of `PromiseDiagnostics`. Only ever reached on paths that have gone wrong.
enum Diagnostics {
  private static let current = Guarded<(@Sendable (PromiseDiagnostic) -> Void)?>(nil)

  static var sink: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  static func report(_ diagnostic: PromiseDiagnostic) { sink?(diagnostic) }
}
