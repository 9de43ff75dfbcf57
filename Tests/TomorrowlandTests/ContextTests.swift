import Tomorrowland
import XCTest

final class ContextTests: XCTestCase {
  func testQoSContexts() {
    let contexts: [(PromiseContext, DispatchQoS.QoSClass)] = [
      (.background, .background), (.utility, .utility), (.default, .default), (.userInitiated, .userInitiated),
      (.userInteractive, .userInteractive),
    ]
    for (context, qos) in contexts { XCTAssertEqual(PromiseContext(qos: qos), context) }
    XCTAssertEqual(PromiseContext(qos: .unspecified), .default)
  }

  func testEachGlobalContextRunsOffMain() {
    for context in [PromiseContext.background, .utility, .default, .userInitiated, .userInteractive] {
      assertFulfilled(Promise<Bool, String>(on: context, { $0.fulfill(with: Thread.isMainThread) }), false)
    }
  }

  func testAutoIsMainOnMain() {
    XCTAssertEqual(PromiseContext.auto, .main)
  }

  func testAutoIsDefaultElsewhere() {
    let context = Box<PromiseContext?>(nil)
    onAnotherThread { context.value = .auto }
    XCTAssertEqual(context.value, .default)
  }

  func testContextsAreEqualByQueue() {
    let queue = DispatchQueue(label: "label")
    XCTAssertEqual(PromiseContext.queue(queue), .queue(queue))
    XCTAssertNotEqual(PromiseContext.queue(queue), .queue(DispatchQueue(label: "label")))
    XCTAssertNotEqual(PromiseContext.main, .queue(.main))
  }

  func testNowOrContextsAreEqualByTheirContext() {
    XCTAssertEqual(PromiseContext.nowOr(.main), .nowOr(.main))
    XCTAssertNotEqual(PromiseContext.nowOr(.main), .nowOr(.utility))
    XCTAssertNotEqual(PromiseContext.nowOr(.main), .main)
  }

  func testContextsAreHashable() {
    let queue = DispatchQueue(label: "queue")
    let contexts: Set<PromiseContext> = [.main, .main, .utility, .queue(queue), .queue(queue), .nowOr(.main)]
    XCTAssertEqual(contexts.count, 4)
  }

  func testImmediateRunsInTheResolvingCall() {
    let log = Log()
    let source = Source<String>()
    source.promise.then(on: .immediate) { _ in log.add("callback") }
    log.add("resolving")
    source.resolver.fulfill(with: 1)
    log.add("resolved")
    XCTAssertEqual(log.events, ["resolving", "callback", "resolved"])
  }

  func testImmediateRunsInTheRegisteringCall() {
    let log = Log()
    Promise<Int, String>(fulfilled: 1).then(on: .immediate) { _ in log.add("callback") }
    log.add("after")
    XCTAssertEqual(log.events, ["callback", "after"])
  }

  func testImmediateRunsOnTheResolvingThread() {
    let source = Source<String>()
    let promise = source.promise.map(on: .immediate) { _ in Thread.isMainThread }
    onAnotherThread { source.resolver.fulfill(with: 1) }
    assertFulfilled(promise, false)
  }

  func testNowOrRunsSynchronouslyWhenResolved() {
    let log = Log()
    Promise<Int, String>(fulfilled: 1).then(on: .nowOr(.utility)) { _ in log.add("callback") }
    log.add("after")
    XCTAssertEqual(log.events, ["callback", "after"])
  }

  func testNowOrRunsOnItsContextWhenPending() {
    let queue = TestQueue()
    let source = Source<String>()
    let promise = source.promise.map(on: .nowOr(queue.context)) { _ in queue.isCurrent }
    source.resolver.fulfill(with: 1)
    assertFulfilled(promise, true)
  }

  func testNowOrInAPromiseBodyIsImmediate() {
    let promise = Promise<Int, String>(on: .nowOr(.utility)) { $0.fulfill(with: 1) }
    XCTAssertEqual(promise.result, .value(1))
  }

  func testIsExecutingNowInNowOr() {
    let promise = Promise<Int, String>(fulfilled: 1).map(on: .nowOr(.main)) { _ in PromiseContext.isExecutingNow }
    XCTAssertEqual(promise.result, .value(true))
    XCTAssertFalse(PromiseContext.isExecutingNow)
  }

  func testIsExecutingNowInNowOrThatRunsLater() {
    let source = Source<String>()
    let promise = source.promise.map(on: .nowOr(.main)) { _ in PromiseContext.isExecutingNow }
    source.resolver.fulfill(with: 1)
    assertFulfilled(promise, false)
  }

  func testIsExecutingNowIsInheritedByImmediate() {
    let promise = Promise<Int, String>(fulfilled: 1).flatMap(on: .nowOr(.main)) { _ in
      Promise<Bool, String>(on: .immediate, { $0.fulfill(with: PromiseContext.isExecutingNow) })
    }
    XCTAssertEqual(promise.result, .value(true))
  }

  func testIsExecutingNowIsNotInheritedByOtherContexts() {
    let promise = Promise<Int, String>(fulfilled: 1).flatMap(on: .nowOr(.main)) { _ in
      Promise<Bool, String>(on: .utility, { $0.fulfill(with: PromiseContext.isExecutingNow) })
    }
    assertFulfilled(promise, false)
  }

  func testIsExecutingNowIsFalseInPlainImmediate() {
    let promise = Promise<Int, String>(fulfilled: 1).map(on: .immediate) { _ in PromiseContext.isExecutingNow }
    XCTAssertEqual(promise.result, .value(false))
  }

  func testIsExecutingNowIsFalseOnOtherThreads() {
    let found = Box<Bool?>(nil)
    Promise<Int, String>(fulfilled: 1).then(on: .nowOr(.main)) { _ in
      self.onAnotherThread { found.value = PromiseContext.isExecutingNow }
    }
    XCTAssertEqual(found.value, false)
  }

  func testChainedMainCallbacksRunInOnePass() {
    let log = Log()
    let source = Source<String>()
    let promise = source.promise
      .then(on: .main) { _ in
        log.add("first")
        DispatchQueue.main.async { log.add("next pass") }
      }
      .map(on: .main) { $0 }
      .then(on: .main) { _ in log.add("last") }
      .then(on: .utility) { _ in }
    source.resolver.fulfill(with: 1)
    result(of: promise)
    let passed = XCTestExpectation(description: "next pass")
    DispatchQueue.main.async { passed.fulfill() }
    wait(for: [passed], timeout: 20)
    XCTAssertEqual(log.events, ["first", "last", "next pass"])
  }

  func testSerialQueueKeepsTheOrder() {
    let queue = TestQueue()
    let log = Log()
    let source = Source<String>()
    for index in 0..<5 { source.promise.then(on: queue.context) { _ in log.add("\(index)") } }
    source.resolver.fulfill(with: 1)
    queue.queue.sync {}
    XCTAssertEqual(log.events, ["0", "1", "2", "3", "4"])
  }

  func testContextsInASwitch() {
    let queue = OperationQueue()
    // As in the guide.
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
}
