import Overmorrow
import PromiseQ
import XCTest

private typealias Promise = PromiseQ.Promise

/// Conversions between promises of this module and Overmorrow's promises.
final class OvermorrowConversionTests: PromiseTestCase {
  private typealias Core = Overmorrow.Promise<Int, any Error>

  func testPromiseConvertsToOvermorrow() throws {
    XCTAssertEqual(try Promise { 1 }.overmorrow.wait(), 1)
    XCTAssertThrowsError(try Promise<Int> { throw "no" }.overmorrow.wait()) { XCTAssertEqual($0 as? String, "no") }
    let promise = Promise { 1 }
    promise.cancel()
    XCTAssertEqual(try promise.overmorrow.waitForResult().isCancelled, true)
  }

  func testRequestToCancelCancelsTheChain() {
    wait { expectation in
      let promise = Promise { XCTFail("It runs although it is cancelled.") }
      promise.catch { error in
        XCTAssertEqual(error.localizedDescription, "The Promise cancelled.")
        expectation.fulfill()
      }
      promise.overmorrow.requestCancel()
    }
  }

  func testPromiseConvertsFromOvermorrow() {
    XCTAssertEqual(outcome(Promise(Core(fulfilled: 1)).then { $0 + 1 }), "2")
    XCTAssertEqual(outcome(Promise(Core(rejected: "no"))), "error: no")
    XCTAssertEqual(outcome(Promise(Core(with: .cancelled))), "error: The Promise cancelled.")
  }

  func testCancelRequestsCancellationOfTheOvermorrowPromise() {
    let (promise, resolver) = { () -> (PromiseQ.Promise<Int>, Core.Resolver) in
      let (core, resolver) = Core.makeWithResolver()
      return (Promise(core), resolver)
    }()
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    XCTAssertTrue(resolver.hasRequestedCancel)
  }

  func testSuspendedChainFromOvermorrowWaitsBeforeItsNextStep() {
    let (core, resolver) = Core.makeWithResolver()
    let promise = Promise(core)
    let end = promise.then { value -> Int in
      self.log.record("then")
      return value + 1
    }
    promise.suspend()
    resolver.fulfill(with: 3)
    finishOtherWork()
    XCTAssertEqual(log.entries, [])
    end.resume()
    XCTAssertEqual(outcome(end), "4")
  }
}
