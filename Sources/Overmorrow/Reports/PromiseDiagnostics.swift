/// Settings for diagnostics.
///
/// Debug builds print mistakes in the use of promises. Release builds do not look for them. <doc:Diagnostics> lists the
/// mistakes and says when each of them is found.
public enum PromiseDiagnostics {
  /// How mistakes are reported.
  public enum Level: Sendable {
    /// Nothing is printed, and promises are not watched. So errors that no code reads and promises that are resolved
    /// twice are not found, and the places where promises are made are not recorded.
    case off
    /// Mistakes are reported to the handler only.
    case report
    /// Mistakes are also printed: to the unified log on Apple's platforms, and to standard error elsewhere.
    case print
    /// The first mistake is printed and stops the program.
    case trap
  }

  /// How mistakes are reported: ``Level/print`` in debug builds, ``Level/off`` in release builds.
  ///
  /// The environment variable `OVERMORROW_DIAGNOSTICS` takes precedence: while it is `off`, `report`, `print` or
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

  /// A closure that receives each diagnostic, on the thread that found it. With `nil`, the default, no code receives
  /// diagnostics, and this costs nothing.
  ///
  /// The handler is called for every mistake, although printing happens only once for each place. It may use
  /// promises. Keep it short, because it runs inside the call that has found the mistake. The findings of
  /// ``checking(leaks:_:)`` are not sent to it.
  public static var handler: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { Diagnostics.handler }
    set { Diagnostics.handler = newValue }
  }
}

extension PromiseDiagnostics {
  /// The environment variable that sets the level.
  package static var variable: String { "OVERMORROW_DIAGNOSTICS" }

  /// Reports a mistake that another module of the library has found.
  package static func report(_ diagnostic: PromiseDiagnostic) { Diagnostics.report(diagnostic) }
}

extension PromiseDiagnostics.Level {
  /// All levels, with their names in the environment.
  static let names: [(name: String, level: PromiseDiagnostics.Level)] = [
    ("off", .off), ("report", .report), ("print", .print), ("trap", .trap),
  ]

  /// The default level. It depends on how this library was compiled, because the package manager and Xcode compile the
  /// library in the same way as the program.
  package static var initial: PromiseDiagnostics.Level {
    var level = off
    // This runs only where assertions are checked, that is, without optimisation.
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

  /// The message for an invalid value of the environment variable.
  static func unknownLevelMessage(about name: String) -> String {
    let names = names.map(\.name).joined(separator: ", ")
    return "Overmorrow: \(PromiseDiagnostics.variable) is ignored: \"\(name)\" is none of \(names)."
  }
}
