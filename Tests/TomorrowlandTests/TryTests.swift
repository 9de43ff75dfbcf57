import Tomorrowland
import XCTest

/// The forms whose callback may throw.
final class TryTests: XCTestCase {
  private let fulfilled = StdPromise(fulfilled: 42)
  private let rejected = StdPromise<Int>(rejected: TestError(id: 1))
  private let stringly = Promise<Int, String>(rejected: "foo")

  private func check(_ value: Int) throws -> Int {
    if value == 42 { throw TestError(id: 42) }
    return value
  }

  func testTryThenKeepsTheValue() {
    let log = Log()
    let promise = fulfilled.tryThen(on: .utility) { value in
      if value == 0 { throw TestError() }
      log.add("\(value)")
    }
    assertFulfilled(promise, 42)
    XCTAssertEqual(log.events, ["42"])
  }

  func testTryThenThrows() {
    assertRejected(fulfilled.tryThen(on: .utility, { _ = try self.check($0) }), TestError(id: 42))
  }

  func testTryThenDefaultsToMainOnMain() {
    let wasMain = Box<Bool?>(nil)
    result(of: fulfilled.tryThen({ _ in wasMain.value = Thread.isMainThread }))
    XCTAssertEqual(wasMain.value, true)
  }

  func testTryMap() {
    assertFulfilled(fulfilled.tryMap(on: .utility, { try self.check($0 + 1) }), 43)
  }

  func testTryMapThrows() {
    assertRejected(fulfilled.tryMap(on: .utility, { try self.check($0) }), TestError(id: 42))
  }

  func testTryMapPassesAnErrorOn() {
    assertRejected(rejected.tryMap(on: .utility, { try self.check($0) }), TestError(id: 1))
  }

  func testTryMapWithSeveralStatements() {
    let promise = fulfilled.tryMap(
      on: .utility,
      { (value) -> String in
        if value == 42 {
          return "answer"
        } else {
          throw OtherError.other
        }
      })
    assertFulfilled(promise, "answer")
  }

  func testTryFlatMap() {
    assertFulfilled(fulfilled.tryFlatMap(on: .utility, { StdPromise(fulfilled: try self.check($0 + 1)) }), 43)
  }

  func testTryFlatMapThrows() {
    assertRejected(fulfilled.tryFlatMap(on: .utility, { StdPromise(fulfilled: try self.check($0)) }), TestError(id: 42))
  }

  func testTryFlatMapToCertainError() {
    let promise: StdPromise<Int> = fulfilled.tryFlatMap(on: .utility) { _ in
      Promise<Int, OtherError>(rejected: .other)
    }
    assertRejected(promise, OtherError.other)
  }

  func testTryFlatMapToCancelled() {
    assertCancelled(fulfilled.tryFlatMap(on: .utility, { _ in Promise<Int, OtherError>(with: .cancelled) }))
  }

  func testTryFlatMapAdoptsAnErrorPromiseItself() {
    // Also what keeps a recursion from growing.
    let source = Source<Error>()
    let promise = fulfilled.tryFlatMap(on: .immediate) { _ in source.take() }
    promise.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(promise)
  }

  func testRecursionThroughTryFlatMap() {
    @Sendable func count(_ n: Int) -> StdPromise<Int> {
      n == 0 ? StdPromise(fulfilled: 0) : StdPromise(fulfilled: n - 1).tryFlatMap(on: .utility) { count($0) }
    }
    assertFulfilled(count(20_000), 0)
  }

  func testTryRecover() {
    assertFulfilled(rejected.tryRecover(on: .utility, { ($0 as! TestError).id }), 1)
  }

  func testTryRecoverThrows() {
    assertRejected(rejected.tryRecover(on: .utility, { _ in throw OtherError.other }), OtherError.other)
  }

  func testTryRecoverPassesAValueOn() {
    assertFulfilled(fulfilled.tryRecover(on: .utility, { throw $0 }), 42)
  }

  func testTryMapError() {
    let promise: StdPromise<Int> = stringly.tryMapError(on: .utility, { TestError(id: $0.count) })
    assertRejected(promise, TestError(id: 3))
  }

  func testTryMapErrorToAnyError() {
    assertRejected(stringly.tryMapError(on: .utility, { _ -> Error in OtherError.other }), OtherError.other)
  }

  func testTryMapErrorThrows() {
    let promise = stringly.tryMapError(on: .utility) { (_) throws -> OtherError in throw TestError(id: 7) }
    assertRejected(promise, TestError(id: 7))
  }

  func testTryFlatMapErrorToFulfilled() {
    assertFulfilled(stringly.tryFlatMapError(on: .utility, { StdPromise(fulfilled: $0.count) }), 3)
  }

  func testTryFlatMapErrorToCertainError() {
    let promise = stringly.tryFlatMapError(on: .utility) { Promise<Int, TestError>(rejected: TestError(id: $0.count)) }
    assertRejected(promise, TestError(id: 3))
  }

  func testTryFlatMapErrorThrows() {
    let promise = stringly.tryFlatMapError(on: .utility) { (_) throws -> StdPromise<Int> in throw OtherError.other }
    assertRejected(promise, OtherError.other)
  }

  func testTryFlatMapErrorOfErrorPromise() {
    assertFulfilled(rejected.tryFlatMapError(on: .utility, { _ in StdPromise(fulfilled: 5) }), 5)
  }

  func testTryMapResult() {
    let promise: StdPromise<String> = stringly.tryMapResult(on: .utility) { result in
      PromiseResult<String, TestError>.value("\(result)")
    }
    assertFulfilled(promise, "error(\"foo\")")
  }

  func testTryMapResultThrows() {
    let promise = stringly.tryMapResult(on: .utility) { (_) throws -> PromiseResult<Int, Error> in throw TestError() }
    assertRejected(promise, TestError())
  }

  func testTryMapResultToCancelled() {
    assertCancelled(stringly.tryMapResult(on: .utility, { _ -> PromiseResult<Int, Error> in .cancelled }))
  }

  func testTryFlatMapResult() {
    let promise = stringly.tryFlatMapResult(on: .utility) { StdPromise(fulfilled: $0.error ?? "") }
    assertFulfilled(promise, "foo")
  }

  func testTryFlatMapResultToCertainError() {
    let promise = stringly.tryFlatMapResult(on: .utility) { _ in Promise<Int, TestError>(rejected: TestError(id: 9)) }
    assertRejected(promise, TestError(id: 9))
  }

  func testTryFlatMapResultThrows() {
    let promise = stringly.tryFlatMapResult(on: .utility) { (_) throws -> StdPromise<Int> in throw OtherError.other }
    assertRejected(promise, OtherError.other)
  }
}
