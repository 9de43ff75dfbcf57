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
    /// With the level `.report`, the handler receives the diagnostics, and they are not printed.
    ///
    /// The message describes the mistake. If the place where the promise was made is known, the metadata of the message
    /// contains the place under `origin`.
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
