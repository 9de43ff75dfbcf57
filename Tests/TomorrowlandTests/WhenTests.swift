import Tomorrowland
import XCTest

final class WhenTests: XCTestCase {
  private func sources(_ count: Int) -> [Source<String>] { (0..<count).map { _ in Source() } }

  // MARK: when(fulfilled:)

  func testWhenFulfilledKeepsTheOrder() {
    let sources = self.sources(3)
    let promise = when(fulfilled: sources.map { $0.promise })
    for index in [2, 0, 1] {
      assertPending(promise)
      sources[index].resolver.fulfill(with: index)
    }
    assertFulfilled(promise, [0, 1, 2])
  }

  func testWhenFulfilledOnBackgroundQueues() {
    let promises = (0..<20).map { x in Promise<Int, String>(on: .utility, { $0.fulfill(with: x * 2) }) }
    assertFulfilled(when(fulfilled: promises), (0..<20).map { $0 * 2 })
  }

  func testWhenFulfilledOfNothing() {
    XCTAssertEqual(when(fulfilled: [Promise<Int, String>]()).result, .value([]))
  }

  func testWhenFulfilledOfFulfilledIsResolvedAtOnce() {
    XCTAssertEqual(
      when(fulfilled: [Promise<Int, String>(fulfilled: 1), Promise(fulfilled: 2)]).result, .value([1, 2]))
  }

  func testWhenFulfilledOfOneRejectedIsResolvedAtOnce() {
    let source = Source<String>()
    XCTAssertEqual(when(fulfilled: [source.promise, Promise(rejected: "foo")]).result, .error("foo"))
  }

  func testWhenFulfilledOfOneCancelledIsResolvedAtOnce() {
    let source = Source<String>()
    XCTAssertEqual(when(fulfilled: [source.promise, Promise(with: .cancelled)]).result, .cancelled)
  }

  func testWhenFulfilledTakesTheFirstError() {
    let sources = self.sources(3)
    let promise = when(fulfilled: sources.map { $0.promise })
    sources[2].resolver.reject(with: "first")
    sources[0].resolver.reject(with: "second")
    XCTAssertEqual(promise.result, .error("first"))
  }

  func testWhenFulfilledTakesACancellation() {
    let sources = self.sources(2)
    let promise = when(fulfilled: sources.map { $0.promise })
    sources[1].resolver.cancel()
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testWhenFulfilledLeavesTheOthersAlone() {
    let sources = self.sources(2)
    let promise = when(fulfilled: sources.map { $0.promise })
    sources[0].resolver.reject(with: "foo")
    assertRejected(promise, "foo")
    XCTAssertEqual(sources[1].requests.count, 0)
  }

  func testWhenFulfilledCancelOnFailure() {
    let sources = self.sources(3)
    let promise = when(fulfilled: sources.map { $0.promise }, cancelOnFailure: true)
    sources[1].resolver.reject(with: "foo")
    assertRejected(promise, "foo")
    XCTAssertEqual(sources[0].requests.count, 1)
    XCTAssertEqual(sources[2].requests.count, 1)
  }

  func testWhenFulfilledCancelOnFailureAfterACancellation() {
    let sources = self.sources(2)
    let promise = when(fulfilled: sources.map { $0.promise }, cancelOnFailure: true)
    sources[1].resolver.cancel()
    assertCancelled(promise)
    XCTAssertEqual(sources[0].requests.count, 1)
  }

  func testWhenFulfilledWithQoS() {
    let promises = [Promise<Int, String>(fulfilled: 1), Promise(fulfilled: 2)]
    assertFulfilled(when(fulfilled: promises, qos: .utility), [1, 2])
    assertFulfilled(when(fulfilled: promises, qos: .userInitiated, cancelOnFailure: true), [1, 2])
  }

  func testWhenFulfilledWithQoSCancelsOnFailure() {
    let sources = self.sources(2)
    let promise = when(fulfilled: sources.map { $0.promise }, qos: .background, cancelOnFailure: true)
    sources[0].resolver.reject(with: "foo")
    assertRejected(promise, "foo")
    XCTAssertEqual(sources[1].requests.count, 1)
  }

  func testWhenFulfilledPropagates() {
    let sources = self.sources(3)
    let promise = when(fulfilled: sources.map { $0.take() })
    promise.requestCancel()
    XCTAssertEqual(sources.map { $0.requests.count }, [1, 1, 1])
    assertCancelled(promise)
  }

  func testWhenFulfilledDoesNotPropagateToThoseWithOtherChildren() {
    let sources = self.sources(2)
    let child = sources[0].promise.map(on: .immediate) { $0 }
    let promise = when(fulfilled: sources.map { $0.take() })
    promise.requestCancel()
    withExtendedLifetime(sources) { assertPending(child) }
    XCTAssertEqual(sources.map { $0.requests.count }, [0, 1])
  }

  func testWhenFulfilledOfTheSamePromiseTwice() {
    let source = Source<String>()
    let promise = when(fulfilled: [source.promise, source.promise])
    source.resolver.fulfill(with: 4)
    assertFulfilled(promise, [4, 4])
  }

  func testWhenFulfilledOfAThousand() {
    let sources = self.sources(1000)
    let promise = when(fulfilled: sources.map { $0.promise })
    DispatchQueue.concurrentPerform(iterations: 1000) { sources[$0].resolver.fulfill(with: $0) }
    assertFulfilled(promise, Array(0..<1000))
  }

  // MARK: Tuples

  func testWhenOfTwo() {
    let promise = when(fulfilled: Promise<Int, String>(fulfilled: 1), Promise<String, String>(fulfilled: "two"))
    assertFulfilled(promise.map(on: .immediate, { (a, b) in "\(a) \(b)" }), "1 two")
  }

  func testWhenOfThree() {
    let promise = when(
      fulfilled: Promise<Int, String>(fulfilled: 1), Promise<String, String>(fulfilled: "two"),
      Promise<Double, String>(on: .utility, { $0.fulfill(with: 3) }))
    assertFulfilled(promise.map(on: .immediate, { (a, b, c) in "\(a) \(b) \(c)" }), "1 two 3.0")
  }

  func testWhenOfSix() {
    func make<T>(_ value: T) -> Promise<T, String> { Promise(on: .utility, { $0.fulfill(with: value) }) }
    let promise = when(fulfilled: make(1), make("2"), make(3.0), make(true), make([5]), make(UInt8(6)))
    result(of: promise)
    let value = promise.result?.value
    XCTAssertEqual(value?.0, 1)
    XCTAssertEqual(value?.1, "2")
    XCTAssertEqual(value?.2, 3)
    XCTAssertEqual(value?.3, true)
    XCTAssertEqual(value?.4, [5])
    XCTAssertEqual(value?.5, 6)
  }

  func testWhenOfTwoRejected() {
    let source = Source<String>()
    let promise = when(fulfilled: source.promise, Promise<Bool, String>(rejected: "foo"))
    XCTAssertEqual(promise.result?.error, "foo")
    XCTAssertEqual(source.requests.count, 0)
  }

  func testWhenOfTwoCancelOnFailure() {
    let source = Source<String>()
    let promise = when(fulfilled: source.promise, Promise<Bool, String>(rejected: "foo"), cancelOnFailure: true)
    XCTAssertEqual(promise.result?.error, "foo")
    XCTAssertEqual(source.requests.count, 1)
  }

  func testWhenOfTwoWithQoS() {
    let promise = when(
      fulfilled: Promise<Int, String>(fulfilled: 1), Promise<Bool, String>(fulfilled: true), qos: .utility)
    XCTAssertEqual(promise.result?.value?.1, true)
  }

  func testWhenOfTwoPropagates() {
    let (one, two) = (Source<String>(), Source<String>())
    when(fulfilled: one.take(), two.take()).requestCancel()
    XCTAssertEqual([one.requests.count, two.requests.count], [1, 1])
  }

  // MARK: when(first:)

  func testWhenFirstTakesTheFirstValue() {
    let sources = self.sources(3)
    let promise = when(first: sources.map { $0.promise })
    sources[1].resolver.fulfill(with: 1)
    sources[0].resolver.fulfill(with: 0)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testWhenFirstTakesTheFirstError() {
    let sources = self.sources(2)
    let promise = when(first: sources.map { $0.promise })
    sources[1].resolver.reject(with: "foo")
    XCTAssertEqual(promise.result, .error("foo"))
  }

  func testWhenFirstIgnoresCancelled() {
    let sources = self.sources(2)
    let promise = when(first: sources.map { $0.promise })
    sources[0].resolver.cancel()
    assertPending(promise)
    sources[1].resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testWhenFirstOfAllCancelled() {
    let sources = self.sources(2)
    let promise = when(first: sources.map { $0.promise })
    for source in sources { source.resolver.cancel() }
    XCTAssertEqual(promise.result, .cancelled)
  }

  func testWhenFirstOfAllCancelledAlready() {
    XCTAssertEqual(when(first: [Promise<Int, String>(with: .cancelled), Promise(with: .cancelled)]).result, .cancelled)
  }

  func testWhenFirstOfNothing() {
    XCTAssertEqual(when(first: [Promise<Int, String>]()).result, .cancelled)
  }

  func testWhenFirstLeavesTheOthersAlone() {
    let sources = self.sources(2)
    let promise = when(first: sources.map { $0.promise })
    sources[0].resolver.fulfill(with: 0)
    assertFulfilled(promise, 0)
    XCTAssertEqual(sources[1].requests.count, 0)
  }

  func testWhenFirstCancelRemaining() {
    let sources = self.sources(3)
    let promise = when(first: sources.map { $0.promise }, cancelRemaining: true)
    sources[1].resolver.fulfill(with: 1)
    assertFulfilled(promise, 1)
    XCTAssertEqual([sources[0].requests.count, sources[2].requests.count], [1, 1])
  }

  func testWhenFirstCancelRemainingAfterAnError() {
    let sources = self.sources(2)
    let promise = when(first: sources.map { $0.promise }, cancelRemaining: true)
    sources[0].resolver.reject(with: "foo")
    assertRejected(promise, "foo")
    XCTAssertEqual(sources[1].requests.count, 1)
  }

  func testWhenFirstPropagates() {
    let sources = self.sources(3)
    let promise = when(first: sources.map { $0.take() })
    promise.requestCancel()
    XCTAssertEqual(sources.map { $0.requests.count }, [1, 1, 1])
    assertCancelled(promise)
  }
}
