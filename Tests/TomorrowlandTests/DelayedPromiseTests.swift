import Tomorrowland
import XCTest

final class DelayedPromiseTests: XCTestCase {
  func testItDoesNothingUntilAsked() {
    let log = Log()
    let delayed = DelayedPromise<Int, String>(on: .immediate) { resolver in
      log.add()
      resolver.fulfill(with: 42)
    }
    XCTAssertEqual(log.count, 0)
    XCTAssertEqual(delayed.promise.result, .value(42))
    XCTAssertEqual(log.count, 1)
  }

  func testItRunsOnce() {
    let log = Log()
    let delayed = DelayedPromise<Int, String>(on: .immediate) { resolver in
      log.add()
      resolver.fulfill(with: 42)
    }
    XCTAssertEqual(delayed.promise, delayed.promise)
    let copy = delayed
    XCTAssertEqual(copy.promise, delayed.promise)
    XCTAssertEqual(log.count, 1)
  }

  func testItRunsOnItsContext() {
    let queue = TestQueue()
    let delayed = DelayedPromise<Bool, String>(on: queue.context) { $0.fulfill(with: queue.isCurrent) }
    assertFulfilled(delayed.promise, true)
  }

  func testNowOrMeansItsContext() {
    let queue = TestQueue()
    let delayed = DelayedPromise<Bool, String>(on: .nowOr(queue.context)) { $0.fulfill(with: queue.isCurrent) }
    assertFulfilled(delayed.promise, true)
  }

  func testStdDelayedPromise() {
    let delayed = StdDelayedPromise<Int>(on: .utility) { $0.reject(with: TestError(id: 1)) }
    assertRejected(delayed.promise, TestError(id: 1))
  }

  func testResolverAlias() {
    let body: (DelayedPromise<Int, String>.Resolver) -> Void = { $0.cancel() }
    assertCancelled(DelayedPromise(on: .immediate) { body($0) }.promise)
  }

  func testItMayAskForItself() {
    let delayed = Box<DelayedPromise<Int, String>?>(nil)
    delayed.value = DelayedPromise(on: .immediate) { resolver in
      XCTAssertNil(delayed.value?.promise.result)
      resolver.fulfill(with: 1)
    }
    XCTAssertEqual(delayed.value?.promise.result, .value(1))
  }

  func testCancelling() {
    let log = Log()
    let (kept, resolver) = Promise<Int, String>.makeWithResolver()
    let delayed = DelayedPromise<Int, String>(on: .immediate) { inner in
      inner.onRequestCancel(on: .immediate) { _ in log.add() }
      inner.resolve(with: kept)
    }
    delayed.promise.requestCancel()
    resolver.cancel()
    assertCancelled(delayed.promise)
  }

  func testEqualByIdentity() {
    let delayed = DelayedPromise<Int, String>(on: .immediate) { $0.fulfill(with: 1) }
    let copy = delayed
    XCTAssertEqual(copy, delayed)
    XCTAssertNotEqual(delayed, DelayedPromise<Int, String>(on: .immediate) { $0.fulfill(with: 1) })
  }
}
