import Tomorrowland
import XCTest

final class PromiseCreatingTests: XCTestCase {
  func testBodyOnImmediateRunsBeforeInitReturns() {
    let log = Log()
    let promise = Promise<Int, String>(on: .immediate) { resolver in
      log.add("body")
      resolver.fulfill(with: 1)
    }
    log.add("after")
    XCTAssertEqual(log.events, ["body", "after"])
    XCTAssertEqual(promise.result, .value(1))
  }

  func testBodyOnUtility() {
    assertFulfilled(Promise<Int, String>(on: .utility, { (resolver) in resolver.fulfill(with: 42) }), 42)
  }

  func testBodyOnUtilityIsNotOnMain() {
    assertFulfilled(Promise<Bool, String>(on: .utility, { $0.fulfill(with: Thread.isMainThread) }), false)
  }

  func testBodyOnMain() {
    let promise = Promise<Bool, String>(on: .main, { $0.fulfill(with: Thread.isMainThread) })
    assertPending(promise)
    assertFulfilled(promise, true)
  }

  func testBodyOnQueue() {
    let queue = TestQueue()
    assertFulfilled(Promise<Bool, String>(on: queue.context, { $0.fulfill(with: queue.isCurrent) }), true)
  }

  func testBodyRejects() {
    assertRejected(Promise<Int, String>(on: .utility, { $0.reject(with: "error") }), "error")
  }

  func testBodyCancels() {
    assertCancelled(Promise<Int, String>(on: .utility, { $0.cancel() }))
  }

  func testBodyThrows() {
    assertRejected(StdPromise<Int>(on: .utility, { _ in throw TestError(id: 3) }), TestError(id: 3))
  }

  func testBodyOfErrorPromiseThatDoesNotThrow() {
    assertFulfilled(Promise<Int, Error>(on: .immediate, { $0.fulfill(with: 1) }), 1)
  }

  func testThrowingAfterFulfillingDoesNothing() {
    let promise = StdPromise<Int>(on: .immediate) { resolver in
      resolver.fulfill(with: 1)
      throw TestError()
    }
    assertFulfilled(promise, 1)
  }

  func testDroppingTheResolverCancels() {
    assertCancelled(Promise<Int, String>(on: .immediate, { _ in }))
  }

  func testDroppingTheLastOfSeveralResolversCancels() {
    var (promise, resolver): (Promise<Int, String>, Promise<Int, String>.Resolver?) = Promise.makeWithResolver()
    let copy = Box(resolver)
    resolver = nil
    assertPending(promise)
    copy.value = nil
    XCTAssertEqual(promise.result, .cancelled)
    promise = Promise(fulfilled: 1)
  }

  func testFulfilled() {
    XCTAssertEqual(Promise<Int, String>(fulfilled: 42).result, .value(42))
  }

  func testRejected() {
    XCTAssertEqual(Promise<Int, String>(rejected: "foo").result, .error("foo"))
  }

  func testWithResult() {
    XCTAssertEqual(Promise<Int, String>(with: .value(1)).result, .value(1))
    XCTAssertEqual(Promise<Int, String>(with: .error("foo")).result, .error("foo"))
    XCTAssertEqual(Promise<Int, String>(with: .cancelled).result, .cancelled)
  }

  func testWithSwiftResult() {
    XCTAssertEqual(Promise<Int, TestError>(with: Result.success(1)).result, .value(1))
    XCTAssertEqual(Promise<Int, TestError>(with: Result.failure(TestError(id: 2))).result, .error(TestError(id: 2)))
  }

  func testStdPromiseFulfilledInfersItsValue() {
    let promise = StdPromise(fulfilled: "some value")
    assertFulfilled(promise, "some value")
  }

  func testMakeWithResolver() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    assertPending(promise)
    resolver.fulfill(with: 7)
    XCTAssertEqual(promise.result, .value(7))
  }

  func testErrorNeedNotBeAnError() {
    let promise = Promise<Int, Int>(rejected: 404)
    assertRejected(promise.mapError(on: .immediate, { $0 + 1 }), 405)
  }

  func testNoErrorPromise() {
    let promise: Promise<Int, NoError> = Promise(fulfilled: 3)
    XCTAssertEqual(promise.result?.value, 3)
  }

  func testPromisesAreEqualByIdentity() {
    let promise = Promise<Int, String>(fulfilled: 1)
    let copy = promise
    XCTAssertEqual(promise, copy)
    XCTAssertNotEqual(promise, Promise(fulfilled: 1))
  }

  func testResultNeverChanges() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.fulfill(with: 1)
    resolver.reject(with: "foo")
    resolver.cancel()
    promise.requestCancel()
    XCTAssertEqual(promise.result, .value(1))
  }

  func testNonSendableClassAsValue() {
    let log = Log()
    let promise = Promise<Log, Error>(on: .utility) { resolver in
      log.add("body")
      resolver.fulfill(with: log)
    }
    XCTAssertTrue(result(of: promise)?.value === log)
    XCTAssertEqual(log.events, ["body"])
  }

  func testClosureAsValue() {
    let promise = Promise<() -> Int, Error>(fulfilled: { 12 })
    assertFulfilled(promise.map(on: .utility, { $0() }), 12)
  }

  func testBodyIsReleasedAfterItRan() {
    let log = Log()
    var witness: Witness? = Witness { log.add("gone") }
    let (kept, resolver) = Promise<Int, String>.makeWithResolver()
    let promise = Promise<Int, String>(on: .immediate) { [witness] inner in
      witness?.use()
      inner.resolve(with: kept)
    }
    witness = nil
    XCTAssertEqual(log.count, 1)
    resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testErrorAliasNamesTheFailure() {
    func failure<V, E>(_ promise: Promise<V, E>) -> Promise<V, E>.Error? { promise.result?.error }
    XCTAssertEqual(failure(Promise<Int, String>(rejected: "foo")), "foo")
    XCTAssertEqual(Promise<Int, TestError>(rejected: TestError(id: 8)).idOfError, 8)
    XCTAssertTrue(StdPromise(fulfilled: 1).isStd)
  }
}

// Extensions as they were written against Tomorrowland, whose second parameter is called `Error`.
extension Promise where Error == TestError {
  var idOfError: Int? { result?.error?.id }
}

extension Promise where Error == Swift.Error {
  var isStd: Bool { true }
}
