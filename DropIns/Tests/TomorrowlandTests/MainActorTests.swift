import Tomorrowland
import XCTest

/// A main-actor class, like those of UIKit today, whose callbacks name their context.
@MainActor private final class Screen {
  var events: [String] = []
  let token = PromiseInvalidationToken()

  func observe(_ promise: StdPromise<Int>) {
    promise.then(on: .main) { self.events.append("then \($0)") }
      .always(on: .main) { _ in self.events.append("always") }
      .tap(on: .main) { _ in self.events.append("tap") }
    promise.catch(on: .main) { _ in self.events.append("catch") }
    promise.onCancel(on: .main) { self.events.append("onCancel") }
  }

  func observe(_ promise: TokenPromise<Int, Error>) {
    promise.then(on: .main) { self.events.append("then \($0)") }
      .always(on: .main) { _ in self.events.append("always") }
      .tap(on: .main) { _ in self.events.append("tap") }
      .catch(on: .main) { _ in self.events.append("catch") }
      .onCancel(on: .main) { self.events.append("onCancel") }
  }

  func transform(_ promise: StdPromise<Int>) -> StdPromise<Int> {
    promise
      .map(on: .main) { value -> Int in
        self.events.append("map")
        return value
      }
      .tryMap(on: .main) { value -> Int in
        self.events.append("tryMap")
        if value == 1 { throw TestError(id: 1) }
        return value
      }
      .flatMapError(on: .main) { error -> StdPromise<Int> in
        self.events.append("flatMapError")
        return StdPromise(rejected: error)
      }
      .tryRecover(on: .main) { _ -> Int in
        self.events.append("tryRecover")
        return 2
      }
      .tryFlatMap(on: .main) { value -> Promise<Int, TestError> in
        self.events.append("tryFlatMap")
        return Promise(fulfilled: value + 1)
      }
  }

  func produceNothing() -> (StdPromise<Int>, StdPromise<Int>.Resolver) {
    let (promise, resolver) = StdPromise<Int>.makeWithResolver()
    resolver.onRequestCancel(on: .main) { resolver in
      self.events.append("asked")
      resolver.cancel()
    }
    return (promise.propagatingCancellation(on: .main) { _ in self.events.append("all asked") }, resolver)
  }
}

final class MainActorTests: XCTestCase {
  private lazy var screen: Screen = onMain { Screen() }
  private var events: [String] { onMain { screen.events } }

  func testObserversRunOnTheMainActor() {
    let results: [(PromiseResult<Int, Error>, [String])] = [
      (.value(1), ["always", "tap", "then 1"]), (.error(TestError()), ["always", "catch", "tap"]),
      (.cancelled, ["always", "onCancel", "tap"]),
    ]
    for (result, expected) in results {
      for withToken in [false, true] {
        screen = onMain { Screen() }
        onMain {
          let promise = StdPromise<Int>(with: result)
          if withToken { screen.observe(promise.withToken(screen.token)) } else { screen.observe(promise) }
        }
        passMain()
        XCTAssertEqual(events.sorted(), expected, "\(result), \(withToken)")
      }
    }
  }

  func testTransformsRunOnTheMainActor() {
    assertFulfilled(onMain { screen.transform(StdPromise(fulfilled: 1)) }, 3)
    XCTAssertEqual(events, ["map", "tryMap", "flatMapError", "tryRecover", "tryFlatMap"])
  }

  @MainActor func testBodiesRunOnTheMainActor() {
    let screen = Screen()
    let promise = StdPromise<Int>(on: .main) { resolver in
      screen.events.append("body")
      DispatchQueue.main.async { [count = screen.events.count] in resolver.fulfill(with: count) }
    }
    let throwing = StdPromise<Int>(on: .main) { _ in
      screen.events.append("body that throws")
      throw TestError(id: 2)
    }
    assertFulfilled(promise, 1)
    assertRejected(throwing, TestError(id: 2))
    XCTAssertEqual(screen.events, ["body", "body that throws"])
  }

  func testCancelHandlersRunOnTheMainActor() {
    let (promise, resolver) = onMain { screen.produceNothing() }
    promise.makeChild().requestCancel()
    withExtendedLifetime(resolver) { assertCancelled(promise) }
    XCTAssertEqual(events, ["all asked", "asked"])
  }

  // Failure types that conform to `Error`. Overmorrow has initialisers for those too, which must not be chosen here.

  @MainActor func testDelayedBodiesRunForEachKindOfFailureType() {
    let screen = Screen()
    let delayed = DelayedPromise<Int, String>(on: .main) { resolver in
      screen.events.append("delayed")
      resolver.fulfill(with: screen.events.count)
    }
    let withError = DelayedPromise<Int, TestError>(on: .main) { resolver in
      resolver.reject(with: TestError(id: screen.events.count))
    }
    let throwing = StdDelayedPromise<Int>(on: .main) { resolver in
      if screen.events.count == 1 { throw TestError(id: 2) }
      resolver.fulfill(with: 1)
    }
    assertFulfilled(delayed.promise, 1)
    assertRejected(withError.promise, TestError(id: 1))
    assertRejected(throwing.promise, TestError(id: 2))
  }

  @MainActor func testOperationsRunForEachKindOfFailureType() {
    func started<V, E>(_ operation: PromiseOperation<V, E>) -> Promise<V, E> {
      operation.start()
      return operation.promise
    }
    let screen = Screen()
    let operation = PromiseOperation<Int, String>(on: .main) { resolver in
      screen.events.append("operation")
      resolver.fulfill(with: screen.events.count)
    }
    let withError = PromiseOperation<Int, TestError>(on: .main) { resolver in
      resolver.reject(with: TestError(id: screen.events.count))
    }
    let throwing = StdPromiseOperation<Int>(on: .main) { resolver in
      if screen.events.count == 1 { throw TestError(id: 2) }
      resolver.fulfill(with: 1)
    }
    assertFulfilled(started(operation), 1)
    assertRejected(started(withError), TestError(id: 1))
    assertRejected(started(throwing), TestError(id: 2))
  }

  func testClosureOnUtilityRunsOffTheMainThread() {
    assertFulfilled(onMain { StdPromise(fulfilled: 1).map(on: .utility) { _ in Thread.isMainThread } }, false)
  }
}
