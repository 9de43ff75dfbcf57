import Dispatch
import Foundation
import PromiseQ
import XCTest

/// `timeout:` and `retry:`.
final class TimeoutAndRetryTests: PromiseTestCase {
  // MARK: timeout

  func testTheTimeoutRejects() {
    var kept: ((Int) -> Void)?
    let promise = Promise<Int>(timeout: 0.02) { resolve, reject in kept = resolve }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    kept?(1)
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
  }

  func testTheTimeoutRejectsAlsoWhileTheClosureRuns() {
    let gate = Gate()
    let promise = Promise(timeout: 0.02) { () -> Int in
      gate.pass()
      return 1
    }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    gate.open()
  }

  func testWhatComesInTimeCounts() {
    XCTAssertEqual(outcome(Promise(timeout: patience) { 1 }.then(timeout: patience) { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise<Int>(timeout: patience) { throw "no" }), "error: no")
  }

  func testZeroOrLessIsNoTimeout() {
    XCTAssertEqual(outcome(Promise(timeout: 0) { 1 }.then(timeout: -1) { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise(timeout: .nan) { 1 }.then(timeout: .infinity) { $0 + 1 }), "2")
  }

  func testTheTimeoutOfAStepCoversWhatIsBeforeIt() {
    let gate = Gate()
    let first = Promise { () -> Int in
      gate.pass()
      return 1
    }
    let second = first.then(timeout: 0.02) { _ in XCTFail("It runs too late.") }
    XCTAssertEqual(outcome(second), "error: The Promise timed out.")
    gate.open()
    XCTAssertEqual(outcome(first), "1")
  }

  func testTheTimeoutCountsFromTheBeginningOfTheChain() {
    let queue = DispatchQueue(label: "busy")
    let gate = Gate()
    queue.async { gate.pass() }
    let promise = Promise { 1 }.then(queue, timeout: 0.02) { _ in XCTFail("It runs too late.") }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    gate.open()
    wait { expectation in queue.async { expectation.fulfill() } }
  }

  func testTheNextCatchGetsTheTimeoutWhateverItsOwn() {
    wait { expectation in
      Promise<Int>(timeout: patience) { resolve, reject, task in
        task = Work { resolve(0) }
      }
      .then(timeout: 0.02) { $0 + 1 }
      .catch(timeout: 0.02) { error in
        guard case PromiseError.timedOut = error else { return XCTFail("\(error)") }
        expectation.fulfill()
      }
    }
  }

  func testACatchCanTimeOut() {
    let gate = Gate()
    let promise = Promise { throw "no" }.catch(timeout: 0.02) { _ in gate.pass() }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    gate.open()
  }

  func testTheTaskOfAPromiseThatTimesOutIsCancelled() {
    let cancelled = Gate()
    final class Task: Asyncable {
      let gate: Gate
      let keep: Any
      init(_ gate: Gate, _ keep: Any) { (self.gate, self.keep) = (gate, keep) }
      func suspend() {}
      func resume() {}
      func cancel() { gate.open() }
    }
    Promise<Int>(timeout: 0.02) { resolve, reject, task in task = Task(cancelled, resolve) }
    cancelled.pass()
  }

  func testAStepAddedLateHasItsWholeTime() {
    let promise = Promise { 1 }
    XCTAssertEqual(outcome(promise), "1")
    XCTAssertEqual(outcome(promise.then(timeout: patience) { $0 + 1 }), "2")
  }

  func testATimeoutKeepsNothingOfAChainThatHasEnded() {
    wait { expectation in
      Promise(timeout: 3600) { 1 }.then(timeout: 3600) { $0 + 1 }.onDeinit { expectation.fulfill() }
    }
  }

  // MARK: retry

  func testRetryTriesSoManyTimesMore() {
    let promise = Promise<Int>(retry: 3) {
      self.log.add("attempt")
      throw "no \(self.log.count)"
    }
    XCTAssertEqual(outcome(promise), "error: no 4")
    XCTAssertEqual(log.count, 4)
  }

  func testRetryStopsAtTheFirstSuccess() {
    let promise = Promise(retry: 3) { () -> Int in
      self.log.add("attempt")
      if self.log.count < 3 { throw "no" }
      return self.log.count
    }
    XCTAssertEqual(outcome(promise), "3")
    XCTAssertEqual(log.count, 3)
  }

  func testWithoutRetryThereIsOneAttempt() {
    for retry in [0, -1] {
      let log = Log()
      let promise = Promise<Int>(retry: retry) {
        log.add("attempt")
        throw "no"
      }
      XCTAssertEqual(outcome(promise), "error: no")
      XCTAssertEqual(log.count, 1)
    }
    XCTAssertEqual(outcome(Promise(retry: .max) { 1 }), "1")
  }

  func testRetryOfResolveAndReject() {
    let queue = DispatchQueue(label: "retry")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let promise = Promise<Int>(queue, retry: 2) { resolve, reject in
      XCTAssertEqual(DispatchQueue.getSpecific(key: key), true)
      self.log.add("attempt")
      let count = self.log.count
      DispatchQueue.main.async {
        if count < 3 { reject("no") } else { resolve(count) }
      }
    }
    XCTAssertEqual(outcome(promise), "3")
  }

  func testRetryOfAStep() {
    let promise = Promise { () -> Int in
      self.log.add("first")
      return 1
    }
    .then(retry: 2) { value -> Int in
      self.log.add("second")
      if self.log.count < 4 { throw "no" }
      return value + 1
    }
    XCTAssertEqual(outcome(promise), "2")
    XCTAssertEqual(log.entries, ["first", "second", "second", "second"])
  }

  func testRetryOfAnInjectedPromise() {
    let promise = Promise { 1 }.then(retry: 2) { value in
      Promise<Int> {
        self.log.add("attempt")
        if self.log.count < 3 { throw "no" }
        return value + 1
      }
    }
    XCTAssertEqual(outcome(promise), "2")
    XCTAssertEqual(log.count, 3)
  }

  func testRetryOfACatch() {
    let promise = Promise { throw "no" }.catch(retry: 1) { error in
      self.log.add("\(error)")
      if self.log.count < 2 { throw "once more" }
    }
    XCTAssertEqual(outcome(promise.then { "went on" }), "went on")
    XCTAssertEqual(log.entries, ["no", "no"])
  }

  func testRetryOfManyAttempts() {
    let promise = Promise<Int>(retry: 5_000) {
      self.log.add("")
      throw "no"
    }
    XCTAssertEqual(outcome(promise), "error: no")
    XCTAssertEqual(log.count, 5_001)
  }

  func testCancelStopsRetrying() {
    wait { expectation in
      var promise: Promise<Int>?
      let begun = Gate()
      let made = Promise<Int>(retry: 100) {
        begun.pass()
        self.log.add("attempt")
        promise?.cancel()
        throw "no"
      }
      promise = made
      made.catch { error in
        guard case PromiseError.cancelled = error else { return XCTFail("\(error)") }
        expectation.fulfill()
      }
      begun.open()
    }
    XCTAssertEqual(log.count, 1)
  }
}
