import Dispatch
import ShallowPromises
import XCTest

private enum Trouble: Error { case first }

/// Callbacks that are registered after the result has come.
final class LateCallbackTests: XCTestCase {
  private var log: [String] = []

  private func onQueue(_ label: String) -> DispatchQueue {
    let queue = DispatchQueue(label: label)
    queue.setSpecific(key: Self.key, value: label)
    return queue
  }

  private static let key = DispatchSpecificKey<String>()
  private var place: String { DispatchQueue.getSpecific(key: Self.key) ?? "here" }

  func testALateCallbackWithoutAQueueRunsAtOnceOnItsCaller() {
    let fulfilled = Promise<Int>().fulfill(with: 1, in: onQueue("result"))
    fulfilled.onSuccess { self.log.append("value \($0) \(self.place)") }
      .finally { self.log.append("end \(self.place)") }
    XCTAssertEqual(log, ["value 1 here", "end here"])
    let failed = Promise<Int>().complete(with: Trouble.first, in: onQueue("result"))
    failed.onError { self.log.append("\($0) \(self.place)") }.finally { self.log.append("end \(self.place)") }
    XCTAssertEqual(log.suffix(2), ["first here", "end here"])
  }

  func testALateCallbackWithAQueueRunsThere() {
    let done = expectation(description: "the callbacks")
    done.expectedFulfillmentCount = 2
    let promise = Promise<Int>().fulfill(with: 1, in: onQueue("result"))
    promise.onSuccess(in: onQueue("own")) { _ in
      XCTAssertEqual(self.place, "own")
      done.fulfill()
    }
    promise.finally(in: onQueue("other")) {
      XCTAssertEqual(self.place, "other")
      done.fulfill()
    }
    wait(for: [done], timeout: 30)
  }

  func testACallbackRegisteredInACallbackRunsAtOnce() {
    let done = expectation(description: "the callback")
    let promise = Promise<Int>()
    promise.onSuccess { _ in
      promise.onSuccess { _ in self.log.append("inner \(self.place)") }
      self.log.append("outer \(self.place)")
      done.fulfill()
    }
    promise.fulfill(with: 1, in: onQueue("result"))
    wait(for: [done], timeout: 30)
    XCTAssertEqual(log, ["inner result", "outer result"])
  }

  func testThenOfAFulfilledPromiseRunsItsClosureAtOnce() {
    let inner = Promise<String>()
    let chained = Promise<Int>().fulfill(with: 1, in: onQueue("result")).then { number in
      self.log.append("\(number) \(self.place)")
      return inner
    }
    XCTAssertEqual(log, ["1 here"])
    XCTAssert(chained !== inner)
    XCTAssert(chained.littlePromise as? Promise<String> === inner)
    chained.onSuccess { self.log.append("\($0) \(self.place)") }
    inner.fulfill(with: "text")
    XCTAssertEqual(log, ["1 here", "text here"])
  }

  func testThenOfAFailedPromiseFailsAtOnce() {
    let chained = Promise<Int>().complete(with: Trouble.first, in: onQueue("result"))
      .then { Promise<String>().fulfill(with: "\($0)") }
    chained.onError { self.log.append("\($0) \(self.place)") }
    XCTAssertEqual(log, ["first here"])
  }
}
