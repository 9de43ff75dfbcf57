import Tomorrowland
import XCTest

extension Promise.Resolver where Error == Swift.Error {
  func resolve(with value: Value?, _ error: Error?) {
    if let value = value { fulfill(with: value) } else if let error = error { reject(with: error) }
  }
}

private func load(completion: @escaping (String?, Error?) -> Void) {
  DispatchQueue.global().async { completion("loaded", nil) }
}

final class ResolverTests: XCTestCase {
  func testFirstCallWins() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.reject(with: "foo")
    resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .error("foo"))
  }

  func testOneOfManyThreadsWins() {
    for _ in 0..<50 {
      let (promise, resolver) = Promise<Int, String>.makeWithResolver()
      let calls = Log()
      promise.then(on: .immediate) { calls.add("\($0)") }
      DispatchQueue.concurrentPerform(iterations: 4) { resolver.fulfill(with: $0) }
      XCTAssertEqual(calls.events, ["\(promise.result?.value ?? -1)"])
    }
  }

  func testResolveWithResult() {
    for result: PromiseResult<Int, String> in [.value(1), .error("foo"), .cancelled] {
      let (promise, resolver) = Promise<Int, String>.makeWithResolver()
      resolver.resolve(with: result)
      XCTAssertEqual(promise.result, result)
    }
  }

  func testResolveWithResultOfCertainError() {
    let (promise, resolver) = StdPromise<Int>.makeWithResolver()
    resolver.resolve(with: PromiseResult<Int, TestError>.error(TestError(id: 1)))
    assertRejected(promise, TestError(id: 1))
  }

  func testResolveWithSwiftResult() {
    let (promise, resolver) = Promise<Int, TestError>.makeWithResolver()
    resolver.resolve(with: Result.failure(TestError(id: 2)))
    assertRejected(promise, TestError(id: 2))
  }

  func testResolveWithResolvedPromise() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.resolve(with: Promise(fulfilled: 5))
    XCTAssertEqual(promise.result, .value(5))
  }

  func testResolveWithPendingPromise() {
    let source = Source<String>()
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.resolve(with: source.promise)
    assertPending(promise)
    source.resolver.reject(with: "foo")
    XCTAssertEqual(promise.result, .error("foo"))
  }

  func testResolveWithPromiseIgnoresLaterCalls() {
    let source = Source<String>()
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.resolve(with: source.promise)
    resolver.fulfill(with: 1)
    assertPending(promise)
    source.resolver.fulfill(with: 2)
    XCTAssertEqual(promise.result, .value(2))
  }

  func testResolveWithItselfCancelsInsteadOfHanging() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.resolve(with: promise)
    assertCancelled(promise)
  }

  func testHandleCallbackValue() {
    let promise = StdPromise<Int>(on: .immediate) { $0.handleCallback()(1, nil) }
    assertFulfilled(promise, 1)
  }

  func testHandleCallbackError() {
    let promise = StdPromise<Int>(on: .immediate) { $0.handleCallback()(nil, TestError(id: 1)) }
    assertRejected(promise, TestError(id: 1))
  }

  func testHandleCallbackValueWinsOverError() {
    let promise = StdPromise<Int>(on: .immediate) { $0.handleCallback()(1, TestError()) }
    assertFulfilled(promise, 1)
  }

  func testHandleCallbackNeither() {
    let promise = StdPromise<Int>(on: .immediate) { $0.handleCallback()(nil, nil) }
    assertRejected(promise, PromiseCallbackError.apiMismatch)
  }

  func testHandleCallbackCancelError() {
    let promise = StdPromise<Int>(on: .immediate) { resolver in
      resolver.handleCallback(isCancelError: { $0 is OtherError })(nil, OtherError.other)
    }
    assertCancelled(promise)
  }

  func testHandleCallbackOtherErrorIsNoCancelError() {
    let promise = StdPromise<Int>(on: .immediate) { resolver in
      resolver.handleCallback(isCancelError: { $0 is OtherError })(nil, TestError(id: 4))
    }
    assertRejected(promise, TestError(id: 4))
  }

  func testHandleCallbackAsCompletionHandler() {
    assertFulfilled(StdPromise<String>(on: .immediate, { load(completion: $0.handleCallback()) }), "loaded")
  }

  func testExtensionsOfTheResolverSeeErrorAsItsFailure() {
    let promise = StdPromise<Int>(on: .immediate) { $0.resolve(with: nil, TestError(id: 6)) }
    assertRejected(promise, TestError(id: 6))
  }

  func testOnRequestCancelRunsWhenRequested() {
    let source = Source<String>()
    source.promise.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    XCTAssertEqual(source.promise.result, .cancelled)
  }

  func testOnRequestCancelRunsOnce() {
    let source = Source<String>(cancels: false)
    source.promise.requestCancel()
    source.promise.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    assertPending(source.promise)
  }

  func testOnRequestCancelAfterTheRequest() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    promise.requestCancel()
    resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testOnRequestCancelOnQueue() {
    let queue = TestQueue()
    let (promise, resolver) = Promise<Bool, String>.makeWithResolver()
    resolver.onRequestCancel(on: queue.context) { $0.fulfill(with: queue.isCurrent) }
    promise.requestCancel()
    assertFulfilled(promise, true)
  }

  func testOnRequestCancelHandlersRunInOrder() {
    let log = Log()
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    for name in ["a", "b", "c"] { resolver.onRequestCancel(on: .immediate) { _ in log.add(name) } }
    promise.requestCancel()
    XCTAssertEqual(log.events, ["a", "b", "c"])
  }

  func testOnRequestCancelIsNotRunOnceResolved() {
    let source = Source<String>()
    source.resolver.fulfill(with: 1)
    source.promise.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testOnRequestCancelMayStillFulfil() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { $0.fulfill(with: 9) }
    promise.requestCancel()
    XCTAssertEqual(promise.result, .value(9))
  }

  func testOnRequestCancelHandlerIsReleasedOnResolve() {
    let log = Log()
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    var witness: Witness? = Witness { log.add("gone") }
    resolver.onRequestCancel(on: .immediate) { [witness] _ in witness?.use() }
    witness = nil
    XCTAssertEqual(log.count, 0)
    resolver.fulfill(with: 1)
    XCTAssertEqual(log.count, 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testHasRequestedCancel() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    XCTAssertFalse(resolver.hasRequestedCancel)
    promise.requestCancel()
    XCTAssertTrue(resolver.hasRequestedCancel)
    resolver.fulfill(with: 1)
    XCTAssertFalse(resolver.hasRequestedCancel)
  }

  func testHasRequestedCancelWhenCancelled() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.cancel()
    XCTAssertTrue(resolver.hasRequestedCancel)
    XCTAssertEqual(promise.result, .cancelled)
  }
}
