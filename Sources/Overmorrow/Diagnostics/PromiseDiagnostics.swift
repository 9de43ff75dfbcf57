/// What is done with diagnostics.
///
/// Debug builds print mistakes in the use of promises, release builds do not look for them. <doc:Diagnostics> says what is
/// found and when.
public enum PromiseDiagnostics {
  /// How loudly mistakes are reported.
  public enum Level: Sendable {
    /// Nothing is printed, and nothing is looked for that costs anything: neither errors that nobody looks at, nor
    /// promises that are resolved twice, nor where a promise was made.
    case off
    /// Mistakes are reported to the sink only.
    case report
    /// Mistakes are printed, too: to the unified log on Apple's platforms, and to standard error elsewhere.
    case print
    /// The first mistake is printed, and stops the program.
    case trap
  }

  /// What is done with mistakes: ``Level/print`` in debug builds, ``Level/off`` in release builds.
  ///
  /// The environment variable `OVERMORROW_DIAGNOSTICS` comes before: as long as it is `off`, `report`, `print` or `trap`, what
  /// is set here has no effect. A promise is watched if it was made while the level was not ``Level/off``; so set it
  /// before the first promise is made.
  ///
  /// ```swift
  /// PromiseDiagnostics.level = .off
  /// ```
  public static var level: Level {
    get { Attention.level }
    set { Attention.level = newValue }
  }

  /// Receives each diagnostic on the thread where it arose; `nil`, the default, ignores them at no cost.
  ///
  /// It is told of every mistake, where others are printed once for each place. Keep it short and do not resolve promises
  /// in it. What ``checking(leaks:_:)`` finds is not sent here.
  public static var sink: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { Diagnostics.sink }
    set { Diagnostics.sink = newValue }
  }

  /// Runs a closure, and finds out what is wrong with the promises made in it when it has returned: which are
  /// unresolved, and whose errors nobody has looked at.
  ///
  /// Checked are the promises that the closure makes without a source, those that their bodies and callbacks make, and all
  /// that is derived from them; not those made by work that the closure hands to a queue itself. A promise that is to resolve
  /// later is unresolved, too: let the closure return when all is done. `OvermorrowTesting` has checks that wait, fail
  /// tests, and know where promises were made.
  ///
  /// An error has been looked at when a callback that takes errors was registered for it, anywhere down any chain that it
  /// was passed on to; or when `result` was read. After a request to cancel it does not matter.
  ///
  /// - Parameters:
  ///   - leaks: Whether to find resolved promises that are still in memory, too. Then the closure must not keep any on
  ///     purpose.
  ///   - body: Run once, at once.
  /// - Returns: What the closure has returned, and what was found.
  public static func checking<R, E: Error>(
    leaks: Bool = false, _ body: () throws(E) -> R
  ) throws(E) -> (result: R, diagnostics: [PromiseDiagnostic]) {
    let scope = PromiseScope(findsLeaks: leaks)
    defer { scope.close() }
    let result = PromiseScope.$current.withValue(scope) { () -> Result<R, E> in
      do throws(E) { return .success(try body()) } catch { return .failure(error) }
    }
    return (try result.get(), scope.diagnostics)
  }
}

extension PromiseDiagnostics {
  /// The environment variable that sets the level.
  package static var variable: String { "OVERMORROW_DIAGNOSTICS" }
}

extension PromiseDiagnostics.Level {
  /// All of them, as the environment names them.
  static let names: [(name: String, level: PromiseDiagnostics.Level)] = [
    ("off", .off), ("report", .report), ("print", .print), ("trap", .trap),
  ]

  /// The level of a program that says nothing: by how this library was compiled, which is how the package manager and Xcode
  /// compile the program that uses it.
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
  static func complaint(about name: String) -> String {
    let names = names.map(\.name).joined(separator: ", ")
    return "Overmorrow: \(PromiseDiagnostics.variable) is \"\(name)\", which is none of \(names); it is ignored."
  }
}
