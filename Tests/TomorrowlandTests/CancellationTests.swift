import Tomorrowland
import XCTest

/// Requests to cancel: the handlers of resolvers and of shared promises. What operators do with requests is in `OperatorTests`.
final class CancellationTests: XCTestCase {
  func testOnRequestCancelRunsOnItsContextWithTheResolver() {
    let queue = TestQueue()
    let (promise, resolver) = Promise<Bool, String>.makeWithResolver()
    resolver.onRequestCancel(on: queue.context) { $0.fulfill(with: queue.isCurrent) }
    promise.requestCancel()
    assertFulfilled(promise, true)
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

  func testPropagatingCancellationCallsBackBeforeItPropagates() {
    let (queue, log, source) = (TestQueue(), Log(), Source<String>(cancels: false))
    source.resolver.onRequestCancel(on: .immediate) { resolver in
      log.add("propagated")
      resolver.cancel()
    }
    let promise = source.take().propagatingCancellation(on: queue.context) { _ in
      log.add(queue.isCurrent ? "called on the queue" : "called elsewhere")
    }
    promise.makeChild().requestCancel()
    assertCancelled(promise)
    XCTAssertEqual(log.events, ["called on the queue", "propagated"])
    XCTAssertEqual(source.requests.count, 1)
  }
}
