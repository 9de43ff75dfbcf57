import Tomorrowland
import XCTest

/// `when` with a quality of service, which has no effect. The tests of the core cover everything else.
final class WhenTests: XCTestCase {
  private func make<T>(_ value: T) -> Promise<T, String> { Promise(on: .utility, { $0.fulfill(with: value) }) }

  func testArrayFulfilsInOrderWithAndWithoutQoS() {
    let promises = (0..<20).map { make($0 * 2) }
    let expected = (0..<20).map { $0 * 2 }
    assertFulfilled(when(fulfilled: promises), expected)
    assertFulfilled(when(fulfilled: promises, qos: .utility), expected)
    assertFulfilled(when(fulfilled: promises, qos: .userInitiated, cancelOnFailure: true), expected)
  }

  func testTupleFulfilsWithAndWithoutQoS() {
    func check<T>(_ promise: Promise<T, String>, _ expected: String) {
      XCTAssertEqual(text(result(of: promise)), expected)
    }
    let (a, b, c, d, e, f) = (make(1), make("2"), make(3.0), make(true), make([5]), make(UInt8(6)))
    check(when(fulfilled: a, b), #"(1, "2")"#)
    check(when(fulfilled: a, b, qos: .utility), #"(1, "2")"#)
    check(when(fulfilled: a, b, c, qos: .utility), #"(1, "2", 3.0)"#)
    check(when(fulfilled: a, b, c, d, qos: .utility), #"(1, "2", 3.0, true)"#)
    check(when(fulfilled: a, b, c, d, e, qos: .utility), #"(1, "2", 3.0, true, [5])"#)
    check(when(fulfilled: a, b, c, d, e, f, qos: .utility), #"(1, "2", 3.0, true, [5], 6)"#)
    assertFulfilled(when(fulfilled: a, b).map(on: .immediate, { (a, b) in "\(a) \(b)" }), "1 2")
  }

  func testCancelOnFailureAsksInputsOfArraysAndTuples() {
    let failed = Promise<Int, String>(rejected: "foo")
    let forms: [(String, requests: Int, (Promise<Int, String>) -> String?)] = [
      ("array", 0, { when(fulfilled: [failed, $0], qos: .background).result?.error }),
      ("array that cancels", 1, { when(fulfilled: [failed, $0], qos: .default, cancelOnFailure: true).result?.error }),
      ("tuple", 0, { when(fulfilled: $0, failed, qos: .background).result?.error }),
      ("tuple that cancels", 1, { when(fulfilled: $0, failed, qos: .utility, cancelOnFailure: true).result?.error }),
    ]
    for (name, requests, form) in forms {
      let source = Source<String>(complying: true)
      XCTAssertEqual(form(source.promise), "foo", name)
      XCTAssertEqual(source.requestCount, requests, name)
    }
  }
}
