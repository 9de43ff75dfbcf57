import Tomorrowland
import XCTest

/// Tomorrowland's interface to operations. The tests of OvermorrowFoundation cover their behaviour.
final class OperationTests: XCTestCase {
  private let queue = OperationQueue()

  func testBodiesCallbacksAndDelaysRunOnTheOperationQueue() {
    let isThere = { [queue] in OperationQueue.current === queue }
    let context = PromiseContext.operationQueue(queue)
    assertFulfilled(StdPromise<Bool>(on: context) { $0.fulfill(with: isThere()) }, true)
    assertFulfilled(Promise<Int, String>(fulfilled: 1).map(on: context) { _ in isThere() }, true)
    let (suspended, source) = (OperationQueue(), Source<String>(complying: true))
    defer { withExtendedLifetime(source) {} }
    suspended.isSuspended = true
    let delayed = Promise<Int, String>(fulfilled: 1).delay(on: .operationQueue(suspended), 0.001)
    let late = source.promise.timeout(on: .operationQueue(suspended), delay: 0.001)
    XCTAssertEqual(suspended.operationCount, 2)
    suspended.isSuspended = false
    assertFulfilled(delayed, 1)
    assertRejected(late, PromiseTimeoutError<String>.timedOut)
  }

  func testSwitchDistinguishesContexts() {
    let queue = OperationQueue()
    // From the guide.
    func name(_ context: PromiseContext) -> String {
      switch context {
      case .main: "main"
      case .operationQueue(queue): "the queue that we know"
      case .executor(let executor) where executor is OperationQueue: "another operation queue"
      default: "something else"
      }
    }
    XCTAssertEqual(name(.main), "main")
    XCTAssertEqual(name(.operationQueue(queue)), "the queue that we know")
    XCTAssertEqual(name(.operationQueue(OperationQueue())), "another operation queue")
    XCTAssertEqual(name(.nowOr(.operationQueue(queue))), "something else")
  }

  // MARK: PromiseOperation

  func testImmediateHandlerRunsOnTheOperationsQueue() {
    let operation = PromiseOperation<Bool, String>(on: .immediate) { [queue] resolver in
      resolver.fulfill(with: OperationQueue.current === queue)
    }
    queue.addOperation(operation)
    assertFulfilled(operation.promise, true)
  }

  func testNowOrHandlerRunsOnTheGivenContext() {
    let there = MarkedQueue()
    let operation = PromiseOperation<Bool, String>(on: .nowOr(there.context)) { resolver in
      resolver.fulfill(with: there.isCurrent)
    }
    let throwing = StdPromiseOperation<Bool>(on: .nowOr(there.context)) { resolver in
      guard there.isCurrent else { throw TestError(id: 1) }
      resolver.fulfill(with: true)
    }
    operation.start()
    throwing.start()
    assertFulfilled(operation.promise, true)
    assertFulfilled(throwing.promise, true)
  }

  func testRequestDuringAnImmediateHandlerReachesTheHandler() {
    let log = Recorder<String>()
    let running = Holder<PromiseOperation<Int, String>>()
    let operation = PromiseOperation<Int, String>(on: .immediate) { resolver in
      resolver.onRequestCancel(on: .immediate) { resolver in
        log.record("asked")
        resolver.cancel()
      }
      running.value?.cancel()
      log.record("\(resolver.hasRequestedCancel)")
      resolver.fulfill(with: 1)
    }
    running.value = operation
    operation.start()
    XCTAssertEqual(log.entries, ["asked", "true"])
    assertCancelled(operation.promise)
    running.value = nil
  }

  func testCancelHandlerKeepsAnOperationExecutingAfterItsHandlerEnded() {
    let operation = PromiseOperation<Int, String>(on: .immediate) { resolver in
      resolver.onRequestCancel(on: .immediate) { $0.fulfill(with: 7) }
    }
    operation.start()
    XCTAssertTrue(operation.isExecuting)
    operation.cancel()
    assertFulfilled(operation.promise, 7)
    XCTAssertTrue(operation.isFinished)
  }
}
