internal import OvermorrowEngine

/// The settings of the diagnostics, and the reports of mistakes.
package enum Diagnostics {
  private static let currentHandler = Guarded<(any FindingHandler)?>(nil)
  private static let printer = DiagnosticsPrinter { Console.print($0) }

  package static var handler: (any FindingHandler)? {
    get { currentHandler.withLock { $0 } }
    set {
      // The old handler is released after unlocking, because its release may run user code.
      let old = currentHandler.withLock { handler in
        defer { handler = newValue }
        return handler
      }
      withExtendedLifetime(old) {}
      // Makes the engine report its mistakes.
      _ = level
    }
  }

  /// The level that the environment variable sets; `nil` if the variable sets no level. The variable is read once,
  /// because another thread may change the environment later.
  private static let environmentLevel: ReportLevel? = System.environment(ReportLevel.variable)
    .flatMap {
      let level = ReportLevel(name: $0)
      if level == nil { System.printToStandardError(ReportLevel.unknownLevelMessage(about: $0)) }
      return level
    }

  private static let currentLevel: Guarded<ReportLevel> = {
    let level = environmentLevel ?? .initial
    DiagnosticsSwitch.setWatchesAll(level != .off)
    Mistake.setReporter { report(Finding($0, origin: $1)) }
    return Guarded(level)
  }()

  /// The level that the environment variable sets or, if the variable sets no level, the level that the program has
  /// set. Until the program sets a level, the level is ``ReportLevel/initial``.
  package static var level: ReportLevel {
    get { currentLevel.withLock { $0 } }
    set {
      currentLevel.withLock { level in
        if environmentLevel != nil { return }
        level = newValue
        DiagnosticsSwitch.setWatchesAll(newValue != .off)
      }
    }
  }

  /// Whether promises are watched even if they belong to no scope of checks. The first call determines the level.
  package static var isWatching: Bool {
    if DiagnosticsSwitch.isLevelUnknown {
      _ = level
      DiagnosticsSwitch.setLevelKnown()
    }
    return DiagnosticsSwitch.watchesAll
  }

  /// Reports a mistake. `details` returns lines to print below the report.
  package static func report(_ finding: Finding, details: () -> String = { "" }) {
    handler?.handle(finding)
    let level = level
    if level == .trap, finding.isAboutTime { return printer.print(finding) }
    if level == .trap { fatalError(finding.line + details()) }
    if level == .print { printer.print(finding, details: details) }
  }

  /// Returns `replacement`. If `replacement` differs from `value`, reports an invalid argument.
  package static func replace<Value: Equatable>(_ value: Value, by replacement: Value, _ name: String) -> Value {
    if value != replacement { report(.invalidArgument("\(name): \(value) counts as \(replacement)")) }
    return replacement
  }
}

/// A receiver of all findings, on the threads that find them.
package protocol FindingHandler: Sendable {
  func handle(_ finding: Finding)
}

/// A printer of reports. It prints the first report of a mistake at a place, and then counts the reports. It counts at
/// most ``limit`` pairs of a mistake and a place. Reports of further pairs are not printed.
package final class DiagnosticsPrinter: Sendable {
  /// The largest number of printed pairs of a mistake and a place. More would hide the program's own output.
  package static var limit: Int { 100 }

  private let counts = Guarded<[Finding: Int]>([:])
  private let output: @Sendable (String) -> Void

  package init(_ output: @escaping @Sendable (String) -> Void) { self.output = output }

  /// Prints the first report of a mistake at a place, and the 10th, the 100th, the 1000th and so on.
  /// `details` returns lines to print below the first report.
  package func print(_ finding: Finding, details: () -> String = { "" }) {
    let key = finding.withoutDetails
    let (count, pairs) = counts.withLock { counts in
      guard counts[key] != nil || counts.count < Self.limit else { return (0, 0) }
      let count = counts[key, default: 0] + 1
      counts[key] = count
      return (count, counts.count)
    }
    if count == 1 {
      output(finding.line + details())
      if pairs == Self.limit { output("Overmorrow: this was mistake \(pairs). Further mistakes are not printed.") }
    } else if count > 1, count.isPowerOfTen {
      output(finding.repetition(count))
    }
  }
}

extension Int {
  fileprivate var isPowerOfTen: Bool {
    var rest = self
    while rest % 10 == 0 { rest /= 10 }
    return rest == 1
  }
}
