import Dispatch
import Foundation
import PromiseQ
import XCTest

/// `suspend()` and `resume()`: of the whole chain, from any of its promises.
final class SuspendingTests: PromiseTestCase {
  func testASuspendedPromiseDoesNotBegin() {
    let promise = Promise { self.log.add("body") }
    promise.suspend()
    let end = promise.then { self.log.add("then") }
    begin(promise)
    XCTAssertEqual(log.entries, [])
    promise.resume()
    XCTAssertEqual(outcome(end.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["body", "then"])
  }

  /// Waits until a chain that is not suspended, made later, has ended.
  private func begin<T>(_ promise: Promise<T>) {
    XCTAssertEqual(outcome(Promise { 1 }.then { $0 + 1 }), "2")
    settle()
  }

  func testAnyPromiseSuspendsAndResumesTheChain() {
    let first = Promise { self.log.add("first") }
    let last = first.then { self.log.add("second") }.then { self.log.add("third") }
    last.suspend()
    begin(first)
    XCTAssertEqual(log.entries, [])
    first.resume()
    XCTAssertEqual(outcome(last.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["first", "second", "third"])
  }

  func testTheStepThatRunsFinishesAndTheNextOneWaits() {
    let (begun, go, finished) = (Gate(), Gate(), Gate())
    let promise = Promise {
      begun.open()
      go.pass()
      finished.open()
    }
    let end = promise.then(.main) { self.log.add("next") }
    begun.pass()
    promise.suspend()
    go.open()
    finished.pass()
    begin(promise)
    XCTAssertEqual(log.entries, [])
    promise.resume()
    XCTAssertEqual(outcome(end.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["next"])
  }

  func testSuspendedInsideAStep() {
    let promise = Promise { 1 }
    let end = promise.then { _ in
      promise.suspend()
      DispatchQueue.main.async {
        self.log.add("resume")
        promise.resume()
      }
    }
    .then { self.log.add("next") }
    XCTAssertEqual(outcome(end.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["resume", "next"])
  }

  func testSuspendingAndResumingTwiceIsTheSameAsOnce() {
    let promise = Promise { self.log.add("body") }
    promise.suspend()
    promise.suspend()
    begin(promise)
    promise.resume()
    promise.resume()
    XCTAssertEqual(outcome(promise.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["body"])
  }

  func testAStepAddedToASuspendedChainWaits() {
    let promise = Promise { 1 }
    XCTAssertEqual(outcome(promise), "1")
    promise.suspend()
    let end = promise.then { value -> Int in
      self.log.add("then")
      return value + 1
    }
    begin(promise)
    XCTAssertEqual(log.entries, [])
    end.resume()
    XCTAssertEqual(outcome(end), "2")
  }

  func testACatchOfASuspendedChainWaits() {
    let promise = Promise { throw "no" }
    let end = promise.catch { _ in self.log.add("caught") }.finally { self.log.add("finally") }
    promise.suspend()
    begin(promise)
    XCTAssertEqual(log.entries, [])
    promise.resume()
    XCTAssertEqual(outcome(end.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["caught", "finally"])
  }

  func testOtherChainsGoOn() {
    let promise = Promise { 1 }
    promise.suspend()
    XCTAssertEqual(outcome(Promise { 2 }), "2")
    promise.resume()
    XCTAssertEqual(outcome(promise), "1")
  }

  func testTheTaskIsSuspendedAndResumed() {
    let begun = Gate()
    var finish: (Int) -> Void = { _ in }
    let promise = Promise<Int>(.main) { resolve, reject, task in
      finish = resolve
      task = Work(self.log)
      DispatchQueue.main.async { begun.open() }
    }
    let end = promise.then { $0 + 1 }
    settleUntil(begun)
    promise.suspend()
    promise.suspend()
    XCTAssertEqual(log.entries, ["suspend"])
    end.resume()
    XCTAssertEqual(log.entries, ["suspend", "resume"])
    finish(1)
    XCTAssertEqual(outcome(end), "2")
    promise.suspend()
    XCTAssertEqual(log.entries, ["suspend", "resume"])
  }

  func testTheTaskOfAStepIsSuspended() {
    let begun = Gate()
    var finish: (Int) -> Void = { _ in }
    let promise = Promise { 1 }
    let end = promise.then(.main) { (value: Int, resolve: @escaping (Int) -> Void, reject, task) in
      finish = resolve
      task = Work(self.log)
      DispatchQueue.main.async { begun.open() }
    }
    settleUntil(begun)
    promise.suspend()
    finish(2)
    promise.resume()
    XCTAssertEqual(log.entries, ["suspend", "resume"])
    XCTAssertEqual(outcome(end), "2")
  }

  func testAnInjectedPromiseIsSuspended() {
    let inner = Promise { self.log.add("first") }.then { self.log.add("second") }
    inner.suspend()
    let outer = Promise { 1 }.then { _ in inner }
    outer.suspend()
    begin(outer)
    XCTAssertEqual(log.entries, [])
    outer.resume()
    inner.resume()
    XCTAssertEqual(outcome(outer.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["first", "second"])
  }

  func testAnInjectedPromiseInProgressIsSuspended() {
    let begun = Gate()
    let work = Work(log)
    var finish: () -> Void = {}
    let outer = Promise { 1 }.then { _ in
      Promise<Int>(.main) { resolve, reject, task in
        finish = { resolve(5) }
        task = work
        DispatchQueue.main.async { begun.open() }
      }
      .then { $0 + 1 }
    }
    settleUntil(begun)
    outer.suspend()
    work.told.pass()
    XCTAssertEqual(log.entries, ["suspend"])
    outer.resume()
    work.told.pass()
    XCTAssertEqual(log.entries, ["suspend", "resume"])
    finish()
    XCTAssertEqual(outcome(outer), "6")
  }

  // MARK: A chain that is dropped suspended

  /// Makes a chain that is no longer held when it is suspended, and waits until nothing is left of it.
  private func drop<T>(_ make: () -> Promise<T>) {
    wait { expectation in
      let promise = make()
      promise.onDeinit { expectation.fulfill() }
      promise.suspend()
    }
    XCTAssertEqual(outcome(Promise { 1 }.then { $0 + 1 }), "2")
    settle()
  }

  func testAChainThatIsDroppedSuspendedDoesNotBegin() {
    drop {
      Promise { self.log.add("body") }.then { self.log.add("then") }.catch { _ in self.log.add("catch") }
        .finally { self.log.add("finally") }
    }
    drop { Promise.resolve(1).then { _ in self.log.add("then") } }
    drop { Promise<Int>.reject("no").catch { _ in self.log.add("catch") } }
    XCTAssertEqual(log.entries, [])
  }

  func testAChainThatIsDroppedSuspendedDoesNotGoOn() {
    let (begun, go, released) = (Gate(), Gate(), Gate())
    var promise: Promise<Void>? = Promise {
      begun.open()
      go.pass()
    }
    .then { self.log.add("then") }
    .catch { _ in self.log.add("catch") }
    .finally { self.log.add("finally") }
    promise?.onDeinit { released.open() }
    begun.pass()
    promise?.suspend()
    promise = nil
    go.open()
    released.pass()
    XCTAssertEqual(outcome(Promise { 1 }.then { $0 + 1 }), "2")
    XCTAssertEqual(log.entries, [])
  }

  func testTheTaskOfAChainThatIsDroppedSuspendedIsGivenUp() {
    let (begun, work) = (Gate(), Work(log))
    var kept: [Any] = []
    var promise: Promise<Int>? = Promise<Int>(.main) { resolve, reject, task in
      kept.append(resolve)
      task = work
      DispatchQueue.main.async { begun.open() }
    }
    settleUntil(begun)
    promise?.suspend()
    promise = nil
    XCTAssertEqual(log.entries, ["suspend", "cancel"])
    withExtendedLifetime((kept, promise)) {}
  }

  func testAnInjectedPromiseOfAChainThatIsDroppedSuspendedIsLeftToOthers() {
    let (begun, finish) = (Gate(), Gate())
    let inner = Promise { () -> Int in
      begun.open()
      finish.pass()
      return 1
    }
    .catch { _ in self.log.add("catch") }
    var outer: Promise<Void>? = Promise { 1 }.then { _ in inner }
    begun.pass()
    outer?.suspend()
    outer = nil
    finish.open()
    inner.resume()
    XCTAssertEqual(outcome(inner.then { 1 }), "1")
    XCTAssertEqual(log.entries, [])
    XCTAssertFalse(inner.isCancelled)
    withExtendedLifetime(outer) {}
  }

  func testCombinationsThatAreDroppedSuspendedDoNotBegin() {
    drop { Promise.all([Promise { self.log.add("first") }, Promise { self.log.add("second") }]) }
    drop { Promise { 1 }.then { _ in Promise { self.log.add("inner") } } }
    drop { Promise { Promise { self.log.add("inner") } } }
    XCTAssertEqual(log.entries, [])
  }

  func testSuspendingFromManyThreadsLosesNothing() {
    for _ in 0..<50 {
      let promise = Promise { 1 }.then { $0 + 1 }.then(.main) { $0 + 1 }
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        if number % 2 == 0 { promise.suspend() } else { promise.resume() }
      }
      promise.resume()
      XCTAssertEqual(outcome(promise), "3")
    }
  }
}
