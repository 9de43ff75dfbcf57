import Tomorrowland
import XCTest

final class DelayedPromiseTests: XCTestCase {
  func testDelayedPromiseRunsItsBodyOnceOnFirstRead() {
    let runs = Counter()
    let delayed = DelayedPromise<Int, String>(on: .immediate) { resolver in
      runs.increment()
      resolver.fulfill(with: 42)
    }
    let copy = delayed
    XCTAssertEqual(runs.count, 0)
    XCTAssertEqual(delayed.promise.result, .value(42))
    XCTAssertEqual(copy, delayed)
    XCTAssertEqual(copy.promise, delayed.promise)
    XCTAssertEqual(runs.count, 1)
  }

  func testBodyRunsOnItsContextEvenWithNowOr() {
    let queue = MarkedQueue()
    for context in [queue.context, .nowOr(queue.context)] {
      let delayed = DelayedPromise<Bool, String>(on: context) { $0.fulfill(with: queue.isCurrent) }
      XCTAssertEqual(result(of: delayed.promise), .value(true), "\(context)")
    }
  }

  func testResolverAliasNamesTheResolverType() {
    let body: (DelayedPromise<Int, String>.Resolver) -> Void = { $0.cancel() }
    assertCancelled(DelayedPromise(on: .immediate) { body($0) }.promise)
  }
}
