import PromiseQ
import XCTest

/// `then`, `catch` and `finally`.
final class StepTests: PromiseTestCase {
  func testThenAdoptsThrowsResolvesOrRejects() {
    typealias Resolve<T> = (T) -> Void
    let one = Promise { 1 }
    let injected = one.then { value in
      Promise { value + 1 }.then { $0 * 10 }.then { value in Promise.resolve("\(value)") }
    }
    XCTAssertEqual(outcome(injected), "20")
    XCTAssertEqual(outcome(one.then { _ in Promise<String>.reject("inner") }), "error: inner")
    let thrown = one.then { value -> Int in throw "no \(value)" }.then { _ in XCTFail("It runs after an error.") }
    XCTAssertEqual(outcome(thrown), "error: no 1")
    let resolved = one.then { (value, resolve: @escaping Resolve<Int>, reject) in
      DispatchQueue.main.async { resolve(value) }
    }
    XCTAssertEqual(outcome(resolved), "1")
    let rejected = one.then { (value, resolve: Resolve<Int>, reject) in
      reject("no \(value)")
      resolve(2)
    }
    XCTAssertEqual(outcome(rejected), "error: no 1")
    let withTask = one.then { (value: Int, resolve: @escaping Resolve<Int>, reject, task) in
      task = Work { resolve(value + 1) }
      task?.resume()
    }
    XCTAssertEqual(outcome(withTask), "2")
  }

  func testStepsOnOneQueueRunInOneBlock() {
    for queue in [
      DispatchQueue.main, DispatchQueue(label: "serial"), DispatchQueue(label: "wide", attributes: .concurrent),
    ] {
      let (log, built) = (Recorder<String>(), Gate())
      wait { expectation in
        Promise(queue) {
          built.pass()
          queue.async { log.record("later") }
          log.record("1")
        }
        .then(queue) { log.record("2") }
        .then(queue) { log.record("3") }
        .finally(.main) { queue.async { expectation.fulfill() } }
        built.open()
      }
      if queue.label != "wide" { XCTAssertEqual(log.entries, ["1", "2", "3", "later"]) }
    }
  }

  func testStepRunsAlthoughTheClosureOfTheCancelledStepBlocks() {
    let (gate, begun) = (Gate(), Gate())
    wait { expectation in
      let promise = Promise { () -> Int in
        begun.open()
        gate.pass()
        return 1
      }
      promise.catch { _ in expectation.fulfill() }
      DispatchQueue.global().async {
        begun.pass()
        promise.cancel()
      }
    }
    gate.open()
  }

  func testStepsRunOnTheirQueues() {
    let key = DispatchSpecificKey<String>()
    // Queues with the same label are still different queues.
    let queues = (0..<3).map { number -> DispatchQueue in
      let queue = DispatchQueue(label: "same")
      queue.setSpecific(key: key, value: "\(number)")
      return queue
    }
    func note() { log.record(DispatchQueue.getSpecific(key: key) ?? (Thread.isMainThread ? "main" : "another")) }
    let promise = Promise(queues[0]) { note() }.then(queues[1]) { note() }.then(queues[2]) { note() }
    XCTAssertEqual(outcome(promise.then(.main) { note() }), "()")
    XCTAssertEqual(outcome(Promise(.main) { note() }), "()")
    let onTheDefaultOne = Promise {
      note()
      throw "no"
    }
    .catch { _ in note() }
    .then { note() }
    XCTAssertEqual(outcome(onTheDefaultOne), "()")
    XCTAssertEqual(log.entries, ["0", "1", "2", "main", "main", "another", "another", "another"])
  }

  func testLongChainResolves() {
    var promise = Promise { 0 }
    for _ in 0..<20_000 { promise = promise.then { $0 + 1 } }
    XCTAssertEqual(outcome(promise), "20000")
  }

  func testLongLoopResolves() {
    func count(_ number: Int) -> Promise<Int> {
      Promise.resolve(number).then { number in number == 5_000 ? Promise.resolve(number) : count(number + 1) }
    }
    XCTAssertEqual(outcome(count(0)), "5000")
  }

  // MARK: catch

  func testCatchReceivesTheErrorInEachBranch() {
    let failed = Promise<Int> { throw "no" }
    for promise in [failed, failed.then { $0 + 1 }] {
      let caught: Promise<Void> = promise.catch { error in self.log.record("caught \(error.localizedDescription)") }
      XCTAssertEqual(outcome(caught.then { "went on" }), "went on")
    }
    XCTAssertEqual(log.entries, ["caught no", "caught no"])
    let promise = Promise { 1 }.catch { _ in XCTFail("There is no error.") }
    XCTAssertEqual(outcome(promise.then { "went on" }), "went on")
    let thrown = Promise { throw "first" }
      .catch { error in throw "second after \(error)" }
      .then { XCTFail("It runs after an error.") }
    XCTAssertEqual(outcome(thrown), "error: second after first")
  }

  func testOnlyTheNextCatchReceivesTheError() {
    let promise = Promise { throw "no" }
      .catch { _ in self.log.record("first") }
      .then { self.log.record("then") }
      .catch { _ in self.log.record("second") }
    XCTAssertEqual(outcome(promise.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["first", "then"])
  }

  func testErrorSkipsBusyQueues() {
    let (queue, gate) = (DispatchQueue(label: "busy"), Gate())
    queue.async { gate.pass() }
    let promise = Promise<Int> { throw "no" }.then(queue) { $0 + 1 }.then(queue) { $0 + 1 }
    XCTAssertEqual(outcome(promise), "error: no")
    gate.open()
  }

  // MARK: finally

  func testFinallyPassesTheResultOn() {
    XCTAssertEqual(outcome(Promise { 1 }.finally { self.log.record("value") }.then { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise<Int> { throw "no" }.finally { self.log.record("error") }), "error: no")
    XCTAssertEqual(log.entries, ["value", "error"])
  }

  func testFinallyRunsOnItsQueueBeforeTheNextStep() {
    let promise = Promise { 1 }
      .finally(.main) {
        XCTAssertTrue(Thread.isMainThread)
        self.log.record("finally")
      }
      .then { _ in self.log.record("then") }
      .catch { _ in XCTFail("There is no error.") }
      .finally { self.log.record("the end") }
    XCTAssertEqual(outcome(promise.then { 0 }), "0")
    XCTAssertEqual(log.entries, ["finally", "then", "the end"])
  }
}
