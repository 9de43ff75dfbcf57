#if Logging
  public import Logging
  public import Overmorrow

  extension Logger {
    /// A handler of diagnostics that logs them.
    ///
    /// ```swift
    /// PromiseDiagnostics.handler = Logger(label: "promises").diagnosticsHandler()
    /// PromiseDiagnostics.level = .report
    /// ```
    ///
    /// The level `.report` keeps the diagnostics from being printed as well.
    ///
    /// The message says what has happened; its metadata has the place where the promise was made as `origin`, if it is
    /// known.
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
