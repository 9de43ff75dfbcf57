import Tomorrowland
import XCTest

/// Delays and timeouts.
final class UtilitiesTests: XCTestCase {
  private let source = Source<String>()

  func testFulfilledAfter() {
    let promise = Promise<Int, String>(fulfilled: 42, after: 0.01)
    assertPending(promise)
    assertFulfilled(promise, 42)
  }

  func testRejectedAfter() {
    let promise = Promise<Int, String>(on: .utility, rejected: "foo", after: 0.01)
    assertPending(promise)
    assertRejected(promise, "foo")
  }

  func testWithResultAfter() {
    assertFulfilled(Promise<Int, String>(on: .immediate, with: .value(1), after: 0.01), 1)
    assertCancelled(Promise<Int, String>(with: .cancelled, after: 0.01))
  }

  func testFulfilledAfterWaitsThatLong() {
    let start = DispatchTime.now()
    assertFulfilled(Promise<Int, String>(on: .immediate, fulfilled: 1, after: 0.05), 1)
    XCTAssertGreaterThanOrEqual(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds, 50_000_000)
  }

  func testFulfilledAfterCancelsAtOnce() {
    let promise = Promise<Int, String>(on: .immediate, fulfilled: 1, after: 1000)
    promise.requestCancel()
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testDelay() {
    let promise = Promise<Int, String>(fulfilled: 1).delay(on: .utility, 0.01)
    assertPending(promise)
    assertFulfilled(promise, 1)
  }

  func testDelayOfAnError() {
    assertRejected(Promise<Int, String>(rejected: "foo").delay(0.01), "foo")
  }

  func testDelayOfACancellationThatNobodyAskedFor() {
    let promise = source.promise.delay(on: .immediate, 0.01)
    source.resolver.cancel()
    assertPending(promise)
    assertCancelled(promise)
  }

  func testDelayStartsWhenThePromiseResolves() {
    let promise = source.promise.delay(on: .immediate, 0.01)
    assertFulfilled(Promise<Int, String>(on: .immediate, fulfilled: 2, after: 0.05), 2)
    assertPending(promise)
    source.resolver.fulfill(with: 1)
    assertPending(promise)
    assertFulfilled(promise, 1)
  }

  func testImmediateIsAutoForWhatIsDelayed() {
    let promises = [
      source.promise.delay(on: .immediate, 0.001), source.promise.delay(on: .nowOr(.immediate), 0.001),
      Promise(on: .immediate, fulfilled: 1, after: 0.001), Promise(on: .immediate, rejected: "foo", after: 0.001),
      Promise(on: .immediate, with: .cancelled, after: 0.001),
    ].map { promise in
      promise.mapResult(on: .immediate) { _ in PromiseResult<Bool, String>.value(Thread.isMainThread) }
    }
    onAnotherThread { [source] in source.resolver.fulfill(with: 1) }
    for promise in promises { assertFulfilled(promise, true) }
    onAnotherThread {
      for promise in [
        Promise<Int, String>(fulfilled: 1).delay(on: .immediate, 0.001),
        Promise(on: .immediate, fulfilled: 1, after: 0.001),
      ] {
        self.assertFulfilled(promise.map(on: .immediate) { _ in Thread.isMainThread }, false)
      }
    }
  }

  func testDelayPassesARequestedCancellationAtOnce() {
    let promise = source.take().delay(on: .immediate, 1000)
    promise.requestCancel()
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testTimeoutThatIsNotReached() {
    let promise = source.promise.timeout(on: .immediate, delay: 1000)
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testTimeoutOfAnErrorInTime() {
    let promise = source.promise.timeout(on: .immediate, delay: 1000)
    source.resolver.reject(with: "foo")
    XCTAssertEqual(promise.result, .error(.rejected("foo")))
  }

  func testTimeoutOfACancellationInTime() {
    let promise = source.promise.timeout(on: .immediate, delay: 1000)
    source.resolver.cancel()
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testTimeoutThatIsReached() {
    assertRejected(source.promise.timeout(delay: 0.01), .timedOut)
  }

  func testTimeoutOfAnErrorPromise() {
    let source = Source<Error>()
    let promise: StdPromise<Int> = source.promise.timeout(delay: 0.01)
    result(of: promise)
    guard case PromiseTimeoutError<Error>.timedOut? = promise.result?.error as? PromiseTimeoutError<Error> else {
      return XCTFail("\(promise)")
    }
  }

  func testTimeoutOfAnErrorPromiseKeepsItsError() {
    let promise: StdPromise<Int> = StdPromise<Int>(rejected: TestError(id: 1)).timeout(delay: 1000)
    assertRejected(promise, TestError(id: 1))
  }

  func testTimeoutAsksToCancel() {
    assertRejected(source.take().timeout(on: .utility, delay: 0.01), .timedOut)
    XCTAssertEqual(source.requests.count, 1)
  }

  func testTimeoutDoesNotCancelAHeldPromise() {
    assertRejected(source.promise.timeout(on: .utility, delay: 0.01), .timedOut)
    XCTAssertEqual(source.requests.count, 0)
  }

  func testTimeoutOfZeroIsSynchronous() {
    XCTAssertEqual(source.promise.timeout(delay: 0).result, .error(.timedOut))
    XCTAssertEqual(source.promise.timeout(on: .immediate, delay: -1).result, .error(.timedOut))
  }

  func testTimeoutOfZeroIsDecidedOnItsContext() {
    let (queue, source) = (TestQueue(), Source<String>())
    queue.queue.suspend()
    let promise = source.promise.timeout(on: queue.context, delay: 0)
    // By then a timer of no length has fired.
    assertFulfilled(Promise<Int, String>(on: .default, fulfilled: 2, after: 0.001), 2)
    source.resolver.fulfill(with: 1)
    assertPending(promise)
    queue.queue.resume()
    assertFulfilled(promise, 1)
  }

  func testTimeoutOfZeroOfAResolvedPromise() {
    XCTAssertEqual(Promise<Int, String>(fulfilled: 1).timeout(delay: 0).result, .value(1))
  }

  func testTimeoutOfAResolvedPromiseIsResolvedAtOnce() {
    XCTAssertEqual(Promise<Int, String>(fulfilled: 1).timeout(delay: 1000).result, .value(1))
  }

  func testTimeoutRunsOnItsContext() {
    let queue = TestQueue()
    let promise = source.promise.timeout(on: queue.context, delay: 0.01).mapResult(on: .immediate) { _ in
      PromiseResult<Bool, String>.value(queue.isCurrent)
    }
    assertFulfilled(promise, true)
  }

  func testOddIntervals() {
    assertFulfilled(Promise<Int, String>(on: .immediate, fulfilled: 1, after: .nan), 1)
    assertFulfilled(Promise<Int, String>(on: .immediate, fulfilled: 1, after: -.infinity), 1)
    let promise = Promise<Int, String>(on: .immediate, fulfilled: 1, after: .infinity)
    promise.requestCancel()
    assertCancelled(promise)
  }

  func testTimeoutErrorsAreEqualAndHashable() {
    XCTAssertEqual(PromiseTimeoutError<String>.rejected("foo"), .rejected("foo"))
    XCTAssertNotEqual(PromiseTimeoutError<String>.rejected("foo"), .timedOut)
    XCTAssertEqual(Set([PromiseTimeoutError<String>.timedOut, .timedOut, .rejected("foo")]).count, 2)
  }

  func testTimeoutErrorAsNSError() {
    let timedOut = PromiseTimeoutError<String>.timedOut.errorUserInfo
    XCTAssertEqual(timedOut[NSLocalizedDescriptionKey] as? String, "The operation timed out.")
    let rejected = PromiseTimeoutError<Error>.rejected(TestError(id: 1)).errorUserInfo
    XCTAssertEqual(rejected[NSUnderlyingErrorKey] as? TestError, TestError(id: 1))
    let stringly = PromiseTimeoutError<String>.rejected("foo").errorUserInfo
    XCTAssertEqual(stringly[NSLocalizedDescriptionKey] as? String, "foo")
    XCTAssertEqual((PromiseTimeoutError<String>.timedOut as Error).localizedDescription, "The operation timed out.")
  }

  func testDeprecatedInitialisers() {
    let names: OldNames = Deprecated()
    XCTAssertEqual(names.promise(result: .error("foo")).result, .error("foo"))
    assertFulfilled(names.promise(result: .value(1), after: 0.01), 1)
    let promise = names.promise(on: .immediate, result: .value(1), after: 1000)
    promise.requestCancel()
    assertCancelled(promise)
  }
}
