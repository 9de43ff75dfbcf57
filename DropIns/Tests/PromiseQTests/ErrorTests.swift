import PromiseQ
import XCTest

/// The module's errors, and strings as errors.
final class ErrorTests: PromiseTestCase {
  func testErrorsHaveTheirDescriptions() {
    XCTAssertEqual(PromiseError.timedOut.localizedDescription, "The Promise timed out.")
    XCTAssertEqual(PromiseError.cancelled.localizedDescription, "The Promise cancelled.")
    XCTAssertEqual(PromiseError.empty.localizedDescription, "The Promises empty.")
    XCTAssertEqual(PromiseError.aggregate(["a", "b"]).localizedDescription, "All Promises rejected.")
    XCTAssertEqual(PromiseError.cancelled.errorDescription, "The Promise cancelled.")
    XCTAssertEqual((PromiseError.empty as Error).localizedDescription, "The Promises empty.")
  }

  func testStringIsAnErrorWithItsText() {
    let error: Error = "No JSON"
    XCTAssertEqual(error.localizedDescription, "No JSON")
    XCTAssertEqual("text".errorDescription, "text")
    XCTAssertEqual(error as? String, "No JSON")
    XCTAssertEqual((error as? LocalizedError)?.errorDescription, "No JSON")
  }
}
