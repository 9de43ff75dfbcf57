import PromiseQ
import XCTest

/// `suspend()` and `resume()`, called on any promise of a chain, affect the whole chain.
final class SuspendingTests: PromiseTestCase {
  func testAnyPromiseSuspendsAndResumesTheChain() {
    for (suspending, resuming, count, fails) in [(0, 2, 1, false), (2, 0, 1, true), (1, 1, 2, false)] {
      let (name, log) = ("\(suspending) and \(resuming)", Recorder<String>())
      let first = Promise {
        log.record("first")
        if fails { throw "no" }
      }
      let second = fails ? first.catch { _ in log.record("second") } : first.then { log.record("second") }
      let chain = [first, second, second.finally { log.record("third") }]
      for _ in 0..<count { chain[suspending].suspend() }
      finishOtherWork()
      XCTAssertEqual(log.entries, [], name)
      for _ in 0..<count { chain[resuming].resume() }
      XCTAssertEqual(outcome(chain[2].then { 1 }), "1", name)
      XCTAssertEqual(log.entries, ["first", "second", "third"], name)
    }
  }

  func testRunningStepFinishesAndTheNextOneWaits() {
    let (begun, go, finished) = (Gate(), Gate(), Gate())
    let promise = Promise {
      begun.open()
      go.pass()
      finished.open()
    }
    let end = promise.then(.main) { self.log.record("next") }
    runMainQueue(until: begun)
    promise.suspend()
    go.open()
    finished.pass()
    finishOtherWork()
    XCTAssertEqual(log.entries, [])
    promise.resume()
    XCTAssertEqual(outcome(end.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["next"])
  }

  func testSuspendInsideAStepHoldsTheNextOne() {
    let promise = Promise { 1 }
    let end = promise.then { _ in
      promise.suspend()
      DispatchQueue.main.async {
        self.log.record("resume")
        promise.resume()
      }
    }
    .then { self.log.record("next") }
    XCTAssertEqual(outcome(end.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["resume", "next"])
  }

  func testStepAddedToASuspendedChainWaits() {
    let promise = Promise { 1 }
    XCTAssertEqual(outcome(promise), "1")
    promise.suspend()
    let end = promise.then { value -> Int in
      self.log.record("then")
      return value + 1
    }
    finishOtherWork()
    XCTAssertEqual(log.entries, [])
    end.resume()
    XCTAssertEqual(outcome(end), "2")
  }

  func testTaskIsSuspendedAndResumed() {
    for (name, make) in ControlledWork.chains {
      let log = Recorder<String>()
      let controlled = ControlledWork(log)
      let promise = make(controlled)
      let end = promise.then { $0 + 1 }
      // The task is called inside `suspend()`, unless it belongs to an inner chain, which may not be connected to this
      // one yet.
      let isInner = ["injected", "returned"].contains(name)
      runMainQueue(until: controlled.begun)
      promise.suspend()
      promise.suspend()
      if isInner { controlled.work.called.pass() }
      XCTAssertEqual(log.entries, ["suspend"], name)
      end.resume()
      if isInner { controlled.work.called.pass() }
      XCTAssertEqual(log.entries, ["suspend", "resume"], name)
      controlled.finish(1)
      XCTAssertEqual(outcome(end), "2", name)
      promise.suspend()
      XCTAssertEqual(log.entries, ["suspend", "resume"], name)
    }
  }

  func testReturnedPromiseIsSuspended() {
    let inner = Promise { self.log.record("first") }.then { self.log.record("second") }
    inner.suspend()
    let outer = Promise { 1 }.then { _ in inner }
    outer.suspend()
    finishOtherWork()
    XCTAssertEqual(log.entries, [])
    outer.resume()
    inner.resume()
    XCTAssertEqual(outcome(outer.then { 1 }), "1")
    XCTAssertEqual(log.entries, ["first", "second"])
  }

  // MARK: A chain that is dropped suspended

  /// Makes a chain whose only handle is released after it is suspended, and waits until the chain is deallocated.
  private func drop<T>(_ make: () -> Promise<T>) {
    wait { expectation in
      let promise = make()
      promise.onDeinit { expectation.fulfill() }
      promise.suspend()
    }
    finishOtherWork()
  }

  func testChainReleasedSuspendedDoesNotBegin() {
    drop {
      Promise { self.log.record("body") }.then { self.log.record("then") }.catch { _ in self.log.record("catch") }
        .finally { self.log.record("finally") }
    }
    drop { Promise.resolve(1).then { _ in self.log.record("then") } }
    drop { Promise<Int>.reject("no").catch { _ in self.log.record("catch") } }
    drop { Promise.all([Promise { self.log.record("first") }, Promise { self.log.record("second") }]) }
    drop { Promise { 1 }.then { _ in Promise { self.log.record("inner") } } }
    drop { Promise { Promise { self.log.record("inner") } } }
    XCTAssertEqual(log.entries, [])
  }

  func testChainReleasedSuspendedDoesNotContinue() {
    let (begun, go, released) = (Gate(), Gate(), Gate())
    var promise: Promise<Void>? = Promise {
      begun.open()
      go.pass()
    }
    .then { self.log.record("then") }
    .catch { _ in self.log.record("catch") }
    .finally { self.log.record("finally") }
    promise?.onDeinit { released.open() }
    runMainQueue(until: begun)
    promise?.suspend()
    promise = nil
    go.open()
    released.pass()
    finishOtherWork()
    XCTAssertEqual(log.entries, [])
  }

  func testTaskOfAChainReleasedSuspendedIsCancelled() {
    let controlled = ControlledWork(log)
    var promise: Promise<Int>? = controlled.promiseWithTask()
    runMainQueue(until: controlled.begun)
    promise?.suspend()
    promise = nil
    XCTAssertEqual(log.entries, ["suspend", "cancel"])
    withExtendedLifetime((controlled, promise)) {}
  }

  func testReturnedPromiseOfAReleasedChainContinues() {
    let (begun, finish) = (Gate(), Gate())
    let inner = Promise { () -> Int in
      begun.open()
      finish.pass()
      return 1
    }
    .catch { _ in self.log.record("catch") }
    var outer: Promise<Void>? = Promise { 1 }.then { _ in inner }
    runMainQueue(until: begun)
    outer?.suspend()
    outer = nil
    finish.open()
    inner.resume()
    XCTAssertEqual(outcome(inner.then { 1 }), "1")
    XCTAssertEqual(log.entries, [])
    XCTAssertFalse(inner.isCancelled)
    withExtendedLifetime(outer) {}
  }

  func testSuspendingFromSeveralThreadsLosesNoStep() {
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
