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

/// What old code writes of results; what they do is in the tests of the core.
final class PromiseResultTests: XCTestCase {
  private typealias R = PromiseResult<Int, String>

  func testTransforms() throws {
    let results: [R] = [.value(1), .error("foo"), .cancelled]
    XCTAssertEqual(results.map(\.value), [1, nil, nil])
    XCTAssertEqual(results.map(\.error), [nil, "foo", nil])
    XCTAssertEqual(results.map(\.isCancelled), [false, false, true])
    XCTAssertEqual(results.map { $0.map { $0 + 1 } }, [.value(2), .error("foo"), .cancelled])
    XCTAssertEqual(results.map { $0.mapError { $0.count } }, [.value(1), .error(3), .cancelled])
    XCTAssertEqual(results.map { $0.flatMap { R.error("\($0)") } }, [.error("1"), .error("foo"), .cancelled])
    XCTAssertEqual(results.map { $0.flatMapError { R.value($0.count) } }, [.value(1), .value(3), .cancelled])
    XCTAssertThrowsError(try R.value(1).map { _ in throw TestError() })
    XCTAssertEqual(Set(results + results).count, 3)
  }

  func testExtensionsSeeErrorAsItsFailure() {
    XCTAssertEqual(PromiseResult<Int, TestError>(.success(1)).swiftResult(), .success(1))
    XCTAssertEqual(PromiseResult(.failure(TestError(id: 1))), PromiseResult<Int, TestError>.error(TestError(id: 1)))
    XCTAssertNil(PromiseResult<Int, TestError>.cancelled.swiftResult())
  }
}
