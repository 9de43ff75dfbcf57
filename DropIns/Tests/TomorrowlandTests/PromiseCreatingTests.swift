import Tomorrowland
import XCTest

final class PromiseCreatingTests: XCTestCase {
  func testBodiesRunOnTheirContexts() {
    let (queue, log) = (MarkedQueue(), Recorder<String>())
    let bodies: [(PromiseContext, isThere: () -> Bool)] = [
      (.immediate, { log.entries.count == 0 }), (.nowOr(.utility), { log.entries.count == 0 }),
      (queue.context, { queue.isCurrent }),
      (.main, { log.entries.count == 1 && Thread.isMainThread }), (.background, { !Thread.isMainThread }),
      (.utility, { !Thread.isMainThread }), (.default, { !Thread.isMainThread }),
      (.userInitiated, { !Thread.isMainThread }), (.userInteractive, { !Thread.isMainThread }),
    ]
    let promises = bodies.map { context, isThere in
      Promise<Bool, String>(on: context) { resolver in resolver.fulfill(with: isThere()) }
    }
    log.record("made")
    for (promise, (context, _)) in zip(promises, bodies) {
      XCTAssertEqual(result(of: promise), .value(true), "\(context)")
    }
  }

  func testThrowingBodyRejects() {
    assertRejected(StdPromise<Int>(on: .immediate, { _ in throw TestError(id: 3) }), TestError(id: 3))
    assertRejected(StdPromise<Int>(on: .utility, { _ in throw TestError(id: 3) }), TestError(id: 3))
    assertFulfilled(Promise<Int, Error>(on: .immediate, { $0.fulfill(with: 1) }), 1)
    let promise = StdPromise<Int>(on: .immediate) { resolver in
      resolver.fulfill(with: 1)
      throw TestError()
    }
    assertFulfilled(promise, 1)
  }

  func testNonSendableClassIsAValidValue() {
    let box = Box(0)
    let promise = Promise<Box<Int>, Error>(on: .utility) { resolver in
      box.value += 1
      resolver.fulfill(with: box)
    }
    XCTAssertTrue(result(of: promise)?.value === box)
    XCTAssertEqual(box.value, 1)
  }

  func testClosureIsAValidValue() {
    let promise = Promise<() -> Int, Error>(fulfilled: { 12 })
    assertFulfilled(promise.map(on: .utility, { $0() }), 12)
  }

  func testBodyIsReleasedAfterItRan() {
    let tracker = Tracker()
    let (kept, resolver) = Promise<Int, String>.makeWithResolver()
    let promise = Promise<Int, String>(on: .immediate, tracker.callback { $0.resolve(with: kept) })
    XCTAssertEqual(tracker.count, 0)
    resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testErrorAliasNamesTheFailureType() {
    func failure<V, E>(_ promise: Promise<V, E>) -> Promise<V, E>.Error? { promise.result?.error }
    XCTAssertEqual(failure(Promise<Int, String>(rejected: "foo")), "foo")
    XCTAssertEqual(Promise<Int, TestError>(rejected: TestError(id: 8)).idOfError, 8)
    XCTAssertTrue(StdPromise(fulfilled: 1).isStd)
    XCTAssertEqual(PromiseResult<Int, TestError>(.success(1)).swiftResult(), .success(1))
    XCTAssertEqual(PromiseResult(.failure(TestError(id: 1))), PromiseResult<Int, TestError>.error(TestError(id: 1)))
    XCTAssertNil(PromiseResult<Int, TestError>.cancelled.swiftResult())
  }
}

// Extensions written against Tomorrowland, whose second type parameter is named `Error`.
extension Promise where Error == TestError {
  var idOfError: Int? { result?.error?.id }
}

extension Promise where Error == Swift.Error {
  var isStd: Bool { true }
}

extension PromiseResult where Error: Swift.Error {
  func swiftResult() -> Result<Value, Error>? {
    switch self {
    case .value(let value): return .success(value)
    case .error(let error): return .failure(error)
    case .cancelled: return nil
    }
  }
}
