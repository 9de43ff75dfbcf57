@_exported import TestSupport
import Tomorrowland
import XCTest

struct TestError: Error, Equatable {
  var id = 0
}

enum OtherError: Error, Equatable {
  case other
}

/// A mutable class that is not `Sendable`, as in old code.
final class Box<T> {
  var value: T

  init(_ value: T) { self.value = value }
}

/// A promise that other code resolves, and that counts the requests to cancel it.
typealias Source<Failure: Sendable> = CancelProbe<Int, Failure>

extension XCTestCase {
  /// Waits until a promise is resolved.
  @discardableResult
  func result<V, E>(of promise: Promise<V, E>) -> PromiseResult<V, E>? {
    let resolved = XCTestExpectation(description: "promise resolved")
    promise.tap(on: .immediate) { _ in resolved.fulfill() }
    wait(for: [resolved], timeout: 20)
    return promise.result
  }

  func assertFulfilled<V: Equatable, E>(
    _ promise: Promise<V, E>, _ value: V, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(result(of: promise)?.value, value, "\(promise)", file: file, line: line)
  }

  func assertRejected<V, E, Found: Equatable>(
    _ promise: Promise<V, E>, _ error: Found, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(result(of: promise)?.error as? Found, error, "\(promise)", file: file, line: line)
  }

  func assertCancelled<V, E>(_ promise: Promise<V, E>, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(result(of: promise)?.isCancelled, true, "\(promise)", file: file, line: line)
  }

  func onMain<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    try MainActor.assumeIsolated { Unchecked(value: try body()) }.value
  }

  struct Unchecked<T>: @unchecked Sendable {
    let value: T
  }

  /// Runs the blocks that are queued on the main queue.
  func passMain() {
    let passed = XCTestExpectation(description: "the main queue has passed")
    DispatchQueue.main.async { passed.fulfill() }
    wait(for: [passed], timeout: 20)
  }
}
