import Tomorrowland
import XCTest

extension PromiseResult where Error: Swift.Error {
  func swiftResult() -> Result<Value, Error>? {
    switch self {
    case .value(let value): return .success(value)
    case .error(let error): return .failure(error)
    case .cancelled: return nil
    }
  }
}

final class PromiseResultTests: XCTestCase {
  private typealias R = PromiseResult<Int, String>

  func testValue() {
    XCTAssertEqual(R.value(1).value, 1)
    XCTAssertNil(R.error("foo").value)
    XCTAssertNil(R.cancelled.value)
  }

  func testError() {
    XCTAssertEqual(R.error("foo").error, "foo")
    XCTAssertNil(R.value(1).error)
    XCTAssertNil(R.cancelled.error)
  }

  func testIsCancelled() {
    XCTAssertTrue(R.cancelled.isCancelled)
    XCTAssertFalse(R.value(1).isCancelled)
    XCTAssertFalse(R.error("foo").isCancelled)
  }

  func testMap() throws {
    XCTAssertEqual(R.value(1).map { $0 + 1 }, .value(2))
    XCTAssertEqual(R.error("foo").map { $0 + 1 }, .error("foo"))
    XCTAssertEqual(R.cancelled.map { $0 + 1 }, .cancelled)
    XCTAssertThrowsError(try R.value(1).map { _ in throw TestError() })
  }

  func testMapError() {
    XCTAssertEqual(R.value(1).mapError { $0.count }, .value(1))
    XCTAssertEqual(R.error("foo").mapError { $0.count }, .error(3))
    XCTAssertEqual(R.cancelled.mapError { $0.count }, .cancelled)
  }

  func testFlatMap() {
    XCTAssertEqual(R.value(1).flatMap { .error("\($0)") }, R.error("1"))
    XCTAssertEqual(R.error("foo").flatMap { .value($0) }, R.error("foo"))
    XCTAssertEqual(R.cancelled.flatMap { .value($0) }, R.cancelled)
  }

  func testFlatMapError() {
    XCTAssertEqual(R.error("foo").flatMapError { .value($0.count) }, R.value(3))
    XCTAssertEqual(R.value(1).flatMapError { .value($0.count) }, R.value(1))
    XCTAssertEqual(R.cancelled.flatMapError { .value($0.count) }, R.cancelled)
  }

  func testEquality() {
    XCTAssertTrue(R.value(1) == .value(1))
    XCTAssertTrue(R.value(1) != .value(2))
    XCTAssertTrue(R.value(1) != .error("1"))
    XCTAssertTrue(R.error("foo") != .cancelled)
    XCTAssertTrue(R.cancelled == .cancelled)
  }

  func testHashing() {
    XCTAssertEqual(Set([R.value(1), .value(1), .error("foo"), .cancelled, .cancelled]).count, 3)
  }

  func testCoding() throws {
    for result in [R.value(1), .error("foo"), .cancelled] {
      let data = try JSONEncoder().encode(result)
      XCTAssertEqual(try JSONDecoder().decode(R.self, from: data), result)
    }
  }

  func testFromSwiftResult() {
    XCTAssertEqual(PromiseResult<Int, TestError>(.success(1)), .value(1))
    XCTAssertEqual(PromiseResult<Int, TestError>(.failure(TestError(id: 1))), .error(TestError(id: 1)))
  }

  func testExtensionsSeeErrorAsItsFailure() {
    XCTAssertEqual(PromiseResult<Int, TestError>.value(1).swiftResult(), .success(1))
    XCTAssertNil(PromiseResult<Int, TestError>.cancelled.swiftResult())
  }

  func testNoErrorIsCodableAndHashable() throws {
    let data = try JSONEncoder().encode(PromiseResult<Int, NoError>.value(1))
    XCTAssertEqual(try JSONDecoder().decode(PromiseResult<Int, NoError>.self, from: data), .value(1))
  }

  func testSwitching() {
    func name(_ result: R) -> String {
      switch result {
      case .value(let x): return "value \(x)"
      case .error(let error): return "error \(error)"
      case .cancelled: return "cancelled"
      }
    }
    XCTAssertEqual([R.value(1), .error("foo"), .cancelled].map(name), ["value 1", "error foo", "cancelled"])
  }
}
