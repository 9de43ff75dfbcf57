import Tomorrowland
import XCTest

/// Delays and timeouts in seconds.
final class UtilitiesTests: XCTestCase {
  private typealias P = Promise<Int, String>
  private let source = Source<String>(complying: true)

  func testDelayedPromisesResolveOnTheirContexts() {
    let queue = MarkedQueue()
    queue.queue.suspend()
    let promises: [(P, context: String, ends: String)] = [
      (P(fulfilled: 42, after: 0.01), "main", "42"), (P(rejected: "foo", after: 0.01), "main", "error foo"),
      (P(with: .cancelled, after: 0.01), "main", "cancelled"), (P(fulfilled: 1).delay(0.01), "main", "1"),
      (P(on: queue.context, fulfilled: 42, after: 0.01), "queue", "42"),
      (P(on: queue.context, rejected: "foo", after: 0.01), "queue", "error foo"),
      (P(on: queue.context, with: .value(1), after: 0.01), "queue", "1"),
      (P(fulfilled: 1).delay(on: queue.context, 0.01), "queue", "1"),
      (P(rejected: "foo").delay(on: queue.context, 0.01), "queue", "error foo"),
      // For delayed results, `.immediate` means `.auto`.
      (P(on: .immediate, fulfilled: 1, after: 0.001), "main", "1"),
      (P(rejected: "foo").delay(on: .nowOr(.immediate), 0.001), "main", "error foo"),
    ]
    let places = promises.map { promise, _, _ in
      promise.mapResult(on: .immediate) { _ in
        PromiseResult<String, String>.value(queue.isCurrent ? "queue" : Thread.isMainThread ? "main" : "elsewhere")
      }
    }
    for place in places { XCTAssertNil(place.result) }
    queue.queue.resume()
    for (place, (promise, context, ends)) in zip(places, promises) {
      XCTAssertEqual(text(result(of: place)), context, "\(promise), \(ends)")
      XCTAssertEqual(text(promise.result), ends, "\(promise), \(ends)")
    }
  }

  func testDelayLastsAtLeastItsDuration() {
    let start = DispatchTime.now()
    assertFulfilled(P(on: .immediate, fulfilled: 1, after: 0.05), 1)
    XCTAssertGreaterThanOrEqual(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds, 50_000_000)
  }

  func testTimeoutRejectsOnItsContextAndRequestsCancellation() {
    let queue = MarkedQueue()
    let promise = source.promise.timeout(on: queue.context, delay: 0.01).mapError(on: .immediate) { error in
      XCTAssertEqual(error, .timedOut)
      return queue.isCurrent
    }
    assertRejected(promise, true)
    XCTAssertEqual(source.requestCount, 0)
    assertRejected(source.take().timeout(delay: 0.01), PromiseTimeoutError<String>.timedOut)
    XCTAssertEqual(source.requestCount, 1)
  }

  func testTimeoutOfAPromiseWithAnyErrorRejectsWithTimedOut() {
    let source = Source<Error>(complying: true)
    defer { withExtendedLifetime(source) {} }
    let promise: StdPromise<Int> = source.promise.timeout(delay: 0.01)
    guard case PromiseTimeoutError<Error>.timedOut? = result(of: promise)?.error as? PromiseTimeoutError<Error> else {
      return XCTFail("\(promise)")
    }
  }

  func testTimeoutOfZeroIsSynchronous() {
    XCTAssertEqual(source.promise.timeout(delay: 0).result, .error(.timedOut))
    XCTAssertEqual(source.promise.timeout(on: .immediate, delay: -1).result, .error(.timedOut))
  }

  func testNanAndInfiniteIntervalsAreAccepted() {
    assertFulfilled(P(on: .immediate, fulfilled: 1, after: .nan), 1)
    assertFulfilled(P(on: .immediate, fulfilled: 1, after: -.infinity), 1)
    let promise = P(on: .immediate, fulfilled: 1, after: .infinity)
    promise.requestCancel()
    assertCancelled(promise)
  }

  func testTimeoutErrorHasNSErrorUserInfo() {
    let timedOut = PromiseTimeoutError<String>.timedOut.errorUserInfo
    XCTAssertEqual(timedOut[NSLocalizedDescriptionKey] as? String, "The operation timed out.")
    let rejected = PromiseTimeoutError<Error>.rejected(TestError(id: 1)).errorUserInfo
    XCTAssertEqual(rejected[NSUnderlyingErrorKey] as? TestError, TestError(id: 1))
    let stringly = PromiseTimeoutError<String>.rejected("foo").errorUserInfo
    XCTAssertEqual(stringly[NSLocalizedDescriptionKey] as? String, "foo")
    XCTAssertEqual((PromiseTimeoutError<String>.timedOut as Error).localizedDescription, "The operation timed out.")
  }
}
