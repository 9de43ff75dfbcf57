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

  func testTheTimeoutEndsAChainThatIsSuspendedAndNeverResumed() {
    let begun = expectation(description: "begun")
    var kept: ((Int) -> Void)?
    let promise = Promise<Int>(timeout: 0.2) { resolve, reject in
      kept = resolve
      begun.fulfill()
    }
    let end = promise.catch { error in self.log.add("\(error.localizedDescription)") }
    wait(for: [begun], timeout: patience)
    promise.suspend()
    XCTAssertEqual(outcome(end), "()")
    XCTAssertEqual(log.entries, ["The Promise timed out."])
    withExtendedLifetime(kept) {}
  }

  func testALimitIsReportedThoughNoThreadOfThePoolReturns() {
    // More than the pool has threads.
    let gates = (0..<300).map { _ in Gate() }
    let reports = gates.map { gate in
      Promise(timeout: 0.02) { gate.pass() }.catch { self.log.add($0.localizedDescription) }
    }
    for report in reports { XCTAssertEqual(outcome(report), "()") }
    XCTAssertEqual(log.entries, Array(repeating: "The Promise timed out.", count: gates.count))
    for gate in gates { gate.open() }
  }

  func testWhatComesInTimeCounts() {
    XCTAssertEqual(outcome(Promise(timeout: patience) { 1 }.then(timeout: patience) { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise<Int>(timeout: patience) { throw "no" }), "error: no")
  }

  func testZeroOrLessIsNoTimeout() {
    XCTAssertEqual(outcome(Promise(timeout: 0) { 1 }.then(timeout: -1) { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise(timeout: .nan) { 1 }.then(timeout: .infinity) { $0 + 1 }), "2")
  }

  func testTheTimeoutOfAStepCountsFromWhereThatBegins() {
    let (limit, gate, busy) = (2.0, Gate(), DispatchQueue(label: "busy"))
    busy.async { gate.pass() }
    let first = Promise { () -> Int in
      gate.pass()
      return 1
    }
    let behindALongStep = first.then(timeout: limit) { $0 + 1 }
    let onABusyQueue = Promise { 3 }.then(busy, timeout: limit) { $0 + 1 }
    let first2 = Promise(busy, timeout: limit) { 5 }
    // Longer than the limit, from the beginning of the chains.
    let time = Promise<Int>(timeout: limit + 0.2) { resolve, reject in }
    XCTAssertEqual(outcome(time), "error: The Promise timed out.")
    for _ in 0..<2 { gate.open() }
    XCTAssertEqual(outcome(behindALongStep), "2")
    XCTAssertEqual(outcome(onABusyQueue), "4")
    XCTAssertEqual(outcome(first2), "5")
  }

  func testTheTimeoutOfAStepRejectsItWhileItsClosureRuns() {
    let gate = Gate()
    let promise = Promise { 1 }.then(timeout: 0.02) { _ in gate.pass() }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    gate.open()
  }

  func testTheTimeoutCoversAllAttempts() {
    let attempts = Log()
    let promise = Promise(timeout: 0.1, retry: .max) { () -> Int in
      attempts.add("")
      throw "no"
    }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    XCTAssertGreaterThan(attempts.count, 0)
  }

  func testNoAttemptFollowsTheTimeout() {
    final class AtEnd {
      let run: () -> Void
      init(_ run: @escaping () -> Void) { self.run = run }
      deinit { run() }
    }
    let released = expectation(description: "the closure is released")
    func start() -> Promise<Int> {
      let atEnd = AtEnd { released.fulfill() }
      return Promise(timeout: 0.05, retry: .max) { () -> Int in try withExtendedLifetime(atEnd) { throw "no" } }
    }
    XCTAssertEqual(outcome(start()), "error: The Promise timed out.")
    wait(for: [released], timeout: patience)
  }

  func testAClosureThatForgetsBothWaysOutEndsByTheTimeout() {
    let chains: [Promise<Int>] = [
      Promise<Int>(timeout: 0.02) { resolve, reject in },
      Promise<Int>(timeout: 0.02) { resolve, reject, task in task = Work() },
      Promise<Int>(timeout: 0.02, retry: 2) { resolve, reject in },
      Promise { 1 }.then(timeout: 0.02) { (value: Int, resolve: @escaping (Int) -> Void, reject) in },
      Promise { 1 }.then(timeout: 0.02) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in },
      Promise { 1 }.then(timeout: 0.02) { _ in Promise<Int> { resolve, reject in } },
    ]
    for chain in chains { XCTAssertEqual(outcome(chain), "error: The Promise timed out.") }
  }

  func testAClosureThatForgetsBothWaysOutIsCancelledBeforeItsTimeout() {
    let begun = Gate()
    let promise = Promise<Int>(timeout: 3600) { resolve, reject in
      DispatchQueue.main.async { begun.open() }
    }
    settleUntil(begun)
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testAStepWhoseTurnNeverComesDoesNotWaitForItsTimeout() {
    XCTAssertEqual(outcome(Promise<Int> { throw "no" }.then(timeout: 3600) { $0 + 1 }), "error: no")
    let forgotten = Promise<Int> { resolve, reject in }.then(timeout: 3600) { $0 + 1 }
    XCTAssertEqual(outcome(forgotten), "error: The Promise cancelled.")
    XCTAssertEqual(outcome(Promise { 1 }.catch(timeout: 3600) { _ in }.then { 2 }), "2")
  }

  func testTheNextCatchGetsTheTimeoutWhateverItsOwn() {
    wait { expectation in
      Promise { 0 }
        .then(timeout: 0.02) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
          task = Work { resolve(value) }
        }
        .catch(timeout: patience) { error in
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
    wait(4) { expectation in
      Promise(timeout: 3600) { 1 }.then(timeout: 3600) { $0 + 1 }.onDeinit { expectation.fulfill() }
      Promise<Int>(timeout: 3600) { throw "no" }.then(timeout: 3600) { $0 + 1 }.onDeinit { expectation.fulfill() }
      let cancelled = Promise(timeout: 3600) { 1 }.then(timeout: 3600) { $0 + 1 }.catch(timeout: 3600) { _ in }
      cancelled.onDeinit { expectation.fulfill() }
      cancelled.cancel()
      let suspended = Promise(timeout: 3600) { 1 }.then(timeout: 3600) { $0 + 1 }.catch(timeout: 3600) { _ in }
      suspended.onDeinit { expectation.fulfill() }
      suspended.suspend()
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

  func testAClosureThatThrowsInsteadOfRejectingIsTriedAgain() {
    let first = Log()
    let promise = Promise<Int>(retry: 3) { resolve, reject in
      first.add("")
      if first.count < 3 { throw "no" }
      resolve(first.count)
    }
    XCTAssertEqual(outcome(promise), "3")
    let second = Log()
    let step = Promise { 1 }.then(retry: 1) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
      second.add("")
      throw "no \(second.count)"
    }
    XCTAssertEqual(outcome(step), "error: no 2")
    XCTAssertEqual(second.count, 2)
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
