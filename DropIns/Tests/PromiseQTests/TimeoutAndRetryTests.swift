import PromiseQ
import XCTest

/// `timeout:` and `retry:`.
final class TimeoutAndRetryTests: PromiseTestCase {
  // MARK: timeout

  func testTimeoutRejectsAndCancelsTheTask() {
    let controlled = ControlledWork(log)
    let promise = Promise<Int>(timeout: 0.02) { resolve, reject, task in
      task = controlled.work
      controlled.begin(resolve)
    }
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    controlled.work.called.pass()
    XCTAssertEqual(log.entries, ["cancel"])
    controlled.finish(1)
    XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
  }

  func testTimeoutEndsASuspendedChain() {
    var chain: Promise<Int>?
    var kept: ((Int) -> Void)?
    // The body suspends its own chain, so the time limit cannot pass first.
    let promise = Promise<Int>(timeout: 0.2) { resolve, reject in
      kept = resolve
      chain?.suspend()
    }
    chain = promise
    let end = promise.catch { error in self.log.record("\(error.localizedDescription)") }
    XCTAssertEqual(outcome(end), "()")
    XCTAssertEqual(log.entries, ["The Promise timed out."])
    withExtendedLifetime(kept) {}
  }

  func testTimeoutEndsASuspendedChainThatWasReleased() {
    let limit = 0.05
    let chains: [(String, (ControlledWork, @escaping () -> Void) -> Promise<Int>)] = [
      (
        "first",
        { controlled, suspend in
          Promise(timeout: limit) { resolve, reject in
            controlled.begin(resolve)
            suspend()
          }
        }
      ),
      (
        "step",
        { controlled, suspend in
          Promise { 1 }.then(timeout: limit) { (_: Int, resolve: @escaping (Int) -> Void, reject) in
            controlled.begin(resolve)
            suspend()
          }
        }
      ),
      (
        "retry",
        { controlled, suspend in
          Promise(timeout: limit, retry: 1) {
            suspend()
            throw "no"
          }
        }
      ),
    ]
    for (name, make) in chains {
      let (log, ended) = (Recorder<String>(), Gate())
      let controlled = ControlledWork(log)
      var chain: Promise<Int>?
      chain = make(controlled) {
        chain?.suspend()
        chain = nil
      }
      chain?.catch { log.record($0.localizedDescription) }.finally { ended.open() }
      runMainQueue(until: ended)
      XCTAssertEqual(log.entries, ["The Promise timed out."], name)
    }
  }

  func testChainReleasedSuspendedDoesNotContinueAfterAStepWithATimeout() {
    let released = Gate()
    var chain: Promise<Int>?
    chain = Promise(timeout: 3600) {
      chain?.suspend()
      chain = nil
      return 1
    }
    let log = log
    chain?.then { _ in log.record("then") }.finally { log.record("finally") }
    chain?.onDeinit { released.open() }
    runMainQueue(until: released)
    XCTAssertEqual(log.entries, [])
  }

  func testTimeoutsPassWhileTheirClosuresBlock() {
    let gates = (0..<3).map { _ in Gate() }
    let reports = gates.map { gate in
      Promise(timeout: 0.02) { gate.pass() }.catch { self.log.record($0.localizedDescription) }
    }
    for report in reports { XCTAssertEqual(outcome(report), "()") }
    XCTAssertEqual(log.entries, Array(repeating: "The Promise timed out.", count: gates.count))
    for gate in gates { gate.open() }
  }

  func testResultInTimeCountsAndZeroMeansNoTimeout() {
    for timeout in [waitLimit, 0, -1, .nan, .infinity] {
      let promise = Promise(timeout: timeout) { 1 }.then(timeout: timeout) { $0 + 1 }
      XCTAssertEqual(outcome(promise), "2", "\(timeout)")
      XCTAssertEqual(outcome(Promise<Int>(timeout: timeout) { throw "no" }), "error: no", "\(timeout)")
    }
    let promise = Promise { 1 }
    XCTAssertEqual(outcome(promise), "1")
    XCTAssertEqual(outcome(promise.then(timeout: waitLimit) { $0 + 1 }), "2", "a step that is added late")
  }

  func testStepTimeoutStartsWithTheStep() {
    let (limit, gate, busy) = (2.0, Gate(), DispatchQueue(label: "busy"))
    busy.async { gate.pass() }
    let first = Promise { () -> Int in
      gate.pass()
      return 1
    }
    let behindALongStep = first.then(timeout: limit) { $0 + 1 }
    let onABusyQueue = Promise { 3 }.then(busy, timeout: limit) { $0 + 1 }
    let first2 = Promise(busy, timeout: limit) { 5 }
    // Measured from the start of the chains, longer than the limit.
    let time = Promise<Int>(timeout: limit + 0.2) { resolve, reject in }
    XCTAssertEqual(outcome(time), "error: The Promise timed out.")
    for _ in 0..<2 { gate.open() }
    XCTAssertEqual(outcome(behindALongStep), "2")
    XCTAssertEqual(outcome(onABusyQueue), "4")
    XCTAssertEqual(outcome(first2), "5")
  }

  func testNoAttemptFollowsTheTimeout() {
    let released = expectation(description: "the closure is released")
    func start() -> Promise<Int> {
      let witness = Tracker().make { released.fulfill() }
      return Promise(timeout: 0.05, retry: .max) { () -> Int in try withExtendedLifetime(witness) { throw "no" } }
    }
    XCTAssertEqual(outcome(start()), "error: The Promise timed out.")
    wait(for: [released], timeout: waitLimit)
  }

  func testClosureWithoutAResultEndsByTimeout() {
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

  func testClosureWithoutAResultCanBeCancelled() {
    let begun = Gate()
    let promise = Promise<Int>(timeout: 3600) { resolve, reject in
      DispatchQueue.main.async { begun.open() }
    }
    runMainQueue(until: begun)
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testSkippedStepDoesNotWaitForItsTimeout() {
    XCTAssertEqual(outcome(Promise<Int> { throw "no" }.then(timeout: 3600) { $0 + 1 }), "error: no")
    let forgotten = Promise<Int> { resolve, reject in }.then(timeout: 3600) { $0 + 1 }
    XCTAssertEqual(outcome(forgotten), "error: The Promise cancelled.")
    XCTAssertEqual(outcome(Promise { 1 }.catch(timeout: 3600) { _ in }.then { 2 }), "2")
  }

  func testStepTimeoutRejectsWhileTheClosureRuns() {
    let gate = Gate()
    let chains: [(String, Promise<Void>)] = [
      ("first", Promise(timeout: 0.02) { gate.pass() }),
      ("then", Promise { 1 }.then(timeout: 0.02) { _ in gate.pass() }),
      ("catch", Promise { throw "no" }.catch(timeout: 0.02) { _ in gate.pass() }),
    ]
    for (name, promise) in chains { XCTAssertEqual(outcome(promise), "error: The Promise timed out.", name) }
    for _ in chains { gate.open() }
  }

  // MARK: retry

  /// Each case gives the error, or the number of the attempt that succeeds.
  func testRetryRepeatsAFailedAttemptUpToItsCount() {
    typealias Attempt = () throws -> Int
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "retry")
    queue.setSpecific(key: key, value: true)
    let forms: [(String, (Int, @escaping Attempt) -> Promise<Int>)] = [
      ("closure", { retry, attempt in Promise(retry: retry) { try attempt() } }),
      ("closure that returns a promise", { retry, attempt in Promise(retry: retry) { Promise { try attempt() } } }),
      ("closure that resolves", { retry, attempt in Promise(retry: retry) { resolve, _ in resolve(try attempt()) } }),
      (
        "closure that resolves later, on its queue",
        { retry, attempt in
          Promise(queue, retry: retry) { resolve, reject in
            XCTAssertEqual(DispatchQueue.getSpecific(key: key), true)
            let result = Result { try attempt() }
            DispatchQueue.main.async {
              switch result {
              case .success(let value): resolve(value)
              case .failure(let error): reject(error)
              }
            }
          }
        }
      ),
      ("step", { retry, attempt in Promise { 1 }.then(retry: retry) { _ in try attempt() } }),
      (
        "step with a task",
        { retry, attempt in
          Promise { 1 }.then(retry: retry) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
            resolve(try attempt())
          }
        }
      ),
      ("injected", { retry, attempt in Promise { 1 }.then(retry: retry) { _ in Promise { try attempt() } } }),
      (
        "catch",
        { retry, attempt in
          var value = 0
          return Promise { throw "caught" }.catch(retry: retry) { _ in value = try attempt() }.then { value }
        }
      ),
    ]
    let rows: [(retry: Int, succeeds: Int, attempts: Int, ends: String)] = [
      (3, 3, 3, "3"), (3, 5, 4, "error: no 4"), (0, 2, 1, "error: no 1"), (-1, 2, 1, "error: no 1"), (.max, 1, 1, "1"),
    ]
    for (form, make) in forms {
      for (retry, succeeds, attempts, ends) in rows {
        let log = Recorder<String>()
        let promise = make(retry) {
          log.record("attempt")
          if log.entries.count < succeeds { throw "no \(log.entries.count)" }
          return log.entries.count
        }
        XCTAssertEqual(outcome(promise), ends, "\(form), \(retry)")
        XCTAssertEqual(log.entries.count, attempts, "\(form), \(retry)")
      }
    }
  }

  func testRetryDoesNotRepeatEarlierSteps() {
    let promise = Promise { self.log.record("first") }.then(retry: 2) {
      self.log.record("second")
      if self.log.entries.count < 4 { throw "no" }
    }
    XCTAssertEqual(outcome(promise), "()")
    XCTAssertEqual(log.entries, ["first", "second", "second", "second"])
  }

  func testCancelEndsRetries() {
    wait { expectation in
      var promise: Promise<Int>?
      let begun = Gate()
      let made = Promise<Int>(retry: 100) {
        begun.pass()
        self.log.record("attempt")
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
    XCTAssertEqual(log.entries.count, 1)
  }
}
