import PromiseQ
import XCTest

import enum Overmorrow.PromiseDiagnostics

/// The deallocation of chains: `onDeinit`, and objects that closures retain.
final class LifetimeTests: PromiseTestCase {
  func testOnDeinitWaitsForTheLastReference() {
    var promise: Promise<Int>? = Promise { 1 }
    wait { expectation in
      promise?.onDeinit {
        self.log.record("deinit")
        expectation.fulfill()
      }
      XCTAssertEqual(try? promise?.await(), 1)
      XCTAssertEqual(log.entries, [])
      promise = nil
    }
  }

  func testOnDeinitRunsAfterEachKindOfEnd() {
    let chains: [(String, () -> (Promise<Int>))] = [
      ("resolved", { Promise { 1 }.then { $0 + 1 } }), ("never resolved", { Promise { resolve, reject in } }),
      ("rejected", { Promise { throw "no" }.catch { _ in }.then { 1 } }),
      ("with limits", { Promise(timeout: 3600) { 1 }.catch(timeout: 3600) { _ in }.then(timeout: 3600) { 1 } }),
      ("rejected, with limits", { Promise<Int>(timeout: 3600) { throw "no" }.then(timeout: 3600) { $0 + 1 } }),
    ]
    let ends: [(String, (Promise<Int>) -> Void)] = [
      ("by itself", { _ in }), ("cancelled", { $0.cancel() }), ("dropped suspended", { $0.suspend() }),
    ]
    for (chain, make) in chains {
      for (end, finish) in ends {
        let released = expectation(description: "\(chain), \(end)")
        released.expectedFulfillmentCount = 200
        for _ in 0..<100 {
          let promise = make()
          promise.onDeinit { released.fulfill() }
          let next = promise.then { $0 + 1 }
          next.onDeinit { released.fulfill() }
          finish(next)
        }
      }
    }
    waitForExpectations(timeout: waitLimit)
  }

  func testOnDeinitWaitsForRunningWork() {
    var controlled: ControlledWork? = ControlledWork()
    wait { expectation in
      controlled?.promise().onDeinit {
        self.log.record("deinit")
        expectation.fulfill()
      }
      runMainQueue(until: controlled!.begun)
      XCTAssertEqual(log.entries, [])
      controlled?.finish(1)
      controlled = nil
    }
  }

  func testOnDeinitRunsForCombinations() {
    wait(4) { expectation in
      let inputs = [Promise { 1 }, Promise { 2 }]
      inputs[0].onDeinit { expectation.fulfill() }
      Promise.all(inputs).onDeinit { expectation.fulfill() }
      Promise.race(inputs).onDeinit { expectation.fulfill() }
      Promise.any(inputs).onDeinit { expectation.fulfill() }
    }
  }

  func testValuesAndClosuresAreReleasedWithTheChain() {
    wait(3) { expectation in
      let object = Tracker().make { expectation.fulfill() }
      let promise = Promise { () -> Tracker.Tracked in
        withExtendedLifetime(object) { Tracker().make { expectation.fulfill() } }
      }
      .then { made in withExtendedLifetime((made, object)) { made } }
      .catch { _ in withExtendedLifetime(object) {} }
      .finally { withExtendedLifetime(object) {} }
      promise.onDeinit { expectation.fulfill() }
    }
  }

  func testUnrunClosureIsReleased() {
    var promise: Promise<Void>?
    wait(2) { expectation in
      let object = Tracker().make { expectation.fulfill() }
      promise = Promise { throw "no" }
        .then { withExtendedLifetime(object) {} }
        .catch(.main) { _ in expectation.fulfill() }
    }
    withExtendedLifetime(promise) {}
  }

  func testTaskIsReleasedWithItsPromise() {
    wait(2) { expectation in
      let promise = Promise<Int> { resolve, reject, asyncable in
        let object = Tracker().make { expectation.fulfill() }
        asyncable = Work { withExtendedLifetime(object) {} }
        DispatchQueue.main.async { resolve(1) }
      }
      promise.onDeinit { expectation.fulfill() }
    }
  }

  func testLongSuspendedChainIsReleased() {
    wait { expectation in
      var promise = Promise { 0 }
      promise.suspend()
      for _ in 0..<5_000 { promise = promise.then { $0 + 1 } }
      promise.onDeinit { expectation.fulfill() }
    }
  }

  func testPromiseThatWaitsForItselfIsRejected() throws {
    try XCTSkipIf(PromiseDiagnostics.level == .off, "The promise waits for itself through others.")
    var promise: Promise<Int>?
    promise = Promise { 1 }.then(.main) { value -> Promise<Int> in promise ?? Promise { value } }
    XCTAssertEqual(outcome(promise!), "error: The Promise cancelled.")
    promise = nil
  }
}
