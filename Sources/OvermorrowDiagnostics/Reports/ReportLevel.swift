/// How mistakes are reported: what `PromiseDiagnostics.Level` is for programs, which explains the levels.
package enum ReportLevel: String, Sendable, CaseIterable {
  case off, report, print, trap

  /// The name of the environment variable that sets the level. Its values are the names of the levels.
  package static var variable: String { "OVERMORROW_DIAGNOSTICS" }

  /// The default level: `print` if this library was compiled without optimisation, and otherwise `off`. The package
  /// manager and Xcode compile the library in the same way as the program.
  package static var initial: ReportLevel {
    var level = off
    // This closure runs only if assertions are checked, that is, without optimisation.
    assert(
      {
        level = .print
        return true
      }())
    return level
  }

  package init?(name: String) { self.init(rawValue: name.lowercased()) }

  /// Returns the message for an invalid value of the environment variable.
  static func unknownLevelMessage(about name: String) -> String {
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    return "Overmorrow: \(variable) is ignored: \"\(name)\" is none of \(names)."
  }
}
