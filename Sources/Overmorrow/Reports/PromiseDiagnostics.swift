package import OvermorrowDiagnostics

/// Settings for diagnostics.
///
/// By default, debug builds print mistakes in the use of promises, and release builds print nothing. <doc:Diagnostics>
/// lists the mistakes and says when each of them is found.
public enum PromiseDiagnostics {
  /// How mistakes are reported.
  public enum Level: Sendable {
    /// Nothing is printed, and promises are not watched. So unread errors, promises that are resolved twice and cycles
    /// of several promises are not found, and the places where promises are made are not recorded.
    case off
    /// Mistakes are passed to the handler and not printed.
    case report
    /// Mistakes are passed to the handler and printed: to the unified log on Apple's platforms, and to standard error
    /// on other platforms.
    case print
    /// The first mistake is passed to the handler, is printed, and stops the program. A long blocking wait and
    /// a long callback are only passed to the handler and printed.
    case trap
  }

  /// The way in which mistakes are reported; by default ``Level/print`` in debug builds and ``Level/off`` in release
  /// builds.
  ///
  /// The environment variable `OVERMORROW_DIAGNOSTICS` takes precedence. If its value is `off`, `report`, `print` or
  /// `trap`, setting this property has no effect. A promise is watched if the level was not ``Level/off`` when the
  /// promise was made, so set the level before the first promise is made.
  ///
  /// ```swift
  /// PromiseDiagnostics.level = .off
  /// ```
  public static var level: Level {
    get { Level(Diagnostics.level) }
    set { Diagnostics.level = ReportLevel(newValue) }
  }

  /// A closure that receives each diagnostic, on the thread that has found the mistake; `nil` by default.
  ///
  /// The handler receives every mistake, but a mistake is printed in full only once for each place. The handler may use
  /// promises. Keep the handler short, because it runs inside the call that has found the mistake. The handler does not
  /// receive the findings of ``checking(leaks:_:)``.
  public static var handler: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { (Diagnostics.handler as? Handler)?.handle }
    set { Diagnostics.handler = newValue.map { Handler(handle: $0) } }
  }
}

/// The handler of a program. This type keeps the closure as it is, so that reading and setting it does not wrap it.
private struct Handler: FindingHandler {
  let handle: @Sendable (PromiseDiagnostic) -> Void

  func handle(_ finding: Finding) { handle(PromiseDiagnostic(finding)) }
}

extension PromiseDiagnostics.Level {
  package init(_ level: ReportLevel) {
    self =
      switch level {
      case .off: .off
      case .report: .report
      case .print: .print
      case .trap: .trap
      }
  }
}

extension ReportLevel {
  package init(_ level: PromiseDiagnostics.Level) {
    self =
      switch level {
      case .off: .off
      case .report: .report
      case .print: .print
      case .trap: .trap
      }
  }
}
