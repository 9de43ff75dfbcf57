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
    get { Diagnostics.level }
    set { Diagnostics.level = newValue }
  }

  /// A closure that receives each diagnostic, on the thread that has found the mistake; `nil` by default.
  ///
  /// The handler receives every mistake, but a mistake is printed in full only once for each place. The handler may use
  /// promises. Keep the handler short, because it runs inside the call that has found the mistake. The handler does not
  /// receive the findings of ``checking(leaks:_:)``.
  public static var handler: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { Diagnostics.handler }
    set { Diagnostics.handler = newValue }
  }
}

extension PromiseDiagnostics {
  /// The name of the environment variable that sets the level.
  package static var variable: String { "OVERMORROW_DIAGNOSTICS" }

  /// Reports a mistake that another module of the library has found.
  package static func report(_ diagnostic: PromiseDiagnostic) { Diagnostics.report(diagnostic) }

  /// Returns `replacement`. If `replacement` differs from `value`, reports an invalid argument.
  package static func replace<Value: Equatable>(_ value: Value, by replacement: Value, _ name: String) -> Value {
    Diagnostics.replace(value, by: replacement, name)
  }
}

extension PromiseDiagnostics.Level {
  /// All levels, with the values of the environment variable that select them.
  static let names: [(name: String, level: PromiseDiagnostics.Level)] = [
    ("off", .off), ("report", .report), ("print", .print), ("trap", .trap),
  ]

  /// The default level: `print` if this library was compiled without optimisation, and otherwise `off`. The package
  /// manager and Xcode compile the library in the same way as the program.
  package static var initial: PromiseDiagnostics.Level {
    var level = off
    // This closure runs only if assertions are checked, that is, without optimisation.
    assert(
      {
        level = .print
        return true
      }())
    return level
  }

  init?(name: String) {
    guard let found = Self.names.first(where: { $0.name == name.lowercased() }) else { return nil }
    self = found.level
  }

  /// Returns the message for an invalid value of the environment variable.
  static func unknownLevelMessage(about name: String) -> String {
    let names = names.map(\.name).joined(separator: ", ")
    return "Overmorrow: \(PromiseDiagnostics.variable) is ignored: \"\(name)\" is none of \(names)."
  }
}
