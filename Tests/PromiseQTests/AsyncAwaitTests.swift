import Dispatch
import Foundation
import PromiseQ
import XCTest

/// `async`, as a statement, as a value and as a type, and `await()`.
final class AsyncAwaitTests: PromiseTestCase {
  private func later<T>(_ value: T) -> `async`<T> {
    return async { value }
  }

  func testAsyncAsAStatement() {
    wait { expectation in
      async { expectation.fulfill() }
    }
  }

  func testAsyncAsAStatementOfSeveralLines() {
    wait { expectation in
      async {
        let text = try self.later("text").await()
        XCTAssertEqual(text, "text")
        expectation.fulfill()
      }
    }
  }

  func testAsyncAsAStatementWithAQueue() {
    wait { expectation in
      async(.main) {
        XCTAssertTrue(Thread.isMainThread)
        expectation.fulfill()
      }
    }
  }

  func testAsyncAsAStatementWithResolveAndReject() {
    wait(2) { expectation in
      async { resolve, reject in
        expectation.fulfill()
        resolve(1)
      }
      async(.main) { resolve, reject in
        expectation.fulfill()
        reject("no")
        resolve("yes")
      }
    }
  }

  func testAsyncAsAStatementWithATask() {
    wait { expectation in
      async { resolve, reject, task in
        task = nil
        expectation.fulfill()
        resolve(1)
      }
    }
  }

  func testAsyncAsAStatementWithTimeoutAndRetry() {
    wait(4) { expectation in
      async(timeout: patience) { expectation.fulfill() }
      async(retry: 1) {
        expectation.fulfill()
        if self.log.count == 0 {
          self.log.add("failed")
          throw "once more"
        }
      }
      async(.main, timeout: patience, retry: 1) { expectation.fulfill() }
    }
  }

  func testAsyncWithACatch() {
    wait { expectation in
      async {
        throw "no"
      }
      .catch { error in
        XCTAssertEqual(error.localizedDescription, "no")
        expectation.fulfill()
      }
    }
  }

  func testAsyncAsAValue() {
    let promise = async { 7 }
    XCTAssertEqual(outcome(promise), "7")
    let text: Promise<String> = async { "text" }
    XCTAssertEqual(outcome(text), "text")
    XCTAssertEqual(outcome(later(3).then { $0 + 1 }), "4")
  }

  func testAsyncAsAType() {
    let promises: [`async`<Int>] = [async { 1 }, async { 2 }]
    XCTAssertEqual(outcome(async.all(promises)), "[1, 2]")
    XCTAssertEqual(outcome(async.resolve(5)), "5")
    XCTAssertEqual(outcome(async.race(promises.map { _ in async.resolve(6) })), "6")
  }

  func testAwaitReturnsTheValue() throws {
    XCTAssertEqual(try Promise { 200 }.await(), 200)
    XCTAssertEqual(try Promise { 200 }.then { $0 / 10 }.then { "\($0)" }.await(), "20")
  }

  func testAwaitThrowsTheError() {
    XCTAssertThrowsError(try Promise<Int> { throw "no" }.await()) { XCTAssertEqual($0 as? String, "no") }
  }

  func testAwaitThrowsCancelled() {
    let promise = Promise { 1 }
    promise.cancel()
    XCTAssertThrowsError(try promise.await()) { error in
      guard case PromiseError.cancelled = error else { return XCTFail("\(error)") }
    }
  }

  func testAwaitInAsync() {
    wait { expectation in
      async {
        let first = try self.later(1).await()
        let second = try self.later(first + 1).then { $0 * 10 }.await()
        XCTAssertEqual(first + second, 21)
        async(.main) {
          XCTAssertTrue(Thread.isMainThread)
          expectation.fulfill()
        }
      }
      .catch { error in XCTFail("\(error)") }
    }
  }

  func testManyAwaitsInARowAndInEachOther() throws {
    func sum(_ number: Int) -> Promise<Int> {
      async { number == 0 ? 0 : try sum(number - 1).await() + number }
    }
    XCTAssertEqual(try sum(100).await(), 5050)
    for number in 0..<200 { XCTAssertEqual(try async { number }.await(), number) }
  }

  func testAwaitWhereItCouldNeverEndThrows() {
    let queue = DispatchQueue(label: "serial")
    let promise = async(queue) { try async(queue) { 1 }.await() }
    XCTAssertThrowsError(try promise.await())
    XCTAssertThrowsError(try async(.main) { 1 }.await())
  }

  func testAwaitWhereItCouldNeverEndThrowsWhateverTheTimeout() {
    let queue = DispatchQueue(label: "serial")
    let promise = async(queue) { try async(queue, timeout: 3600) { 1 }.await() }
    XCTAssertThrowsError(try promise.await())
    XCTAssertThrowsError(try async(.main, timeout: 3600) { 1 }.await())
    XCTAssertThrowsError(try Promise { 1 }.then(.main, timeout: 3600) { $0 }.then { $0 }.await())
  }

  func testAwaitWhichTheTimeoutEndsDoesNotThrowBefore() {
    let promise = Promise(timeout: 0.05) { () -> Int in try async(.main) { 1 }.await() }
    XCTAssertThrowsError(try promise.await()) { error in
      guard case PromiseError.timedOut = error else { return XCTFail("\(error)") }
    }
  }

  func testAwaitOfAPromiseThatHasResolved() throws {
    let promise = Promise.resolve(1)
    XCTAssertEqual(try promise.await(), 1)
    XCTAssertEqual(try promise.await(), 1)
  }

  func testAwaitAsAStatement() throws {
    let promise = Promise { self.log.add("done") }.then { 7 }
    try promise.await()
    XCTAssertEqual(log.entries, ["done"])
    try `await` { promise }
    XCTAssertEqual(try `await` { promise }, 7)
    XCTAssertThrowsError(try `await` { Promise<Int>.reject("no") }) { XCTAssertEqual($0 as? String, "no") }
  }

  func testAwaitOfAClosureInAsync() {
    wait { expectation in
      async {
        let text = try `await` { Promise { "text" } }
        let count = try `await` {
          Promise { resolve, reject in resolve(text.count) }
        }
        XCTAssertEqual(count, 4)
        try `await` { self.later(1) }
        expectation.fulfill()
      }
      .catch { error in XCTFail("\(error)") }
    }
  }

  func testAsyncAsAStatementThatReturnsAPromise() {
    wait(3) { expectation in
      async { self.later(1).then { _ in expectation.fulfill() } }
      async { () -> Promise<Void> in
        let first = try self.later(1).await()
        return self.later(first).then { _ in expectation.fulfill() }
      }
      async {
        throw "no"
      }
      .catch { _ in expectation.fulfill() }
    }
  }

  func testAsyncAsAValueThatReturnsAPromise() {
    let number: Promise<Int> = async { self.later(7) }
    XCTAssertEqual(outcome(number), "7")
    XCTAssertEqual(outcome(async(.main, retry: 1) { self.later("text") }.then { $0.count }), "4")
  }
}
