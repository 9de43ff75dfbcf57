import PromiseQ
import XCTest

/// `async` as a statement, as a value and as a type, and `await()`.
final class AsyncAwaitTests: PromiseTestCase {
  private func later<T>(_ value: T) -> `async`<T> {
    return async { value }
  }

  func testAsyncStatementRunsInEveryForm() {
    wait(9) { expectation in
      func done(_ name: String) {
        log.record(name)
        expectation.fulfill()
      }
      async { done("plain") }
      async(.main) { done(Thread.isMainThread ? "queue" : "another queue") }
      async { resolve, reject in
        done("resolve")
        resolve(1)
      }
      async(.main) { resolve, reject in
        done("resolve on a queue")
        reject("no")
        resolve("yes")
      }
      async { resolve, reject, task in
        task = nil
        done("task")
        resolve(1)
      }
      async(timeout: waitLimit) { done("timeout") }
      async(retry: 1) {
        let isFirst = !self.log.entries.contains("retry")
        done("retry")
        if isFirst { throw "once more" }
      }
      async(.main, timeout: waitLimit, retry: 1) { done("queue, timeout and retry") }
    }
    let names = [
      "plain", "queue", "queue, timeout and retry", "resolve", "resolve on a queue", "retry", "retry", "task",
      "timeout",
    ]
    XCTAssertEqual(log.entries.sorted(), names)
  }

  func testAsyncValueIsAPromise() {
    let promise = async { 7 }
    XCTAssertEqual(outcome(promise), "7")
    let text: Promise<String> = async { "text" }
    XCTAssertEqual(outcome(text), "text")
    XCTAssertEqual(outcome(later(3).then { $0 + 1 }), "4")
  }

  func testAsyncTypeHasThePromisesFunctions() {
    let promises: [`async`<Int>] = [async { 1 }, async { 2 }]
    XCTAssertEqual(outcome(async.all(promises)), "[1, 2]")
    XCTAssertEqual(outcome(async.resolve(5)), "5")
    XCTAssertEqual(outcome(async.race(promises.map { _ in async.resolve(6) })), "6")
  }

  func testAwaitReturnsTheValueOrThrowsTheError() throws {
    XCTAssertEqual(try Promise { 200 }.await(), 200)
    XCTAssertEqual(try Promise { 200 }.then { $0 / 10 }.then { "\($0)" }.await(), "20")
    let resolved = Promise.resolve(1)
    for _ in 0..<2 { XCTAssertEqual(try resolved.await(), 1) }
    XCTAssertThrowsError(try Promise<Int> { throw "no" }.await()) { XCTAssertEqual($0 as? String, "no") }
    let cancelled = Promise { 1 }
    cancelled.cancel()
    XCTAssertThrowsError(try cancelled.await()) { error in
      guard case PromiseError.cancelled = error else { return XCTFail("\(error)") }
    }
  }

  func testConsecutiveAndNestedAwaitsEnd() throws {
    func sum(_ number: Int) -> Promise<Int> {
      async { number == 0 ? 0 : try sum(number - 1).await() + number }
    }
    // Each level occupies a thread.
    XCTAssertEqual(try sum(40).await(), 820)
    for number in 0..<200 { XCTAssertEqual(try async { number }.await(), number) }
  }

  func testClosuresThatWaitNeedNoTimePerThread() {
    // Dispatch adds about one thread in a second to those of a global queue.
    for count in [1, 8, 64, 600] {
      let ended = expectation(description: "\(count) closures have waited")
      let promises = (0..<count).map { number in
        async { () -> Int in try Promise.all(async { number }, async { 1 }).await().reduce(0, +) }
      }
      Promise.all(promises).then(.main) { values in
        XCTAssertEqual(values.reduce(0, +), count * (count + 1) / 2)
        ended.fulfill()
      }
      wait(for: [ended], timeout: 20)
    }
  }

  func testClosureCanWaitForItsOwnChain() throws {
    let first = Promise { 1 }
    let slow = first.then { $0 + 1 }
    let both = first.then { try slow.await() + $0 }
    let late = both.then { value -> Int in try first.then { $0 + value }.await() }
    XCTAssertEqual(try late.await(), 4)
  }

  func testAwaitThatCouldNeverEndThrows() {
    for timeout in [0.0, 3600] {
      let queue = DispatchQueue(label: "serial")
      let promise = async(queue) { try async(queue, timeout: timeout) { 1 }.await() }
      XCTAssertThrowsError(try promise.await(), "\(timeout)")
      XCTAssertThrowsError(try async(.main, timeout: timeout) { 1 }.await(), "\(timeout)")
      XCTAssertThrowsError(try Promise { 1 }.then(.main, timeout: timeout) { $0 }.then { $0 }.await(), "\(timeout)")
    }
  }

  func testAwaitEndsAtTheTimeoutOfItsPromise() {
    let promise = Promise(timeout: 0.05) { () -> Int in try async(.main) { 1 }.await() }
    XCTAssertThrowsError(try promise.await()) { error in
      guard case PromiseError.timedOut = error else { return XCTFail("\(error)") }
    }
  }

  func testAwaitStatementWaitsForItsPromise() throws {
    let promise = Promise { self.log.record("done") }.then { 7 }
    try promise.await()
    XCTAssertEqual(log.entries, ["done"])
    try `await` { promise }
    XCTAssertEqual(try `await` { promise }, 7)
    let text = try `await` { Promise { "text" } }
    XCTAssertEqual(try `await` { Promise { resolve, reject in resolve(text.count) } }, 4)
    XCTAssertThrowsError(try `await` { Promise<Int>.reject("no") }) { XCTAssertEqual($0 as? String, "no") }
  }

  func testAsyncStatementAdoptsAReturnedPromise() {
    wait(2) { expectation in
      async { self.later(1).then { _ in expectation.fulfill() } }
      async { () -> Promise<Void> in
        let first = try self.later(1).await()
        return self.later(first).then { _ in expectation.fulfill() }
      }
    }
  }

  func testAsyncValueAdoptsAReturnedPromise() {
    let number: Promise<Int> = async { self.later(7) }
    XCTAssertEqual(outcome(number), "7")
    XCTAssertEqual(outcome(async(.main, retry: 1) { self.later("text") }.then { $0.count }), "4")
  }
}
