import Overmorrow
import OvermorrowTesting
import PromiseKit
import XCTest

private typealias Promise = PromiseKit.Promise
private typealias CorePromise = Overmorrow.Promise<Int, any Error>

/// Old code used together with the core.
final class CoreTests: PromiseKitTestCase {
  func testPromiseConvertsToTheCoreAndBack() throws {
    let core: CorePromise = Promise.value(1).core
    XCTAssertEqual(core.result?.value, 1)
    XCTAssertEqual(Promise(core).value, 1)
    XCTAssertEqual(Promise(Promise<Int>(error: Trouble.first).core).error as? Trouble, .first)
    XCTAssertTrue(Promise<Int>(error: PMKError.cancelled).core.result?.isCancelled == true)
  }

  func testCoreRequestRejectsWithTheCancelledError() throws {
    let (promise, seal) = Promise<Int>.pending()
    let chain = { promise.map(on: nil) { $0 + 1 } }()
    promise.core.requestCancel()
    guard case PMKError.cancelled? = promise.error else { return XCTFail("the promise is not cancelled") }
    XCTAssertTrue(chain.error?.isCancelled == true)
    seal.fulfill(1)
  }

  func testRequestReachesTheWorkThroughAChain() {
    func start() -> (Promise<Int>, CorePromise.Resolver) {
      let (work, resolver) = CorePromise.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { $0.cancel() }
      return (Promise(work).map(on: nil) { $0 }.then(on: nil) { Promise.value($0) }, resolver)
    }
    let (chain, resolver) = start()
    chain.core.requestCancel()
    XCTAssertTrue(resolver.hasRequestedCancel)
    guard case PMKError.cancelled? = chain.error else { return XCTFail("the chain is not cancelled") }
  }

  func testCancelledErrorCancelsTheCorePromise() {
    let (promise, seal) = Promise<Int>.pending()
    let core = promise.core
    seal.reject(PMKError.cancelled)
    XCTAssertTrue(core.result?.isCancelled == true)
    let (work, resolver) = CorePromise.makeWithResolver()
    let old = Promise(work)
    resolver.cancel()
    XCTAssertTrue(old.error?.isCancelled == true)
  }

  func testResultWinsOverALaterRequest() {
    let (promise, seal) = Promise<Int>.pending()
    let core = promise.core
    seal.fulfill(1)
    core.requestCancel()
    XCTAssertEqual(promise.value, 1)
    XCTAssertEqual(core.result?.value, 1)
  }

  func testManualContextDrivesOldCode() {
    let manual = ManualContext()
    let promise = Promise.value(1).core.map(on: manual.context) { $0 + 1 }
    let old = Promise(promise).map(on: nil) { $0 + 1 }
    expectPending(old.core)
    manual.runAll()
    XCTAssertEqual(old.value, 3)
    XCTAssertEqual(expectFulfilled(old.core), 3)
    XCTAssertTrue(expectRejected(Promise<Int>(error: Trouble.first).core) as? Trouble == .first)
    expectCancelled(Promise<Int>(error: PMKError.cancelled).core)
  }

  func testCoreDiagnosticsFindUnhandledErrors() {
    conf.Q = (nil, nil)
    conf.logHandler = { _ in }
    func diagnostics(_ body: () -> Void) -> Int { PromiseDiagnostics.checking(body).diagnostics.count }
    XCTAssertEqual(diagnostics { _ = Promise<Int>(error: Trouble.first).map { $0 } }, 1)
    XCTAssertEqual(diagnostics { Promise<Int>(error: Trouble.first).map { $0 }.catch { _ in } }, 0)
    XCTAssertEqual(diagnostics { _ = (Promise<Int> { _ in }, Guarantee<Int> { _ in }) }, 0)
  }
}
