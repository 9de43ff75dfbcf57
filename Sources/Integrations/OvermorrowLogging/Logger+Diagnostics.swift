#if Logging
  public import Logging
  public import Overmorrow

  extension Logger {
    /// Returns a handler that logs diagnostics.
    ///
    /// ```swift
    /// PromiseDiagnostics.handler = Logger(label: "promises").diagnosticsHandler()
    /// PromiseDiagnostics.level = .report
    /// ```
    ///
    /// With the level `.report`, the diagnostics are not printed as well.
    ///
    /// The message describes the mistake. Its metadata has the place where the promise was made under `origin`, if that
    /// is known.
    ///
    /// - Runs on: the thread on which the mistake is found.
    /// - Parameter level: The level of the messages.
    public func diagnosticsHandler(level: Logger.Level = .warning) -> @Sendable (PromiseDiagnostic) -> Void {
      { diagnostic in
        log(level: level, "\(diagnostic)", metadata: diagnostic.origin.map { ["origin": .string($0)] })
      }
    }
  }
#endif
