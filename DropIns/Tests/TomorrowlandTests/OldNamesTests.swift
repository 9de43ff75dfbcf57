import Tomorrowland
import XCTest

final class OldNamesTests: XCTestCase {
  func testDeprecatedNamesStillWork() { (Deprecated() as OldNames).check(self) }
}

/// Calls to deprecated names, behind a protocol so that the tests that make them compile without warnings.
private protocol OldNames {
  func check(_ test: XCTestCase)
}

private struct Deprecated: OldNames {
  private typealias P = Promise<Int, String>

  @available(*, deprecated)
  func check(_ test: XCTestCase) {
    let source = Source<String>(complying: true)
    source.promise.cancel()
    XCTAssertEqual(source.requestCount, 1)
    XCTAssertEqual(P(result: .error("foo")).result, .error("foo"))
    test.assertFulfilled(P(result: .value(1), after: 0.01), 1)
    let promise = P(on: .immediate, result: .value(1), after: 1000)
    promise.requestCancel()
    test.assertCancelled(promise)
  }
}
