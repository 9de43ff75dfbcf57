import Tomorrowland
import XCTest

final class TokenPromiseTests: XCTestCase {
  private let token = PromiseInvalidationToken()
  private lazy var fulfilled = Promise<Int, String>(fulfilled: 42).withToken(token)
  private lazy var rejected = Promise<Int, String>(rejected: "foo").withToken(token)
  private lazy var std = StdPromise(fulfilled: 42).withToken(token)
  private lazy var stdRejected = StdPromise<Int>(rejected: TestError(id: 1)).withToken(token)

  func testInnerAndToken() {
    let promise = Promise<Int, String>(fulfilled: 1)
    let chain = promise.withToken(token)
    XCTAssertEqual(chain.inner, promise)
    XCTAssertEqual(chain.token, token)
    XCTAssertEqual(chain, TokenPromise(promise: promise, token: token))
  }

  func testThen() {
    let log = Log()
    let chain = fulfilled.then(on: .immediate) { log.add("\($0)") }
    XCTAssertEqual(log.events, ["42"])
    XCTAssertEqual(chain.inner.result, .value(42))
    XCTAssertEqual(chain.token, token)
  }

  func testThenDefaultsToMainOnMain() {
    let wasMain = Box<Bool?>(nil)
    result(of: fulfilled.then({ _ in wasMain.value = Thread.isMainThread }).inner)
    XCTAssertEqual(wasMain.value, true)
  }

  func testCatch() {
    let log = Log()
    rejected.catch(on: .immediate) { log.add($0) }
    XCTAssertEqual(log.events, ["foo"])
  }

  func testAlways() {
    let log = Log()
    rejected.always(on: .immediate) { log.add("\($0)") }
    XCTAssertEqual(log.events, ["error(\"foo\")"])
  }

  func testTap() {
    let log = Log()
    XCTAssertEqual(fulfilled.tap(on: .immediate, { log.add("\($0)") }), fulfilled)
    XCTAssertEqual(log.events, ["value(42)"])
    XCTAssertEqual(fulfilled.tap().inner.result, .value(42))
  }

  func testOnCancel() {
    let log = Log()
    Promise<Int, String>(with: .cancelled).withToken(token).onCancel(on: .immediate) { log.add() }
    XCTAssertEqual(log.count, 1)
  }

  func testMap() {
    assertFulfilled(fulfilled.map(on: .utility, { $0 + 1 }).inner, 43)
  }

  func testFlatMap() {
    assertFulfilled(fulfilled.flatMap(on: .utility, { Promise<String, String>(fulfilled: "\($0)") }).inner, "42")
  }

  func testRecover() {
    assertFulfilled(rejected.recover(on: .utility, { $0.count }).inner, 3)
  }

  func testMapError() {
    assertRejected(rejected.mapError(on: .utility, { $0.count }).inner, 3)
  }

  func testFlatMapError() {
    assertFulfilled(rejected.flatMapError(on: .utility, { Promise<Int, Int>(fulfilled: $0.count) }).inner, 3)
  }

  func testMapResultWithItsLabel() {
    let chain = rejected.mapResult(on: .utility, onComplete: { _ in PromiseResult<Int, Int>.value(7) })
    assertFulfilled(chain.inner, 7)
  }

  func testMapResultWithTrailingClosure() {
    let chain = rejected.mapResult(on: .utility) { _ in PromiseResult<Int, TestError>.value(7) }
    assertFulfilled(chain.inner, 7)
  }

  func testFlatMapResult() {
    assertFulfilled(rejected.flatMapResult(on: .utility, { _ in Promise<Int, Int>(fulfilled: 8) }).inner, 8)
  }

  func testTryThen() {
    assertFulfilled(std.tryThen(on: .utility, { if $0 == 0 { throw TestError() } }).inner, 42)
    assertRejected(std.tryThen(on: .utility, { if $0 == 42 { throw TestError(id: 2) } }).inner, TestError(id: 2))
  }

  func testTryMap() {
    assertFulfilled(std.tryMap(on: .utility, { $0 + 1 }).inner, 43)
    assertRejected(std.tryMap(on: .utility, { (_) -> Int in throw TestError(id: 2) }).inner, TestError(id: 2))
  }

  func testTryFlatMap() {
    assertFulfilled(std.tryFlatMap(on: .utility, { StdPromise(fulfilled: $0 + 1) }).inner, 43)
    assertRejected(
      std.tryFlatMap(on: .utility, { _ in Promise<Int, OtherError>(rejected: .other) }).inner, OtherError.other)
  }

  func testTryRecover() {
    assertFulfilled(stdRejected.tryRecover(on: .utility, { ($0 as! TestError).id }).inner, 1)
    assertRejected(stdRejected.tryRecover(on: .utility, { _ in throw OtherError.other }).inner, OtherError.other)
  }

  func testTryMapError() {
    assertRejected(rejected.tryMapError(on: .utility, { TestError(id: $0.count) }).inner, TestError(id: 3))
    assertRejected(
      rejected.tryMapError(on: .utility, { (_) throws -> TestError in throw OtherError.other }).inner, OtherError.other)
  }

  func testTryFlatMapError() {
    assertFulfilled(rejected.tryFlatMapError(on: .utility, { StdPromise(fulfilled: $0.count) }).inner, 3)
    assertFulfilled(stdRejected.tryFlatMapError(on: .utility, { _ in Promise<Int, TestError>(fulfilled: 4) }).inner, 4)
  }

  func testTryMapResult() {
    assertFulfilled(rejected.tryMapResult(on: .utility, { _ in PromiseResult<Int, TestError>.value(1) }).inner, 1)
    assertRejected(
      rejected.tryMapResult(on: .utility, { (_) throws -> PromiseResult<Int, Error> in throw TestError() }).inner,
      TestError())
  }

  func testTryFlatMapResult() {
    assertFulfilled(rejected.tryFlatMapResult(on: .utility, { _ in StdPromise(fulfilled: 1) }).inner, 1)
    assertRejected(
      rejected.tryFlatMapResult(on: .utility, { _ in Promise<Int, OtherError>(rejected: .other) }).inner,
      OtherError.other)
  }

  func testInvalidatingSuppressesEveryStep() {
    let source = Source<String>()
    let chain = source.promise.withToken(token)
      .map(on: .immediate) { $0 }
      .then(on: .immediate) { _ in XCTFail("then") }
      .catch(on: .immediate) { _ in XCTFail("catch") }
      .always(on: .immediate) { _ in XCTFail("always") }
      .onCancel(on: .immediate) { XCTFail("onCancel") }
    token.invalidate()
    source.resolver.fulfill(with: 1)
    assertCancelled(chain.inner)
  }

  func testInvalidatingCancelsTheEnd() {
    let source = Source<String>()
    let chain = source.take().withToken(token).then(on: .immediate) { _ in }.map(on: .immediate) { $0 }
    token.invalidate()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(chain.inner)
  }

  func testCancelWithoutInvalidatingRunsTheCallbacks() {
    let log = Log()
    let source = Source<String>()
    source.take().withToken(token).then(on: .immediate) { _ in }.always(on: .immediate) { log.add("\($0)") }
    token.cancelWithoutInvalidating()
    XCTAssertEqual(log.events, ["cancelled"])
  }

  func testIgnoringCancel() {
    let source = Source<String>()
    let chain = source.promise.ignoringCancel().withToken(PromiseInvalidationToken()).ignoringCancel()
    chain.inner.requestCancel()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testFork() throws {
    let log = Log()
    let chain = fulfilled.fork { $0.then(on: .immediate) { log.add("\($0)") } }
    XCTAssertEqual(chain, fulfilled)
    XCTAssertEqual(log.events, ["42"])
    XCTAssertThrowsError(try fulfilled.fork { _ in throw TestError() })
  }

  func testRequestCancelOnInvalidateOfAnotherToken() {
    let source = Source<String>()
    let other = PromiseInvalidationToken()
    source.promise.withToken(token).requestCancelOnInvalidate(other)
    other.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }
}
