import PromiseQ
import XCTest

/// `cancel()`, called on any promise of a chain, cancels the whole chain.
final class CancellingTests: PromiseTestCase {
  private func isCancelled(_ error: Error) -> Bool {
    if case PromiseError.cancelled = error { return true }
    return false
  }

  func testCancelOfAnyPromiseBeforeTheStartCancelsTheChain() {
    for (index, isSuspended) in [(0, false), (1, false), (2, false), (0, true)] {
      let (name, log) = ("\(index), \(isSuspended)", Recorder<String>())
      let first = Promise { XCTFail("It runs although it is cancelled: \(name)") }
      let second = first.then { XCTFail("It runs although it is cancelled: \(name)") }
      let third = second.catch { error in log.record(self.isCancelled(error) ? "cancelled" : "\(error)") }
      if isSuspended { first.suspend() }
      [first, second, third][index].cancel()
      XCTAssertEqual(outcome(third), "error: The Promise cancelled.", name)
      XCTAssertEqual(log.entries, ["cancelled"], name)
    }
  }

  func testCancelRejectsASinglePromiseOfEachKind() {
    func unwanted() -> Int {
      XCTFail("It runs although it is cancelled.")
      return 1
    }
    let promises: [(String, () -> Promise<Int>)] = [
      ("closure", { Promise { unwanted() } }), ("resolved", { .resolve(1) }), ("rejected", { .reject("no") }),
    ]
    for (name, make) in promises {
      let promise = make()
      let chained = promise.then { _ in unwanted() }
      promise.cancel()
      XCTAssertEqual(outcome(promise), "error: The Promise cancelled.", name)
      XCTAssertEqual(outcome(chained), "error: The Promise cancelled.", name)
      XCTAssertEqual(outcome(promise.catch { _ in }.then { 1 }), "error: The Promise cancelled.", "late, \(name)")
    }
  }

  func testRunningStepFinishesAndItsResultIsIgnored() {
    let steps: [(String, (@escaping () throws -> Void) -> Promise<Void>)] = [
      ("first", { Promise(f: $0) }), ("then", { step in Promise { 1 }.then { _ in try step() } }),
      ("catch", { step in Promise { throw "no" }.catch { _ in try step() } }),
    ]
    for (name, make) in steps {
      let (begun, go, finished) = (Gate(), Gate(), Gate())
      var promise: Promise<Void>?
      promise = make {
        begun.open()
        go.pass()
        XCTAssertEqual(promise?.isCancelled, true, name)
        finished.open()
      }
      let cancelled = promise!
      runMainQueue(until: begun)
      cancelled.cancel()
      XCTAssertEqual(outcome(cancelled), "error: The Promise cancelled.", name)
      go.open()
      finished.pass()
      XCTAssertEqual(outcome(cancelled), "error: The Promise cancelled.", name)
    }
  }

  func testOnlyTheNextCatchReceivesTheCancellation() {
    let promise = Promise { 1 }
      .catch { error in self.log.record("first \(error.localizedDescription)") }
      .catch { _ in self.log.record("second") }
      .finally { self.log.record("finally") }
    let other = Promise { 1 }
      .catch { _ in self.log.record("caught") }
      .then { XCTFail("It runs although it is cancelled.") }
    promise.cancel()
    other.cancel()
    for promise in [promise, other] { XCTAssertEqual(outcome(promise), "error: The Promise cancelled.") }
    XCTAssertEqual(log.entries.sorted(), ["caught", "finally", "first The Promise cancelled."])
  }

  func testCancelOfABranchCancelsTheOthers() {
    wait(3) { expectation in
      let promise = Promise { XCTFail("It runs although it is cancelled.") }
      let branches = (0..<3).map { _ in
        promise.then { XCTFail("It runs although it is cancelled.") }.catch { _ in expectation.fulfill() }
      }
      branches[1].cancel()
    }
  }

  func testCancelRejectsAWaitingChainAndCancelsItsTaskOnce() {
    for (name, make) in ControlledWork.chains + [("no task", { $0.promise() })] {
      let log = Recorder<String>()
      let controlled = ControlledWork(log)
      let promise = make(controlled)
      let end = promise.then { $0 + 1 }
      runMainQueue(until: controlled.begun)
      end.cancel()
      end.cancel()
      for promise in [promise, end] { XCTAssertEqual(outcome(promise), "error: The Promise cancelled.", name) }
      if name != "no task" { controlled.work.called.pass() }
      controlled.finish(1)
      XCTAssertEqual(outcome(end), "error: The Promise cancelled.", name)
      XCTAssertEqual(log.entries, name == "no task" ? [] : ["cancel"], name)
    }
  }

  /// Promises whose step has a task, and whose functions have been released when `controlled.begun` opens.
  private let taskSteps: [(String, (ControlledWork) -> Promise<Int>)] = [
    (
      "first",
      { controlled in
        Promise(.main) { resolve, reject, task in
          task = controlled.work
          controlled.begin { _ in }
        }
      }
    ),
    (
      "step",
      { controlled in
        Promise { 1 }.then(.main) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
          task = controlled.work
          controlled.begin { _ in }
        }
      }
    ),
  ]

  func testStepWithATaskStaysPendingAfterItsFunctionsAreReleased() {
    for (name, make) in taskSteps {
      let log = Recorder<String>()
      let controlled = ControlledWork(log)
      let promise = make(controlled)
      promise.catch { _ in log.record("caught") }
      runMainQueue(until: controlled.begun)
      finishOtherWork()
      promise.suspend()
      promise.resume()
      XCTAssertEqual(log.entries, ["suspend", "resume"], name)
      promise.cancel()
      XCTAssertEqual(outcome(promise.catch { _ in }), "error: The Promise cancelled.", name)
      XCTAssertEqual(log.entries.sorted(), ["cancel", "caught", "resume", "suspend"], name)
    }
  }

  func testStepThatNothingCanEndIsCancelledWithItsLastPromise() {
    for (name, make) in taskSteps {
      for isReleasedBefore in [true, false] {
        wait(2) { expectation in
          let controlled = ControlledWork()
          var promise: Promise<Int>? = make(controlled)
          promise?.onDeinit { expectation.fulfill() }
          promise?.catch { error in
            XCTAssertTrue(self.isCancelled(error), name)
            expectation.fulfill()
          }
          if isReleasedBefore { promise = nil }
          runMainQueue(until: controlled.begun)
          promise = nil
        }
      }
    }
  }

  func testTaskSetWhileItsChainIsCancelledIsCancelledOnce() {
    for round in 0..<100 {
      let (log, begun) = (Recorder<String>(), Gate())
      let work = Work(log)
      wait { expectation in
        let promise = Promise<Int> { resolve, reject, task in
          begun.open()
          // The task is set before the request in some rounds, and after it in others.
          for _ in 0..<(round % 20) { _ = log.entries }
          task = work
        }
        DispatchQueue.global().async {
          begun.pass()
          promise.cancel()
          work.called.pass()
          expectation.fulfill()
        }
      }
      finishOtherWork()
      XCTAssertEqual(log.entries, ["cancel"], "round \(round)")
    }
  }

  func testCancelReachesAReturnedPromise() {
    wait(2) { expectation in
      let caught = { (error: Error) in
        XCTAssertTrue(self.isCancelled(error))
        expectation.fulfill()
      }
      let controlled = ControlledWork()
      let outer = Promise { 1 }.then { _ in controlled.promise().catch(f: caught) }.catch(f: caught)
      runMainQueue(until: controlled.begun)
      outer.cancel()
    }
  }

  func testCancelFromSeveralThreadsEndsTheChain() {
    for _ in 0..<50 {
      wait { expectation in
        let promise = Promise { 1 }.then { $0 + 1 }.then { $0 + 1 }
        DispatchQueue.global().async { promise.cancel() }
        DispatchQueue.global().async { promise.cancel() }
        promise.finally { expectation.fulfill() }
      }
    }
  }

  func testUnstoredPromiseCanBeCancelled() {
    wait { expectation in
      Promise { XCTFail("It runs although it is cancelled.") }
        .catch { _ in expectation.fulfill() }
        .cancel()
    }
  }

  func testLongChainIsCancelled() {
    let first = Promise { 0 }
    var promise = first
    for _ in 0..<20_000 { promise = promise.then { $0 + 1 } }
    first.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testIsCancelledIsTrueForTheWholeChainAtOnce() throws {
    let first = Promise { 1 }
    let last = first.then { $0 + 1 }
    XCTAssertFalse(first.isCancelled)
    last.cancel()
    for promise in [first, last] { XCTAssertTrue(promise.isCancelled) }
    XCTAssertTrue(first.catch { _ in }.isCancelled)
    let ended = Promise { 1 }.then { $0 + 1 }
    XCTAssertEqual(outcome(ended), "2")
    XCTAssertFalse(ended.isCancelled)
    for _ in 0..<2 { ended.cancel() }
    XCTAssertTrue(ended.isCancelled)
    XCTAssertEqual(try ended.await(), 2)
    XCTAssertFalse(Promise<Int>.reject(PromiseError.cancelled).isCancelled)
  }
}
