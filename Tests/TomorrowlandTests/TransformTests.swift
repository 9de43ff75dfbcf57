import Tomorrowland
import XCTest

/// `map`, `flatMap`, `mapError`, `flatMapError`, `recover`, `mapResult`, `flatMapResult`, `upcast`.
final class TransformTests: XCTestCase {
  private let fulfilled = Promise<Int, String>(fulfilled: 42)
  private let rejected = Promise<Int, String>(rejected: "foo")
  private let cancelled = Promise<Int, String>(with: .cancelled)

  func testMap() {
    assertFulfilled(fulfilled.map(on: .utility, { $0 + 1 }), 43)
  }

  func testMapToAnotherType() {
    assertFulfilled(fulfilled.map(on: .utility, { (x) -> String in "\(x)" }), "42")
  }

  func testMapPassesAnErrorOn() {
    XCTAssertEqual(rejected.map(on: .immediate, { $0 + 1 }).result, .error("foo"))
  }

  func testMapPassesCancellationOn() {
    XCTAssertEqual(cancelled.map(on: .immediate, { $0 + 1 }).result, .cancelled)
  }

  func testMapOnMainRunsThere() {
    assertFulfilled(fulfilled.map(on: .main, { _ in Thread.isMainThread }), true)
  }

  func testMapOnQueueRunsThere() {
    let queue = TestQueue()
    assertFulfilled(fulfilled.map(on: queue.context, { _ in queue.isCurrent }), true)
  }

  func testMapOfErrorPromise() {
    assertFulfilled(StdPromise(fulfilled: 2).map(on: .utility, { $0 * 2 }), 4)
  }

  func testFlatMap() {
    let promise = fulfilled.flatMap(on: .utility) { x in
      Promise<String, String>(on: .utility, { $0.fulfill(with: "\(x)") })
    }
    assertFulfilled(promise, "42")
  }

  func testFlatMapToRejected() {
    assertRejected(fulfilled.flatMap(on: .utility, { _ in Promise<Int, String>(rejected: "bar") }), "bar")
  }

  func testFlatMapToCancelled() {
    assertCancelled(fulfilled.flatMap(on: .utility, { _ in Promise<Int, String>(with: .cancelled) }))
  }

  func testFlatMapWaitsForTheInnerPromise() {
    let source = Source<String>()
    let promise = fulfilled.flatMap(on: .immediate) { _ in source.promise }
    assertPending(promise)
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testFlatMapDoesNotRunWhenRejected() {
    let promise = rejected.flatMap(on: .immediate) { _ -> Promise<Int, String> in
      XCTFail("called")
      return Promise(fulfilled: 1)
    }
    XCTAssertEqual(promise.result, .error("foo"))
  }

  func testMapError() {
    assertRejected(rejected.mapError(on: .utility, { $0.count }), 3)
  }

  func testMapErrorToAnError() {
    assertRejected(rejected.mapError(on: .utility, { TestError(id: $0.count) }), TestError(id: 3))
  }

  func testMapErrorPassesAValueOn() {
    assertFulfilled(fulfilled.mapError(on: .immediate, { $0.count }), 42)
  }

  func testMapErrorPassesCancellationOn() {
    assertCancelled(cancelled.mapError(on: .immediate, { $0.count }))
  }

  func testFlatMapErrorToFulfilled() {
    assertFulfilled(rejected.flatMapError(on: .utility, { Promise<Int, Int>(fulfilled: $0.count) }), 3)
  }

  func testFlatMapErrorToRejected() {
    assertRejected(rejected.flatMapError(on: .utility, { Promise<Int, Int>(rejected: $0.count) }), 3)
  }

  func testFlatMapErrorPassesAValueOn() {
    assertFulfilled(fulfilled.flatMapError(on: .immediate, { Promise<Int, Int>(rejected: $0.count) }), 42)
  }

  func testRecover() {
    let promise: Promise<Int, NoError> = rejected.recover(on: .utility, { $0.count })
    assertFulfilled(promise, 3)
  }

  func testRecoverPassesAValueOn() {
    assertFulfilled(fulfilled.recover(on: .utility, { $0.count }), 42)
  }

  func testRecoverPassesCancellationOn() {
    assertCancelled(cancelled.recover(on: .utility, { $0.count }))
  }

  func testMapResult() {
    let promise = rejected.mapResult(on: .utility) { result -> PromiseResult<String, Int> in
      XCTAssertEqual(result, .error("foo"))
      return .value("bar")
    }
    assertFulfilled(promise, "bar")
  }

  func testMapResultOfCancelled() {
    assertRejected(cancelled.mapResult(on: .utility, { _ -> PromiseResult<Int, Int> in .error(1) }), 1)
  }

  func testMapResultToCancelled() {
    assertCancelled(fulfilled.mapResult(on: .utility, { _ -> PromiseResult<Int, Int> in .cancelled }))
  }

  func testFlatMapResult() {
    let promise = cancelled.flatMapResult(on: .utility) { result -> Promise<String, Int> in
      Promise(fulfilled: result.isCancelled ? "cancelled" : "not")
    }
    assertFulfilled(promise, "cancelled")
  }

  func testFlatMapResultWaits() {
    let source = Source<String>()
    let promise = rejected.flatMapResult(on: .immediate) { _ in source.promise }
    assertPending(promise)
    source.resolver.cancel()
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testUpcastOfCertainError() {
    let promise: StdPromise<Int> = Promise<Int, TestError>(rejected: TestError(id: 1)).upcast
    assertRejected(promise, TestError(id: 1))
  }

  func testUpcastOfNoError() {
    let promise: StdPromise<Int> = Promise<Int, NoError>(fulfilled: 1).upcast
    assertFulfilled(promise, 1)
  }

  func testUpcastKeepsCancellation() {
    assertCancelled(Promise<Int, TestError>(with: .cancelled).upcast)
  }

  func testLongChain() {
    var promise = Promise<Int, String>(fulfilled: 0)
    for _ in 0..<1000 { promise = promise.map(on: .immediate) { $0 + 1 } }
    XCTAssertEqual(promise.result, .value(1000))
  }

  func testChainOfTwentyThousandDoesNotOverflowTheStack() {
    let source = Source<String>()
    var promise = source.promise
    for _ in 0..<20_000 { promise = promise.map(on: .immediate) { $0 + 1 } }
    source.resolver.fulfill(with: 0)
    XCTAssertEqual(promise.result, .value(20_000))
  }

  func testDroppedChainOfTwentyThousandDoesNotOverflowTheStack() {
    let log = Log()
    let source = Box<Promise<Int, String>.Resolver?>(nil)
    var promise: Promise<Int, String>? = {
      let (promise, resolver) = Promise<Int, String>.makeWithResolver()
      source.value = resolver
      return promise
    }()
    for _ in 0..<20_000 { promise = promise!.map(on: .immediate) { $0 + 1 } }
    promise!.onCancel(on: .immediate) { log.add() }
    promise = nil
    source.value = nil
    XCTAssertEqual(log.count, 1)
  }

  func testRecursionThroughFlatMap() {
    @Sendable func count(_ n: Int) -> Promise<Int, String> {
      n == 0 ? Promise(fulfilled: 0) : Promise(fulfilled: n - 1).flatMap(on: .utility) { count($0) }
    }
    assertFulfilled(count(20_000), 0)
  }
}
