import Tomorrowland
import XCTest

extension Promise.Resolver where Error == Swift.Error {
  func resolve(with value: Value?, _ error: Error?) {
    if let value = value { fulfill(with: value) } else if let error = error { reject(with: error) }
  }
}

final class ResolverTests: XCTestCase {
  func testCancelHandlerRunsOnItsContextWithTheResolver() {
    let queue = MarkedQueue()
    let (promise, resolver) = Promise<Bool, String>.makeWithResolver()
    resolver.onRequestCancel(on: queue.context) { $0.fulfill(with: queue.isCurrent) }
    promise.requestCancel()
    assertFulfilled(promise, true)
  }

  func testCancelHandlerKeepsThePromisePendingAfterItsBodyEnded() {
    let ran = Counter()
    let bodies: [@Sendable (Promise<Int, String>.Resolver) -> Void] = [
      { resolver in
        resolver.onRequestCancel(on: .immediate) { resolver in
          ran.increment()
          resolver.fulfill(with: 7)
        }
      },
      { resolver in
        for number in 7...9 { resolver.onRequestCancel(on: .immediate) { $0.fulfill(with: number) } }
        ran.increment()
      },
    ]
    for body in bodies {
      let promises = [
        Promise(on: .immediate, body), DelayedPromise(on: .immediate, body).promise,
        Promise<Int, String>(fulfilled: 0).flatMap(on: .immediate) { _ in Promise(on: .immediate, body) },
      ]
      for promise in promises.prefix(2) {
        XCTAssertNil(promise.result)
        promise.requestCancel()
        XCTAssertEqual(promise.result, .value(7))
      }
      // The operator has released the only copy of the promise that its closure has returned.
      XCTAssertEqual(promises[2].result, .cancelled)
    }
    XCTAssertEqual(ran.count, 5)
  }

  func testEveryCancelHandlerRunsOnItsQueueWhoeverAsks() {
    let queue = MarkedQueue()
    for round in 0..<300 {
      let (running, ran) = (DispatchGroup(), Counter())
      for _ in 0..<3 { running.enter() }
      let promise = Promise<Int, String>(on: .immediate) { resolver in
        for _ in 0..<3 {
          resolver.onRequestCancel(on: queue.context) { resolver in
            if queue.isCurrent { ran.increment() }
            resolver.cancel()
            running.leave()
          }
        }
      }
      DispatchQueue.global().async { promise.requestCancel() }
      guard running.wait(timeout: .now() + 20) == .success else {
        return XCTFail("\(ran.count) of 3 handlers have run in round \(round)")
      }
      XCTAssertEqual(ran.count, 3, "round \(round)")
      assertCancelled(promise)
    }
  }

  func testLastCopyOfThePromiseCancelsItAndReleasesItsHandlers() {
    let (tracker, log) = (Tracker(), Recorder<String>())
    var promise: Promise<Int, String>? = Promise(on: .immediate) { resolver in
      resolver.onRequestCancel(on: .immediate, tracker.callback { _ in log.record("asked") })
      resolver.onRequestCancel(on: .main, tracker.callback { _ in log.record("asked") })
    }
    promise?.always(on: .immediate, tracker.callback { log.record(text($0)) })
    let child = promise!.map(on: .immediate) { $0 }
    let cancellable = promise!.cancellable
    XCTAssertEqual(tracker.count, 3)
    XCTAssertEqual(log.entries, [])
    promise = nil
    cancellable.requestCancel()
    XCTAssertEqual(log.entries, ["cancelled"])
    XCTAssertEqual(tracker.count, 0)
    XCTAssertEqual(child.result, .cancelled)
  }

  func testCancelHandlerIsReleasedOnResolution() {
    let tracker = Tracker()
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.onRequestCancel(on: .immediate, tracker.callback())
    XCTAssertEqual(tracker.count, 1)
    resolver.fulfill(with: 1)
    XCTAssertEqual(tracker.count, 0)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testResolveAcceptsEachKindOfResult() {
    let ways: [(StdPromise<Int>.Resolver) -> Void] = [
      { $0.resolve(with: PromiseResult<Int, Error>.error(TestError(id: 1))) },
      { $0.resolve(with: PromiseResult<Int, TestError>.error(TestError(id: 1))) },
      { $0.resolve(with: Result<Int, Error>.failure(TestError(id: 1))) },
      { $0.resolve(with: StdPromise<Int>(rejected: TestError(id: 1))) },
      { $0.resolve(with: nil, TestError(id: 1)) },
    ]
    for resolve in ways { assertRejected(StdPromise<Int>(on: .immediate, { resolve($0) }), TestError(id: 1)) }
  }

  func testHandleCallbackDistinguishesValueErrorAndCancellation() {
    let (other, test) = (OtherError.other, TestError(id: 4))
    let calls: [(value: Int?, error: Error?, ends: String)] = [
      (1, nil, "1"), (nil, test, "error TestError(id: 4)"), (1, test, "1"), (nil, nil, "error apiMismatch"),
      (nil, other, "cancelled"), (1, other, "1"),
    ]
    for (value, error, ends) in calls {
      let promise = StdPromise<Int>(on: .immediate) { resolver in
        resolver.handleCallback(isCancelError: { $0 is OtherError })(value, error)
      }
      XCTAssertEqual(text(promise.result), ends, "\((value, error))")
    }
    assertRejected(StdPromise<Int>(on: .immediate) { $0.handleCallback()(nil, other) }, other)
  }
}
