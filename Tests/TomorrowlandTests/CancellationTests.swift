import Tomorrowland
import XCTest

final class CancellationTests: XCTestCase {
  private let source = Source<String>()

  func testRequestCancel() {
    source.promise.requestCancel()
    assertCancelled(source.promise)
  }

  func testRequestCancelIsOnlyARequest() {
    let source = Source<String>(cancels: false)
    source.promise.requestCancel()
    assertPending(source.promise)
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(source.promise.result, .value(1))
  }

  func testRequestCancelOnceResolvedDoesNothing() {
    let promise = Promise<Int, String>(fulfilled: 1)
    promise.requestCancel()
    XCTAssertEqual(promise.result, .value(1))
  }

  func testRequestCancelOnceResolvedDoesNotSuppressCallbacks() {
    let queue = DispatchQueue(label: "queue")
    queue.suspend()
    let source = Source<String>()
    let child = source.promise.map(on: .queue(queue)) { $0 + 1 }
    source.resolver.fulfill(with: 1)
    source.promise.requestCancel()
    queue.resume()
    assertFulfilled(child, 2)
  }

  // MARK: Propagation

  func testEachOperatorPropagates() {
    typealias P = Promise<Int, String>
    let operators: [(String, (P) -> () -> Void)] = [
      ("then", { p in p.then(on: .immediate) { _ in }.requestCancel }),
      ("map", { p in p.map(on: .immediate) { $0 }.requestCancel }),
      ("flatMap", { p in p.flatMap(on: .immediate) { P(fulfilled: $0) }.requestCancel }),
      ("catch", { p in p.catch(on: .immediate) { _ in }.requestCancel }),
      ("recover", { p in p.recover(on: .immediate) { _ in 1 }.requestCancel }),
      ("mapError", { p in p.mapError(on: .immediate) { $0 }.requestCancel }),
      ("flatMapError", { p in p.flatMapError(on: .immediate) { P(rejected: $0) }.requestCancel }),
      ("always", { p in p.always(on: .immediate) { _ in }.requestCancel }),
      ("mapResult", { p in p.mapResult(on: .immediate) { $0 }.requestCancel }),
      ("flatMapResult", { p in p.flatMapResult(on: .immediate) { P(with: $0) }.requestCancel }),
      ("tryMapError", { p in p.tryMapError(on: .immediate) { _ in TestError() }.requestCancel }),
      ("tryFlatMapError", { p in p.tryFlatMapError(on: .immediate) { _ in StdPromise(fulfilled: 1) }.requestCancel }),
      (
        "tryMapResult",
        { p in p.tryMapResult(on: .immediate) { _ in PromiseResult<Int, Error>.cancelled }.requestCancel }
      ),
      ("tryFlatMapResult", { p in p.tryFlatMapResult(on: .immediate) { _ in StdPromise(fulfilled: 1) }.requestCancel }),
      ("onCancel", { p in p.onCancel(on: .immediate) {}.requestCancel }),
      ("makeChild", { p in p.makeChild().requestCancel }),
      ("delay", { p in p.delay(on: .immediate, 1000).requestCancel }),
      ("timeout", { p in p.timeout(on: .immediate, delay: 1000).requestCancel }),
    ]
    for (name, make) in operators {
      let source = Source<String>()
      let requestCancel = make(source.take())
      XCTAssertEqual(source.requests.count, 0, name)
      requestCancel()
      XCTAssertEqual(source.requests.count, 1, name)
    }
  }

  func testEachThrowingOperatorPropagates() {
    typealias P = StdPromise<Int>
    let operators: [(String, (P) -> () -> Void)] = [
      ("tryThen", { p in p.tryThen(on: .immediate) { _ in }.requestCancel }),
      ("tryMap", { p in p.tryMap(on: .immediate) { $0 }.requestCancel }),
      ("tryFlatMap", { p in p.tryFlatMap(on: .immediate) { P(fulfilled: $0) }.requestCancel }),
      ("tryRecover", { p in p.tryRecover(on: .immediate) { throw $0 }.requestCancel }),
      ("upcast", { p in p.upcast.requestCancel }),
      ("timeout", { p in p.timeout(on: .immediate, delay: 1000).requestCancel }),
    ]
    for (name, make) in operators {
      let source = Source<Error>()
      make(source.take())()
      XCTAssertEqual(source.requests.count, 1, name)
    }
  }

  func testAllChildrenHaveToAsk() {
    let parent = Box<Promise<Int, String>?>(source.take())
    let first = parent.value!.map(on: .immediate) { $0 }
    let second = parent.value!.then(on: .immediate) { _ in }
    parent.value = nil
    first.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
    second.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testAHeldParentIsNotCancelled() {
    let child = source.promise.map(on: .immediate) { $0 }
    child.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testLettingGoOfTheParentCancelsIt() {
    let child = source.promise.map(on: .immediate) { $0 }
    child.requestCancel()
    _ = source.take()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(child)
  }

  func testAParentWithoutChildrenIsNotCancelledWhenLetGo() {
    _ = source.take()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testPropagationGoesUpAWholeChain() {
    let end = source.take().map(on: .immediate) { $0 }.then(on: .immediate) { _ in }.always(on: .immediate) { _ in }
    end.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(end)
  }

  func testTapDoesNotPropagate() {
    source.take().tap().requestCancel()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testTapDoesNotBlock() {
    let parent = Box<Promise<Int, String>?>(source.take())
    let tap = parent.value!.tap()
    parent.value!.tap(on: .immediate) { _ in }
    let child = parent.value!.map(on: .immediate) { $0 }
    parent.value = nil
    child.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(tap)
  }

  func testOnCancelDoesNotBlock() {
    let log = Log()
    let parent = Box<Promise<Int, String>?>(source.take())
    parent.value!.onCancel(on: .immediate) { log.add() }
    let child = parent.value!.map(on: .immediate) { $0 }
    parent.value = nil
    child.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    XCTAssertEqual(log.count, 1)
  }

  func testOnCancelBesideAnInterestedChildDoesNotPropagate() {
    let parent = Box<Promise<Int, String>?>(source.take())
    let observer = parent.value!.onCancel(on: .immediate) {}
    let child = parent.value!.map(on: .immediate) { $0 }
    parent.value = nil
    observer.requestCancel()
    assertPending(child)
    XCTAssertEqual(source.requests.count, 0)
  }

  func testIgnoringCancel() {
    let promise = source.take().ignoringCancel()
    promise.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testIgnoringCancelBlocksOtherChildren() {
    let parent = Box<Promise<Int, String>?>(source.take())
    let ignoring = parent.value!.ignoringCancel()
    let child = parent.value!.map(on: .immediate) { $0 }
    parent.value = nil
    child.requestCancel()
    ignoring.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testIgnoringCancelIsCancelledWithItsParent() {
    let promise = source.promise.ignoringCancel()
    source.resolver.cancel()
    assertCancelled(promise)
  }

  func testCancellingAFlatMapCancelsTheInnerPromise() {
    let promise = Promise<Int, String>(fulfilled: 1).flatMap(on: .immediate) { [source] _ in source.take() }
    promise.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(promise)
  }

  func testCancellingAnAdopterLeavesOtherChildrenAlone() {
    // Before 1.4 the inner promise was cancelled whatever other children it had.
    let inner = Box<Promise<Int, String>?>(source.take())
    let other = inner.value!.map(on: .immediate) { $0 }
    let promise = Promise<Int, String>(fulfilled: 1).flatMap(on: .immediate) { _ in inner.value! }
    inner.value = nil
    promise.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
    other.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testCancellingAPromiseResolvedWithAnotherOneIsAVote() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    resolver.resolve(with: source.take())
    promise.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(promise)
  }

  func testCancellingBeforeResolvingWithAPromiseCancelsIt() {
    let (promise, resolver) = Promise<Int, String>.makeWithResolver()
    promise.requestCancel()
    resolver.resolve(with: source.take())
    XCTAssertEqual(source.requests.count, 1)
  }

  // MARK: propagatingCancellation, makeChild

  func testPropagatingCancellationPropagatesWhileHeld() {
    let log = Log()
    let promise = source.take().propagatingCancellation(on: .immediate) { _ in log.add("asked") }
    let child = promise.makeChild()
    XCTAssertEqual(source.requests.count, 0)
    child.requestCancel()
    XCTAssertEqual(log.events, ["asked"])
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(promise)
  }

  func testPropagatingCancellationWaitsForAllChildren() {
    let promise = source.take().propagatingCancellation(on: .immediate) { _ in }
    let (first, second) = (promise.makeChild(), promise.makeChild())
    first.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
    second.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testPropagatingCancellationHandsItsPromise() {
    let found = Box<Promise<Int, String>?>(nil)
    let promise = Promise<Int, String>.makeWithResolver().0
      .propagatingCancellation(on: .immediate) { found.value = $0 }
    XCTAssertNotNil(promise.result)  // nobody resolves it
    XCTAssertNil(found.value)
    let source = Source<String>()
    let asked = source.take().propagatingCancellation(on: .immediate) { found.value = $0 }
    asked.makeChild().requestCancel()
    XCTAssertEqual(found.value, asked)
  }

  func testPropagatingCancellationCallsBackBeforeItPropagates() {
    let queue = TestQueue()
    let log = Log()
    let source = Source<String>(cancels: false)
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

  func testPropagatingCancellationWithoutRequest() {
    let promise = source.take().propagatingCancellation(on: .immediate) { _ in XCTFail("called") }
    let child = promise.makeChild()
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(child.result, .value(1))
  }

  func testMakeChildReturnsANewPromise() {
    let promise = Promise<Int, String>(fulfilled: 1)
    XCTAssertNotEqual(promise.makeChild(), promise)
    XCTAssertEqual(promise.makeChild().result, .value(1))
  }

  // MARK: cancellable

  func testCancellable() {
    let cancellable: PromiseCancellable = source.promise.cancellable
    cancellable.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testCancellableDoesNotHoldThePromise() {
    let child = source.promise.map(on: .immediate) { $0 }
    let cancellable = source.take().cancellable
    child.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    cancellable.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testDeprecatedCancelRequestsCancel() {
    (Deprecated() as OldNames).cancel(source.promise)
    XCTAssertEqual(source.requests.count, 1)
  }
}
