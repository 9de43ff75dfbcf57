import PromiseKit
@_exported import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

class PMKFoundationTestCase: XCTestCase {
  let session = URLSession(configuration: .ephemeral)
  private var standard = conf

  override func setUp() { standard = conf }
  override func tearDown() {
    conf = standard
    // Not `invalidateAndCancel()`, because Foundation on Linux can crash if a task is cancelled while it ends.
    session.finishTasksAndInvalidate()
  }

  /// Waits up to a minute for the result while the main queue runs.
  @discardableResult
  func end<U: Thenable>(_ thenable: U, _ what: String, line: UInt = #line) throws -> PromiseKit.Result<U.T> {
    let resolved = expectation(description: what)
    thenable.pipe { _ in resolved.fulfill() }
    wait(for: [resolved], timeout: 60)
    return try XCTUnwrap(thenable.result, what, line: line)
  }

  func value<U: Thenable>(_ thenable: U, _ what: String = #function, line: UInt = #line) throws -> U.T {
    switch try end(thenable, what, line: line) {
    case .fulfilled(let value): return value
    case .rejected(let error): throw error
    }
  }

  func error<U: Thenable>(_ thenable: U, _ what: String = #function, line: UInt = #line) throws -> Error {
    try end(thenable, what, line: line)
    return try XCTUnwrap(thenable.error, what, line: line)
  }

  /// Returns the location of a file that is removed when the test ends.
  func temporaryFile(_ data: Data? = nil) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("pmkfoundation-\(UUID().uuidString)")
    try data?.write(to: file)
    addTeardownBlock { try? FileManager.default.removeItem(at: file) }
    return file
  }
}
