import PromiseKit
@_exported import TestSupport
import XCTest

enum Trouble: Error, Equatable { case first, second }

/// A thenable that implements only the two required members, as users' thenables do.
final class Plain<T>: Thenable, CatchMixin {
  private let promise: Promise<T>

  init(_ promise: Promise<T>) { self.promise = promise }

  func pipe(to: @escaping (PromiseKit.Result<T>) -> Void) { promise.pipe(to: to) }
  var result: PromiseKit.Result<T>? { promise.result }
}

class PromiseKitTestCase: XCTestCase {
  let log = Recorder<String>()
  private var standard = conf

  override func setUp() { standard = conf }
  override func tearDown() { conf = standard }

  /// Waits up to ten seconds for the result while the main queue runs.
  @discardableResult
  func end<U: Thenable>(
    _ thenable: U, _ what: String, line: UInt = #line
  ) throws -> PromiseKit.Result<U.T> {
    let resolved = expectation(description: what)
    thenable.pipe { _ in resolved.fulfill() }
    wait(for: [resolved], timeout: 10)
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

  func assertError<U: Thenable>(_ thenable: U, _ text: String, line: UInt = #line) {
    XCTAssertEqual(try "\(error(thenable))", text, line: line)
  }

  /// Runs the main queue until all blocks submitted so far have run.
  func runMainQueue(_ what: String = "the main queue has run") {
    let served = expectation(description: what)
    DispatchQueue.main.async { served.fulfill() }
    wait(for: [served], timeout: 10)
  }
}
