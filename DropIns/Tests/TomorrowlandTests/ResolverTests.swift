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
