internal import Overmorrow

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// A place in a test that may fail, in whichever framework runs the test.
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
  /// Swift Testing knows its current test by a task-local value. Code that runs where there is none belongs to XCTest,
  /// unless this process runs Swift Testing only.
  func record(_ message: String) {
    #if canImport(Testing)
      if Test.current != nil || TestFailure.isSwiftTestingOnly { return recordIssue(message) }
    #endif
    #if canImport(XCTest)
      XCTFail(message, file: filePath, line: line)
    #endif
  }

  /// Fails the test for a wait that ended without a result, and says what is pending.
  func record(_ message: String, _ pending: PendingPromises) { record(message + pending.onNewLines) }

  #if canImport(Testing)
    private func recordIssue(_ message: String) {
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    }
  #endif

  /// `swift test` runs the two frameworks in processes of their own, and says so on the command line.
  private static let isSwiftTestingOnly: Bool = {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments.dropFirst(index + 1).first == "swift-testing"
  }()
}

extension PendingPromises {
  /// The first of the lines, to be written below a message; nothing if nothing is pending.
  package var onNewLines: String {
    if entries.isEmpty { return "" }
    let lines = description.split(separator: "\n")
    return "\n" + lines.prefix(50).joined(separator: "\n") + (lines.count > 50 ? "\n…" : "")
  }
}
