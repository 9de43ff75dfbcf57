internal import Overmorrow
internal import OvermorrowDiagnostics

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// A place in a test at which a failure can be recorded, for Swift Testing and for XCTest.
struct TestFailure: Sendable {
  private let fileID: StaticString
  private let filePath: StaticString
  private let line: UInt
  private let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  /// Fails the test.
  ///
  /// Swift Testing stores the current test in a task-local value, which a callback on another thread does not have.
  /// If the callback belongs to a scope of checks, the scope fails the test when it ends. Other code without that value
  /// belongs to XCTest, unless the process runs only Swift Testing.
  func record(_ message: String) {
    #if canImport(Testing)
      if Test.current == nil, let scope = PromiseScope.current, scope.keep({ self.recordHere(message) }) { return }
    #endif
    recordHere(message)
  }

  private func recordHere(_ message: String) {
    #if canImport(Testing)
      if Test.current != nil || TestFailure.isSwiftTestingOnly { return recordIssue(message) }
    #endif
    #if canImport(XCTest)
      XCTFail(message, file: filePath, line: line)
    #endif
  }

  /// Fails the test because a wait has reached its bound. Adds the pending promises to the message.
  func record(_ message: String, _ pending: PendingPromises) { record(message + pending.onNewLines) }

  #if canImport(Testing)
    private func recordIssue(_ message: String) {
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    }
  #endif

  /// Whether this process runs only Swift Testing. `swift test` runs each framework in a separate process, and names
  /// the framework on the command line.
  private static let isSwiftTestingOnly: Bool = {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments.dropFirst(index + 1).first == "swift-testing"
  }()
}

extension PendingPromises {
  /// The first 50 lines of the description, with a line break before each line, to follow a message. Empty if nothing
  /// is pending.
  package var onNewLines: String {
    if entries.isEmpty { return "" }
    let lines = description.split(separator: "\n")
    return "\n" + lines.prefix(50).joined(separator: "\n") + (lines.count > 50 ? "\n…" : "")
  }
}
