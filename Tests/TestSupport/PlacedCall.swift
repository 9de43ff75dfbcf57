import Foundation
package import Overmorrow
internal import OvermorrowDiagnostics
package import Testing

/// The error of the promise that a ``PlacedCall`` is given.
package struct PlacedError: Error, Equatable {
  package let line: Int
}

/// A call of one public function that makes a promise or runs work. The diagnostics must name the line of the call.
package struct PlacedCall: Sendable, CustomTestStringConvertible {
  /// The promise from which the function gets its result, and its error.
  package typealias Inner = (promise: Promise<Int, any Error>, error: PlacedError)
  /// Returns whether the promise that was made is resolved. The closure retains the promise.
  typealias Made = @Sendable () -> Bool

  /// What the diagnostics can show of a call.
  package enum Kind: Sendable {
    /// The promise waits for the inner promise, and takes over its error.
    case follows
    /// The promise waits for the inner promise, and takes over no error.
    case waits
    /// The promise has its error at once.
    case fails
  }

  let function: String
  let kind: Kind
  let place: String
  let line: Int
  let make: (@Sendable (Inner) -> Made)?
  let wait: (@Sendable (Inner) async throws -> Void)?

  package var testDescription: String { "\(function), line \(line)" }

  /// - Parameters:
  ///   - function: The function with its labels, as ``functions(of:)`` returns it.
  ///   - make: A closure on the same line, which calls the function.
  package init<Value, Failure>(
    _ function: String, _ kind: Kind = .follows, fileID: String = #fileID, line: Int = #line,
    _ make: @escaping @Sendable (Inner) -> Promise<Value, Failure>
  ) {
    self.function = function
    self.kind = kind
    self.line = line
    place = "\(fileID):\(line)"
    wait = nil
    self.make = { inner in
      let promise = make(inner)
      return { promise.result != nil }
    }
  }

  /// - Parameters:
  ///   - function: The function with its labels, as ``functions(of:)`` returns it.
  ///   - wait: A closure on the same line, which calls the async function. The function waits for the inner promise.
  package init(
    async function: String, fileID: String = #fileID, line: Int = #line,
    _ wait: @escaping @Sendable (Inner) async throws -> Void
  ) {
    self.function = function
    kind = .waits
    self.line = line
    place = "\(fileID):\(line)"
    make = nil
    self.wait = wait
  }

  /// Checks that the diagnostics name the line of the call.
  package func check(_ sourceLocation: SourceLocation = #_sourceLocation) async {
    if kind != .fails { await checkPending(sourceLocation) }
    if kind != .waits {
      await checkError(isRead: false, sourceLocation)
      if kind == .follows { await checkError(isRead: true, sourceLocation) }
    }
  }

  /// While the call waits, the list of pending promises names its line.
  private func checkPending(_ sourceLocation: SourceLocation) async {
    let scope = PromiseScope(findsLeaks: false)
    defer { scope.close() }
    let (inner, resolver) = PromiseScope.outside { Promise<Int, any Error>.makeWithResolver(fileID: "A/A.swift") }
    let given = (inner, PlacedError(line: line))
    let (made, task) = PromiseScope.run(in: scope) { () -> (Made?, Task<Void, any Error>?) in
      (make?(given), wait.map { wait in Task { try await wait(given) } })
    }
    await until("\(place) in the list of pending promises", sourceLocation: sourceLocation) {
      PromiseDiagnostics.pending().entries.contains { $0.origin == place }
    }
    resolver.cancel()
    task?.cancel()
    _ = await task?.result
    await until("\(place) to end", sourceLocation: sourceLocation) { made?() ?? true }
  }

  /// If no code reads the error, the finding of the checks names the line of the call or that of the inner promise. If
  /// code has read the error, its trail names the line.
  private func checkError(isRead: Bool, _ sourceLocation: SourceLocation) async {
    let scope = PromiseScope(findsLeaks: false)
    defer { scope.close() }
    let error = PlacedError(line: line)
    var made: Made? = PromiseScope.run(in: scope) { () -> Made? in
      make?((Promise<Int, any Error>(rejected: error, fileID: "A/A.swift", line: 1), error))
    }
    if isRead {
      await until("\(place) to be rejected", sourceLocation: sourceLocation) { made?() ?? true }
      let trail = PromiseDiagnostics.trail(of: error)?.description ?? ""
      if !trail.contains(place) { Issue.record("\(place) is not in \(trail)", sourceLocation: sourceLocation) }
      return
    }
    made = nil
    // A place that the call stack gives has no module.
    let origins = [place] + (kind == .follows ? ["A/A.swift:1"] : [])
    await until("the finding at \(place)", sourceLocation: sourceLocation) {
      scope.findings.contains {
        if case .failureUnobserved(let origin?, _) = $0 { origins.contains { $0.hasSuffix(origin) } } else { false }
      }
    }
  }

  // MARK: The recorded interface

  /// Returns the public functions and initialisers of a library that make promises without a source, or that are
  /// async, from `Documentation/Interface`. Functions with equal labels are repeated. Functions with `filePath` only
  /// fail a test.
  package static func functions(of library: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let file = root.appendingPathComponent("Documentation/Interface/\(library).txt")
    let declaration = /(?:extension (\w+)[^\{]* \{ )?(.*?)\b(?:func (\w+)|init)(?:<[^\(]*>)?\((.*)/
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: declaration) else { return nil }
      let (parameters, rest) = arguments(match.4)
      let isOperator =
        ["Promise", "BoundPromise"].contains(match.1 ?? "") && !match.2.contains("static") && match.3 != nil
      let result = rest.replacing(" where ", with: "\n").split(separator: "\n").first ?? ""
      let makes = result.contains("-> ") && result.contains("Promise<") && !isOperator
      let labels = parameters.map { "\($0.drop { $0 == " " }.prefix { $0 != ":" && $0 != " " }):" }
      guard labels.contains("fileID:") || makes || rest.hasPrefix(" async"), !labels.contains("filePath:") else {
        return nil
      }
      return (match.1.map { "\($0)." } ?? "") + "\(match.3 ?? "init")(\(labels.joined()))"
    }
  }

  /// Splits the parameters of a function at their commas, and returns the text behind them.
  private static func arguments(_ text: Substring) -> (parameters: [String], rest: Substring) {
    var (parameters, depth, previous) = ([""], 0, Character(" "))
    for index in text.indices {
      let character = text[index]
      defer { previous = character }
      if depth == 0, character == ")" {
        return (parameters.filter { !$0.isEmpty }, text[text.index(after: index)...])
      }
      if "([<".contains(character) { depth += 1 }
      if ")]".contains(character) || character == ">" && previous != "-" { depth -= 1 }
      if depth == 0, character == "," {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    return ([], "")
  }

  /// Returns the functions of a library without a call in the table and without a reason.
  package static func missing(
    in table: [PlacedCall], of library: String, except reasons: [String: String]
  ) throws
    -> [String]
  {
    var calls = table.map(\.function)
    return try functions(of: library).filter { function in
      if reasons[function] != nil { return false }
      guard let index = calls.firstIndex(of: function) else { return true }
      calls.remove(at: index)
      return false
    }
  }
}
