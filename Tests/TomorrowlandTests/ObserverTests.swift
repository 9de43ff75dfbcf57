import Tomorrowland
import XCTest

private let reports = Log()

@Sendable private func report(_ value: Int) { reports.add("\(value)") }

/// `then`, `catch`, `always`, `tap`, `onCancel`.
final class ObserverTests: XCTestCase {
  func testThenRunsWithTheValue() {
    let log = Log()
    let promise = Promise<Int, String>(fulfilled: 42).then(on: .utility) { log.add("\($0)") }
    assertFulfilled(promise, 42)
    XCTAssertEqual(log.events, ["42"])
  }

  func testThenDoesNotRunWhenRejected() {
    let promise = Promise<Int, String>(rejected: "foo").then(on: .immediate) { XCTFail("called with \($0)") }
    XCTAssertEqual(promise.result, .error("foo"))
  }

  func testThenDoesNotRunWhenCancelled() {
    let promise = Promise<Int, String>(with: .cancelled).then(on: .immediate) { XCTFail("called with \($0)") }
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testThenDefaultsToMainOnMain() {
    let wasMain = Box<Bool?>(nil)
    result(of: Promise<Int, String>(fulfilled: 1).then({ _ in wasMain.value = Thread.isMainThread }))
    XCTAssertEqual(wasMain.value, true)
  }

  func testThenDefaultsToTheBackgroundElsewhere() {
    let wasMain = Box<Bool?>(nil)
    let promise = Box<Promise<Int, String>?>(nil)
    onAnotherThread {
      promise.value = Promise<Int, String>(fulfilled: 1).then({ _ in wasMain.value = Thread.isMainThread })
    }
    result(of: promise.value!)
    XCTAssertEqual(wasMain.value, false)
  }

  func testThenReturnsANewPromise() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    XCTAssertNotEqual(promise.then(on: .immediate, { _ in }), promise)
    resolver.fulfill(with: 1)
    XCTAssertNotEqual(promise.then(on: .immediate, { _ in }), promise)
  }

  func testThenResolvesAfterTheCallback() {
    let (log, running, gate) = (Log(), expectation(description: "callback running"), DispatchSemaphore(value: 0))
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let first = Promise<Int, String>(fulfilled: 1).then(on: .queue(queue)) { _ in
      running.fulfill()
      XCTAssertEqual(gate.wait(timeout: .now() + 20), .success, "the callback is let go on")
      log.add("first")
    }
    let second = first.then(on: .queue(queue)) { _ in log.add("second") }
    wait(for: [running], timeout: 20)
    assertPending(first)
    gate.signal()
    result(of: second)
    XCTAssertEqual(log.events, ["first", "second"])
  }

  func testThenWithOptionalChainedCall() {
    // What made 0.6 take its deprecations back.
    let log = Log()
    let foo: ((Int) -> Void)? = { log.add("\($0)") }
    let promise = Promise<Int, String>(fulfilled: 1).then({ foo?($0) })
    assertFulfilled(promise, 1)
    XCTAssertEqual(log.events, ["1"])
  }

  func testThenWithFunctionReference() {
    result(of: Promise<Int, String>(fulfilled: 3).then(on: .utility, report))
    XCTAssertEqual(reports.events, ["3"])
  }

  func testCatchRunsWithTheError() {
    let log = Log()
    let promise = Promise<Int, String>(rejected: "foo").catch(on: .utility) { log.add($0) }
    assertRejected(promise, "foo")
    XCTAssertEqual(log.events, ["foo"])
  }

  func testCatchDoesNotRunWhenFulfilled() {
    let promise = Promise<Int, String>(fulfilled: 1).catch(on: .immediate) { XCTFail($0) }
    XCTAssertEqual(promise.result, .value(1))
  }

  func testCatchDoesNotRunWhenCancelled() {
    let promise = Promise<Int, String>(with: .cancelled).catch(on: .immediate) { XCTFail($0) }
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testCatchDefaultsToMainOnMain() {
    let wasMain = Box<Bool?>(nil)
    result(of: StdPromise<Int>(rejected: TestError()).catch({ _ in wasMain.value = Thread.isMainThread }))
    XCTAssertEqual(wasMain.value, true)
  }

  func testCatchOfErrorPromise() {
    let found = Box<Error?>(nil)
    result(of: Promise<Int, Error>(rejected: TestError(id: 5)).catch(on: .utility, { (error) in found.value = error }))
    XCTAssertEqual(found.value as? TestError, TestError(id: 5))
  }

  func testAlwaysRunsForEachOutcome() {
    for outcome: PromiseResult<Int, String> in [.value(1), .error("foo"), .cancelled] {
      let found = Box<PromiseResult<Int, String>?>(nil)
      let promise = Promise(with: outcome).always(on: .immediate) { found.value = $0 }
      XCTAssertEqual(found.value, outcome)
      XCTAssertEqual(promise.result, outcome)
    }
  }

  func testAlwaysDefaultsToMainOnMain() {
    let wasMain = Box<Bool?>(nil)
    result(of: Promise<Int, String>(with: .cancelled).always({ _ in wasMain.value = Thread.isMainThread }))
    XCTAssertEqual(wasMain.value, true)
  }

  func testTapRunsForEachOutcome() {
    for outcome: PromiseResult<Int, String> in [.value(1), .error("foo"), .cancelled] {
      let found = Box<PromiseResult<Int, String>?>(nil)
      Promise(with: outcome).tap(on: .immediate) { found.value = $0 }
      XCTAssertEqual(found.value, outcome)
    }
  }

  func testTapWithCallbackReturnsTheReceiver() {
    let promise = Promise<Int, String>(fulfilled: 1)
    XCTAssertEqual(promise.tap(on: .immediate, { _ in }), promise)
  }

  func testTapReturnsANewPromise() {
    let promise = Promise<Int, String>(fulfilled: 1)
    let child = promise.tap()
    XCTAssertNotEqual(child, promise)
    XCTAssertEqual(child.result, .value(1))
  }

  func testOnCancelRunsWhenCancelled() {
    let log = Log()
    let promise = Promise<Int, String>(with: .cancelled).onCancel(on: .utility) { log.add("cancelled") }
    assertCancelled(promise)
    XCTAssertEqual(log.events, ["cancelled"])
  }

  func testOnCancelDoesNotRunOtherwise() {
    Promise<Int, String>(fulfilled: 1).onCancel(on: .immediate) { XCTFail("called") }
    Promise<Int, String>(rejected: "foo").onCancel(on: .immediate) { XCTFail("called") }
  }

  func testOnCancelDefaultsToMainOnMain() {
    let wasMain = Box<Bool?>(nil)
    result(of: Promise<Int, String>(with: .cancelled).onCancel({ wasMain.value = Thread.isMainThread }))
    XCTAssertEqual(wasMain.value, true)
  }

  func testObserversRunInTheOrderRegistered() {
    let log = Log()
    let source = Source<String>()
    for index in 0..<10 { source.promise.then(on: .immediate) { _ in log.add("\(index)") } }
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(log.events, (0..<10).map { "\($0)" })
  }

  func testObserverAddedWhileResolvingDoesNotOvertake() {
    let log = Log()
    let source = Source<String>()
    source.promise.then(on: .immediate) { _ in
      log.add("first")
      source.promise.then(on: .immediate) { _ in log.add("third") }
    }
    source.promise.then(on: .immediate) { _ in log.add("second") }
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(log.events, ["first", "second", "third"])
  }

  func testChainOfObservers() {
    let log = Log()
    StdPromise<Int>(rejected: TestError())
      .then(on: .immediate) { _ in log.add("then") }
      .catch(on: .immediate) { _ in log.add("catch") }
      .always(on: .immediate) { _ in log.add("always") }
    XCTAssertEqual(log.events, ["catch", "always"])
  }

  func testForkRegistersBesideTheChain() {
    let log = Log()
    let promise = Promise<Int, String>(fulfilled: 1)
    let returned = promise.fork { $0.then(on: .immediate) { log.add("fork \($0)") } }
    XCTAssertEqual(returned, promise)
    XCTAssertEqual(log.events, ["fork 1"])
  }

  func testForkRethrows() {
    XCTAssertThrowsError(try Promise<Int, String>(fulfilled: 1).fork { _ in throw TestError() })
  }

  func testCallbackIsReleasedWhereItRan() {
    let queue = TestQueue()
    let released = XCTestExpectation(description: "released")
    let onQueue = Box<Bool?>(nil)
    var witness: Witness? = Witness {
      onQueue.value = queue.isCurrent
      released.fulfill()
    }
    let source = Source<String>()
    source.promise.then(on: queue.context) { [witness] _ in witness?.use() }
    witness = nil
    source.resolver.fulfill(with: 1)
    wait(for: [released], timeout: 20)
    XCTAssertEqual(onQueue.value, true)
  }

  func testEachMainCallbackIsReleasedBeforeTheNextRuns() {
    let log = Log()
    let source = Source<String>()
    var witness: Witness? = Witness { log.add("released") }
    let promise = source.promise
      .then(on: .main) { [witness] _ in
        witness?.use()
        log.add("first")
      }.then(on: .main) { _ in log.add("second") }
    witness = nil
    source.resolver.fulfill(with: 1)
    result(of: promise)
    XCTAssertEqual(log.events, ["first", "released", "second"])
  }
}
