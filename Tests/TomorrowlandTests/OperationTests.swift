import Foundation
import Tomorrowland
import XCTest

final class OperationTests: XCTestCase {
  private func queue(suspended: Bool = false) -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = suspended
    return queue
  }

  // MARK: The context

  func testACallbackRunsOnTheOperationQueue() {
    let (queue, log) = (queue(), Log())
    let promise = Promise<Int, String>(fulfilled: 1)
      .then(on: .operationQueue(queue)) { log.add(OperationQueue.current === queue ? "\($0) there" : "elsewhere") }
    assertFulfilled(promise, 1)
    XCTAssertEqual(log.events, ["1 there"])
  }

  func testABodyRunsOnTheOperationQueue() {
    let queue = queue()
    let promise = StdPromise<Bool>(on: .operationQueue(queue)) { $0.fulfill(with: OperationQueue.current === queue) }
    assertFulfilled(promise, true)
  }

  func testADelayIsOnTheQueueFromTheStart() {
    let queue = queue(suspended: true)
    let promise = Promise<Int, String>(fulfilled: 1).delay(on: .operationQueue(queue), 0.001)
    XCTAssertEqual(queue.operationCount, 1)
    queue.isSuspended = false
    assertFulfilled(promise, 1)
  }

  func testADelayIsOnTheQueueBeforeThereIsAResult() {
    let (queue, source, log) = (queue(suspended: true), Source<String>(), Log())
    let promise = source.promise.delay(on: .operationQueue(queue), 0)
    promise.then(on: .immediate) { _ in log.add("delayed") }
    XCTAssertEqual(queue.operations.map(\.isReady), [false])
    let ready = expectation(
      for: NSPredicate { operation, _ in (operation as! Operation).isReady }, evaluatedWith: queue.operations[0])
    let last = BlockOperation { log.add("enqueued later") }
    queue.addOperation(last)
    source.resolver.fulfill(with: 1)
    wait(for: [ready], timeout: 20)
    queue.isSuspended = false
    last.waitUntilFinished()
    XCTAssertEqual(log.events, ["delayed", "enqueued later"])
  }

  func testATimeoutIsOnTheQueueFromTheStart() {
    let (queue, source) = (queue(suspended: true), Source<String>())
    let promise = source.promise.timeout(on: .operationQueue(queue), delay: 0.001)
    XCTAssertEqual(queue.operationCount, 1)
    queue.isSuspended = false
    guard case .error(.timedOut)? = result(of: promise) else { return XCTFail("\(promise) has not timed out") }
  }

  func testACancelledOperationOfTheQueueCancelsThePromise() {
    let queue = queue(suspended: true)
    let promise = Promise<Int, String>(fulfilled: 1).map(on: .operationQueue(queue)) { $0 }
    queue.cancelAllOperations()
    queue.isSuspended = false
    assertCancelled(promise)
  }

  // MARK: PromiseOperation

  func testTheHandlerRunsWhenTheOperationIsStarted() {
    let log = Log()
    let operation = StdPromiseOperation<Int>(on: .immediate) { resolver in
      log.add("ran")
      resolver.fulfill(with: 42)
    }
    let promise = operation.promise
    assertPending(promise)
    XCTAssertEqual(log.count, 0)
    operation.start()
    assertFulfilled(promise, 42)
    XCTAssert(operation.isFinished)
    XCTAssertEqual(log.events, ["ran"])
  }

  func testAnImmediateHandlerRunsOnTheQueueOfTheOperation() {
    let queue = queue()
    let operation = PromiseOperation<Bool, String>(on: .immediate) { resolver in
      resolver.fulfill(with: OperationQueue.current === queue)
    }
    queue.addOperation(operation)
    assertFulfilled(operation.promise, true)
  }

  func testAHandlerOnNowOrRunsOnTheContextGiven() {
    let there = TestQueue()
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

  func testAHandlerThatThrowsRejects() {
    let operation = StdPromiseOperation<Int>(on: .immediate) { _ in throw TestError(id: 7) }
    operation.start()
    assertRejected(operation.promise, TestError(id: 7))
  }

  func testAHandlerMayChangeWhatIsNotSendable() {
    let box = Box(0)
    let operation = PromiseOperation<Int, String>(on: .immediate) { resolver in
      box.value += 1
      resolver.fulfill(with: box.value)
    }
    operation.start()
    assertFulfilled(operation.promise, 1)
  }

  func testCancellingBeforeTheStartKeepsTheHandlerFromRunning() {
    for cancel in [{ $0.cancel() }, { $0.promise.requestCancel() }] as [(StdPromiseOperation<Int>) -> Void] {
      let log = Log()
      let operation = StdPromiseOperation<Int>(on: .immediate) { _ in log.add("ran") }
      cancel(operation)
      XCTAssert(operation.isCancelled)
      assertPending(operation.promise)
      operation.start()
      assertCancelled(operation.promise)
      XCTAssert(operation.isFinished)
      XCTAssertEqual(log.count, 0)
    }
  }

  func testCancellingAfterTheStartIsUpToTheHandler() {
    let source = Source<Error>()
    let operation = StdPromiseOperation<Int>(on: .immediate) { $0.resolve(with: source.take()) }
    operation.start()
    XCTAssert(operation.isExecuting)
    operation.cancel()
    assertCancelled(operation.promise)
    XCTAssertEqual(source.requests.count, 1)
  }

  func testOperationsRunInTheOrderOfTheirDependencies() {
    let (queue, log) = (OperationQueue(), Log())
    let first = StdPromiseOperation<Int>(on: .utility) { resolver in
      log.add("first")
      resolver.fulfill(with: 1)
    }
    let second = StdPromiseOperation<Int>(on: .utility) { resolver in
      log.add("second")
      resolver.resolve(with: first.promise.map(on: .immediate, { $0 + 1 }))
    }
    second.addDependency(first)
    queue.addOperations([second, first], waitUntilFinished: false)
    assertFulfilled(second.promise, 2)
    XCTAssertEqual(log.events, ["first", "second"])
  }

  func testOneOperationRunsAtATime() {
    let (queue, sources) = (queue(), [Source<String>(), Source<String>()])
    let operations = sources.map { source in
      PromiseOperation<Int, String>(on: .immediate) { $0.resolve(with: source.promise) }
    }
    queue.addOperations(operations, waitUntilFinished: false)
    let began = expectation(
      for: NSPredicate { operation, _ in (operation as! Operation).isExecuting }, evaluatedWith: operations[0])
    wait(for: [began], timeout: 20)
    XCTAssertFalse(operations[1].isExecuting)
    sources[0].resolver.fulfill(with: 1)
    sources[1].resolver.fulfill(with: 2)
    assertFulfilled(operations[1].promise, 2)
    assertFulfilled(operations[0].promise, 1)
  }
}
