import Tomorrowland
import XCTest

/// The members of a chain with a token other than operators with a closure. `OperatorTests` covers those.
final class TokenPromiseTests: XCTestCase {
  private let token = PromiseInvalidationToken()
  private let source = Source<String>(complying: true)
  private lazy var fulfilled = Promise<Int, String>(fulfilled: 42).withToken(token)

  func testChainHasItsPromiseAndToken() {
    let promise = Promise<Int, String>(fulfilled: 1)
    let chain = promise.withToken(token)
    XCTAssertEqual(chain.inner, promise)
    XCTAssertEqual(chain.token, token)
    XCTAssertEqual(chain, TokenPromise(promise: promise, token: token))
    XCTAssertEqual(chain.map(on: .immediate) { $0 }.token, token)
  }

  func testTapReturnsItsReceiverOnlyWithACallback() {
    XCTAssertEqual(fulfilled.tap(on: .immediate, { _ in }), fulfilled)
    XCTAssertNotEqual(fulfilled.tap(), fulfilled)
    XCTAssertEqual(fulfilled.tap().inner.result, .value(42))
  }

  func testUpcastKeepsErrorAndToken() {
    let chain: TokenPromise<Int, Error> = Promise<Int, TestError>(rejected: TestError(id: 1)).withToken(token).upcast
    assertRejected(chain.inner, TestError(id: 1))
    XCTAssertEqual(chain.token, token)
  }

  func testCancelWithoutInvalidatingRunsTheCallbacks() {
    let log = Recorder<String>()
    source.take().withToken(token).then(on: .immediate) { _ in }.always(on: .immediate) { log.record("\($0)") }
    token.cancelWithoutInvalidating()
    XCTAssertEqual(log.entries, ["cancelled"])
  }

  func testIgnoringCancelHoldsARequestBack() {
    source.take().withToken(token).ignoringCancel().requestCancel()
    XCTAssertEqual(source.requestCount, 0)
  }

  func testForkReturnsItsReceiverAndRethrows() throws {
    let log = Recorder<String>()
    let chain = fulfilled.fork { $0.then(on: .immediate) { log.record("\($0)") } }
    XCTAssertEqual(chain, fulfilled)
    XCTAssertEqual(log.entries, ["42"])
    XCTAssertThrowsError(try fulfilled.fork { _ in throw TestError() })
  }

  func testAnotherTokenRequestsCancellation() {
    let other = PromiseInvalidationToken()
    source.promise.withToken(token).requestCancelOnInvalidate(other)
    other.invalidate()
    XCTAssertEqual(source.requestCount, 1)
  }
}
