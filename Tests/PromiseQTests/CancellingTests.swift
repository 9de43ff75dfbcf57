import Dispatch
import Foundation
import PromiseQ
import XCTest

/// `cancel()`: of the whole chain, from any of its promises.
final class CancellingTests: PromiseTestCase {
  private func isCancelled(_ error: Error) -> Bool {
    if case PromiseError.cancelled = error { return true }
    return false
  }

  func testCancelledBeforeTheBeginning() {
    wait { expectation in
      let promise = Promise {
        XCTFail("It runs although it is cancelled.")
      }
      .then { XCTFail("It runs although it is cancelled.") }
      .catch { error in
        XCTAssertTrue(self.isCancelled(error))
        expectation.fulfill()
      }
      promise.cancel()
    }
  }

  func testCancelledByTheFirstPromise() {
    wait { expectation in
      let promise = Promise { XCTFail("It runs although it is cancelled.") }
      promise.then { XCTFail("It runs although it is cancelled.") }
        .catch { error in
          XCTAssertTrue(self.isCancelled(error))
          expectation.fulfill()
        }
      promise.cancel()
    }
  }

  func testAPromiseAloneIsRejected() {
    let promise = Promise { XCTFail("It runs although it is cancelled.") }
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testAResolvedOrRejectedOneIsCancelledBeforeTheBeginning() {
    let promise = Promise.resolve(1)
    let chained = promise.then { _ in XCTFail("It runs although it is cancelled.") }
    promise.cancel()
    XCTAssertEqual(outcome(chained), "error: The Promise cancelled.")
    let rejected = Promise<Int>.reject("no")
    rejected.cancel()
    XCTAssertEqual(outcome(rejected), "error: The Promise cancelled.")
  }

  func testCancelledInsideAStep() {
    wait { expectation in
      let promise = Promise { 404 }
      promise.then { status in
        guard status == 200 else {
          promise.cancel()
          return
        }
        XCTFail("That is another status.")
      }
      .then { XCTFail("It runs although it is cancelled.") }
      .catch { error in
        XCTAssertTrue(self.isCancelled(error))
        expectation.fulfill()
      }
    }
  }

  func testTheStepInProgressFinishesAndItsResultIsDropped() {
    let (begun, go, finished) = (Gate(), Gate(), Gate())
    let promise = Promise { () -> Int in
      begun.open()
      go.pass()
      finished.open()
      return 1
    }
    begun.pass()
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    go.open()
    finished.pass()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testAStepThatWaitsForResolveIsRejectedAtOnce() {
    var finish: ((Int) -> Void)?
    let begun = Gate()
    let promise = Promise<Int> { resolve, reject in
      finish = resolve
      begun.open()
    }
    begun.pass()
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    finish?(1)
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testOnlyTheNextCatchGetsTheCancellation() {
    wait { expectation in
      let promise = Promise { 1 }
        .catch { error in self.log.add("first \(error.localizedDescription)") }
        .catch { _ in self.log.add("second") }
        .finally(.main) { expectation.fulfill() }
      promise.cancel()
    }
    XCTAssertEqual(log.entries, ["first The Promise cancelled."])
  }

  func testNoThenRunsBehindTheCatch() {
    let promise = Promise { 1 }
      .catch { _ in self.log.add("caught") }
      .then { XCTFail("It runs although it is cancelled.") }
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    XCTAssertEqual(log.entries, ["caught"])
  }

  func testFinallyRuns() {
    wait { expectation in
      let promise = Promise { 1 }.finally { expectation.fulfill() }
      promise.cancel()
    }
  }

  func testCancellingTwiceAndAfterTheEndDoesNothing() {
    let promise = Promise { 1 }.then { $0 + 1 }
    XCTAssertEqual(outcome(promise), "2")
    promise.cancel()
    promise.cancel()
    XCTAssertEqual(try promise.await(), 2)
  }

  func testABranchIsCancelledWithTheOthers() {
    wait(3) { expectation in
      let promise = Promise { XCTFail("It runs although it is cancelled.") }
      let branches = (0..<3).map { _ in
        promise.then { XCTFail("It runs although it is cancelled.") }.catch { _ in expectation.fulfill() }
      }
      branches[1].cancel()
    }
  }

  func testASuspendedChainIsCancelled() {
    let promise = Promise { XCTFail("It runs although it is suspended.") }
    let end = promise.then { XCTFail("It runs although it is suspended.") }
    promise.suspend()
    promise.cancel()
    XCTAssertEqual(outcome(end), "error: The Promise cancelled.")
  }

  func testTheTaskIsCancelledOnce() {
    let begun = Gate()
    let work = Work(log)
    var kept: [Any] = []
    let promise = Promise<Int> { resolve, reject, task in
      kept.append(resolve)
      task = work
      DispatchQueue.main.async { begun.open() }
    }
    .then { $0 + 1 }
    settleUntil(begun)
    promise.cancel()
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    work.told.pass()
    XCTAssertEqual(log.entries, ["cancel"])
  }

  func testAnInjectedPromiseIsCancelled() {
    wait(2) { expectation in
      let begun = Gate()
      var kept: [Any] = []
      let inner = Promise<Int> { resolve, reject in
        kept.append(resolve)
        DispatchQueue.main.async { begun.open() }
      }
      inner.catch { error in
        XCTAssertTrue(self.isCancelled(error))
        expectation.fulfill()
      }
      let outer = Promise { 1 }.then { _ in inner }.catch { error in
        XCTAssertTrue(self.isCancelled(error))
        expectation.fulfill()
      }
      settleUntil(begun)
      outer.cancel()
    }
  }

  func testCancellingFromManyThreads() {
    for _ in 0..<50 {
      wait { expectation in
        let promise = Promise { 1 }.then { $0 + 1 }.then { $0 + 1 }
        DispatchQueue.global().async { promise.cancel() }
        DispatchQueue.global().async { promise.cancel() }
        promise.finally { expectation.fulfill() }
      }
    }
  }

  func testAPromiseThatIsNotKeptCanBeCancelled() {
    wait { expectation in
      Promise { XCTFail("It runs although it is cancelled.") }
        .catch { _ in expectation.fulfill() }
        .cancel()
    }
  }

  func testALongChainIsCancelled() {
    let first = Promise { 0 }
    var promise = first
    for _ in 0..<20_000 { promise = promise.then { $0 + 1 } }
    first.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
  }

  func testAStepAddedToACancelledChainDoesNotRun() {
    let promise = Promise { 1 }
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    XCTAssertEqual(outcome(promise.catch { _ in }.then { 1 }), "error: The Promise cancelled.")
  }

  func testACatchThatRunsIsCancelled() {
    let (begun, go) = (Gate(), Gate())
    let promise = Promise { throw "no" }.catch { _ in
      begun.open()
      go.pass()
    }
    begun.pass()
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    go.open()
  }

  func testIsCancelledIsTrueAtOnceForTheWholeChain() {
    let first = Promise { 1 }
    let last = first.then { $0 + 1 }
    XCTAssertFalse(first.isCancelled)
    last.cancel()
    XCTAssertTrue(first.isCancelled)
    XCTAssertTrue(last.isCancelled)
    XCTAssertTrue(first.catch { _ in }.isCancelled)
    XCTAssertFalse(Promise { 1 }.isCancelled)
  }

  func testIsCancelledInsideTheStepThatGoesOn() {
    wait { expectation in
      let (begun, go) = (Gate(), Gate())
      var promise: Promise<Void>?
      let made = Promise {
        begun.open()
        go.pass()
        XCTAssertEqual(promise?.isCancelled, true)
        expectation.fulfill()
      }
      promise = made
      begun.pass()
      made.cancel()
      go.open()
    }
  }

  func testIsCancelledAfterTheEnd() {
    let promise = Promise { 1 }
    XCTAssertEqual(outcome(promise), "1")
    XCTAssertFalse(promise.isCancelled)
    promise.cancel()
    XCTAssertTrue(promise.isCancelled)
    XCTAssertFalse(Promise<Int>.reject(PromiseError.cancelled).isCancelled)
  }
}
