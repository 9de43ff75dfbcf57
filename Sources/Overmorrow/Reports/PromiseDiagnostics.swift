/// Settings for diagnostics.
///
/// Debug builds print mistakes in the use of promises; release builds do not look for them. <doc:Diagnostics> says what
/// is found and when.
public enum PromiseDiagnostics {
  /// How mistakes are reported.
  public enum Level: Sendable {
    /// Nothing is printed, and no check that costs anything is made: neither for errors that no code reads, nor for
    /// promises that are resolved twice, nor for where a promise was made.
    case off
    /// Mistakes are reported to the handler only.
    case report
    /// Mistakes are printed, too: to the unified log on Apple's platforms, and to standard error elsewhere.
    case print
    /// The first mistake is printed, and stops the program.
    case trap
  }

  /// How mistakes are reported: ``Level/print`` in debug builds, ``Level/off`` in release builds.
  ///
  /// The environment variable `OVERMORROW_DIAGNOSTICS` comes before: as long as it is `off`, `report`, `print` or
  /// `trap`, what is set here has no effect. A promise is watched if it was made while the level was not ``Level/off``;
  /// so set it before the first promise is made.
  ///
  /// ```swift
  /// PromiseDiagnostics.level = .off
  /// ```
  public static var level: Level {
    get { Diagnostics.level }
    set { Diagnostics.level = newValue }
  }

  /// Receives each diagnostic on the thread where it arose; `nil`, the default, ignores them at no cost.
  ///
  /// It is called for every mistake; printing happens once for each place. Keep it short and do not resolve promises in
  /// it. What ``checking(leaks:_:)`` finds is not sent here.
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
  /// All levels, as the environment names them.
  static let names: [(name: String, level: PromiseDiagnostics.Level)] = [
    ("off", .off), ("report", .report), ("print", .print), ("trap", .trap),
  ]

  /// The default level: by how this library was compiled, which is how the package manager and Xcode compile the
  /// program that uses it.
  package static var initial: PromiseDiagnostics.Level {
    var level = off
    // Run where assertions are checked: without optimisation.
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

  /// What is printed when the environment variable has another value.
  static func unknownLevelMessage(about name: String) -> String {
    let names = names.map(\.name).joined(separator: ", ")
    return "Overmorrow: \(PromiseDiagnostics.variable) is \"\(name)\", which is none of \(names); it is ignored."
  }
}
