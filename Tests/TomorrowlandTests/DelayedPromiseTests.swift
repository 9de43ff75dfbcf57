import Tomorrowland
import XCTest

final class DelayedPromiseTests: XCTestCase {
  func testItDoesNothingUntilAskedAndRunsOnce() {
    let log = Log()
    let delayed = DelayedPromise<Int, String>(on: .immediate) { resolver in
      log.add()
      resolver.fulfill(with: 42)
    }
    let copy = delayed
    XCTAssertEqual(log.count, 0)
    XCTAssertEqual(delayed.promise.result, .value(42))
    XCTAssertEqual(copy, delayed)
    XCTAssertEqual(copy.promise, delayed.promise)
    XCTAssertEqual(log.count, 1)
  }

  func testItRunsOnItsContextWhichNowOrMeansToo() {
    let queue = TestQueue()
    for context in [queue.context, .nowOr(queue.context)] {
      let delayed = DelayedPromise<Bool, String>(on: context) { $0.fulfill(with: queue.isCurrent) }
      XCTAssertEqual(result(of: delayed.promise), .value(true), "\(context)")
    }
  }

  func testStdDelayedPromise() {
    let delayed = StdDelayedPromise<Int>(on: .utility) { $0.reject(with: TestError(id: 1)) }
    assertRejected(delayed.promise, TestError(id: 1))
  }

  func testResolverAlias() {
    let body: (DelayedPromise<Int, String>.Resolver) -> Void = { $0.cancel() }
    assertCancelled(DelayedPromise(on: .immediate) { body($0) }.promise)
  }
}
