import FranticApparatus
import Overmorrow
import TestSupport
import XCTest

private typealias Promise = FranticApparatus.Promise
private typealias Result = FranticApparatus.Result

private enum Trouble: Error, Equatable { case first, second }

/// A dispatcher that stores closures until the test runs them.
final class ManualDispatcher: Dispatcher {
  private let lock = NSLock()
  private var closures: [() -> Void] = []
  private(set) var total = 0

  func dispatch(_ closure: @escaping () -> Void) {
    lock.withLock {
      closures.append(closure)
      total += 1
    }
  }

  var count: Int { lock.withLock { closures.count } }

  func runAll() {
    while let next = lock.withLock({ closures.isEmpty ? nil : closures.removeFirst() }) { next() }
  }
}

private final class Controller {
  var shown: [String] = []
}

final class FranticApparatusTests: XCTestCase {
  private let dispatcher = ManualDispatcher()
  private var log: [String] = []

  private func pending<T>(_: T.Type = T.self) -> (FranticApparatus.Promise<T>, (T) -> Void, (Error) -> Void, () -> Bool)
  {
    var parts: ((T) -> Void, (Error) -> Void, () -> Bool)!
    let promise = Promise<T> { parts = ($0, $1, $2) }
    return (promise, parts.0, parts.1, parts.2)
  }

  private func fulfilled<T>(_ value: T) -> FranticApparatus.Promise<T> { Promise { fulfill, _, _ in fulfill(value) } }
  private func rejected<T>(_ error: Error) -> FranticApparatus.Promise<T> { Promise { _, reject, _ in reject(error) } }

  /// Returns a description of a promise's result after all closures have run.
  private func outcome<T>(_ promise: FranticApparatus.Promise<T>) -> String {
    var text = "pending"
    let observer = promise.then(
      on: dispatcher,
      onFulfilled: { value -> FranticApparatus.Result<Void> in
        text = "\(value)"
        return .value(())
      },
      onRejected: { error in
        text = "error \(error)"
        return .value(())
      })
    dispatcher.runAll()
    withExtendedLifetime(observer) {}
    return text
  }

  /// Returns the error of a promise after all closures have run.
  private func failure<T>(_ promise: FranticApparatus.Promise<T>) -> Error? {
    var failure: Error?
    let observer = promise.whenRejected(on: dispatcher) { failure = $0 }
    dispatcher.runAll()
    return withExtendedLifetime(observer) { failure }
  }

  // MARK: Resolving

  func testBodyRunsInsideTheInitialiser() {
    var ran = false
    let promise = Promise<Int> { fulfill, _, isCancelled in
      ran = true
      XCTAssertFalse(isCancelled())
      fulfill(1)
    }
    XCTAssert(ran)
    XCTAssertEqual(outcome(promise), "1")
  }

  func testOnlyTheFirstResultCounts() {
    let promise = Promise<Int> { fulfill, reject, _ in
      fulfill(1)
      fulfill(2)
      reject(Trouble.first)
    }
    XCTAssertEqual(outcome(promise), "1")
  }

  func testEachDispatcherRunsTheCallback() {
    let queue = OperationQueue()
    let dispatchers: [(Dispatcher, isThere: () -> Bool)] = [
      (GCDDispatcher.main, { Thread.isMainThread }),
      (OperationDispatcher(queue: queue), { OperationQueue.current === queue }),
    ]
    for (dispatcher, isThere) in dispatchers {
      let done = expectation(description: "\(dispatcher)")
      let promise = Promise<Int> { fulfill, _, _ in DispatchQueue.global().async { fulfill(7) } }
      let observer = promise.whenFulfilled(on: dispatcher) { value in
        XCTAssertEqual(value, 7)
        XCTAssert(isThere(), "\(dispatcher)")
        done.fulfill()
      }
      wait(for: [done], timeout: 30)
      withExtendedLifetime(observer) {}
    }
    XCTAssert(OperationDispatcher.main.queue === OperationQueue.main)
    XCTAssert(OperationDispatcher.main === OperationDispatcher.main && GCDDispatcher.main === GCDDispatcher.main)
  }

  // MARK: Dispatching

  func testEachStepIsDispatchedOnceEvenIfResolved() {
    let last = fulfilled(1).whenFulfilledThenTransform(on: dispatcher) { $0 + 1 }
      .whenFulfilledThenTransform(on: dispatcher) { $0 + 1 }
      .whenFulfilled(on: dispatcher) { self.log.append("\($0)") }
    XCTAssertEqual(dispatcher.count, 1)
    XCTAssertEqual(log, [])
    dispatcher.runAll()
    XCTAssertEqual(log, ["3"])
    XCTAssertEqual(dispatcher.total, 3)
    withExtendedLifetime(last) {}
  }

  func testErrorIsDispatchedToEachStep() {
    let last = (rejected(Trouble.first) as Promise<Int>).whenFulfilled(on: dispatcher) { _ in self.log.append("no") }
      .whenRejected(on: dispatcher) { self.log.append("\($0)") }
    dispatcher.runAll()
    XCTAssertEqual(log, ["first"])
    XCTAssertEqual(dispatcher.total, 2)
    withExtendedLifetime(last) {}
  }

  // MARK: Chains

  func testFulfilledStepReturnsAValueOrAPromiseOrThrows() {
    let (inner, fulfill, _, _) = pending(String.self)
    let promise = fulfilled(1).whenFulfilledThenPromise(on: dispatcher) { _ in inner }
    dispatcher.runAll()
    fulfill("inner")
    XCTAssertEqual(outcome(promise), "inner")
    XCTAssertEqual(outcome(fulfilled(1).whenFulfilledThenMap(on: dispatcher) { .value($0 + 1) }), "2")
    XCTAssertEqual(
      outcome(fulfilled(1).whenFulfilledThenTransform(on: dispatcher) { _ -> Int in throw Trouble.second }),
      "error second")
  }

  func testRejectedStepRecoversOrThrows() {
    let failed: Promise<Int> = rejected(Trouble.first)
    XCTAssertEqual(outcome(failed.whenRejectedThenTransform(on: dispatcher) { _ in 5 }), "5")
    XCTAssertEqual(outcome(failed.whenRejectedThenPromise(on: dispatcher) { _ in self.fulfilled(6) }), "6")
    XCTAssertEqual(outcome(failed.whenRejectedThenMap(on: dispatcher) { throw $0 }), "error first")
    XCTAssertEqual(outcome(failed.whenRejected(on: dispatcher) { _ in throw Trouble.second }), "error second")
    XCTAssertEqual(outcome(fulfilled(1).whenRejectedThenTransform(on: dispatcher) { _ in 5 }), "1")
  }

  func testWhenFulfilledAndWhenCompletePassTheOutcomeOn() {
    XCTAssertEqual(outcome(fulfilled(1).whenFulfilled(on: dispatcher) { _ in }), "1")
    XCTAssertEqual(outcome(fulfilled(1).whenFulfilled(on: dispatcher) { _ in throw Trouble.first }), "error first")
    let failed: Promise<Int> = rejected(Trouble.first)
    for promise in [fulfilled(1), failed] {
      _ = outcome(promise.whenComplete(on: dispatcher) { self.log.append("complete") })
    }
    XCTAssertEqual(log, ["complete", "complete"])
    XCTAssertEqual(outcome(failed.whenComplete(on: dispatcher) {}), "error first")
  }

  func testLongChainResolvesWithoutRecursion() {
    var last = fulfilled(0)
    for _ in 0..<20_000 { last = last.whenFulfilledThenTransform(on: dispatcher) { $0 + 1 } }
    XCTAssertEqual(outcome(last), "20000")
  }

  func testLongChainIsReleasedUnresolvedWithoutRecursion() {
    let (first, _, _, isCancelled) = pending(Int.self)
    onThread(stackSize: 512 << 10) { [dispatcher] in
      var chain = first
      for _ in 0..<20_000 { chain = chain.whenFulfilledThenTransform(on: dispatcher) { $0 + 1 } }
    }
    withExtendedLifetime(first) { XCTAssertFalse(isCancelled(), "the first one is held") }
    XCTAssertEqual(dispatcher.total, 0)
  }

  // MARK: Ownership

  func testChainRetainsThePromiseItWaitsFor() {
    weak var first: Promise<Int>?
    var fulfill: ((Int) -> Void)?
    let last: Promise<Int> = {
      let (promise, resolve, _, _) = pending(Int.self)
      first = promise
      fulfill = resolve
      return promise.whenFulfilledThenTransform(on: dispatcher) { $0 + 1 }
    }()
    XCTAssertNotNil(first)
    fulfill?(1)
    XCTAssertEqual(outcome(last), "2")
    XCTAssertNil(first, "nothing is waited for any more")
  }

  func testIsCancelledTurnsTrueWhenTheLastReferenceIsReleased() {
    let ways: [(String, (FranticApparatus.Promise<Int>) -> AnyObject)] = [
      ("itself", { $0 }),
      ("a step", { [dispatcher] in $0.whenFulfilled(on: dispatcher) { _ in self.log.append("ran") } }),
      (
        "a chain that it is inside",
        { [dispatcher] work in self.fulfilled(1).whenFulfilledThenPromise(on: dispatcher) { _ in work } }
      ),
      ("all", { all([$0, self.fulfilled(1)]) }), ("any", { any(["a": $0, "b": self.fulfilled(1)]) }),
      ("race", { race([$0, self.rejected(Trouble.first)]) }),
    ]
    for (name, make) in ways {
      var isCancelled: (() -> Bool)?
      var fulfill: ((Int) -> Void)?
      var last: AnyObject? = make(Promise { (fulfill, isCancelled) = ($0, $2) })
      dispatcher.runAll()
      withExtendedLifetime(last) { XCTAssertEqual(isCancelled?(), false, name) }
      last = nil
      XCTAssertEqual(isCancelled?(), true, name)
      fulfill?(1)
      dispatcher.runAll()
      XCTAssertEqual(log, [], name)
    }
  }

  func testSubmittedCallbackDoesNotRunAfterTheChainIsReleased() {
    var last: Promise<Int>? = fulfilled(1).whenFulfilled(on: dispatcher) { _ in self.log.append("ran") }
    XCTAssertEqual(dispatcher.count, 1)
    withExtendedLifetime(last) {}
    last = nil
    dispatcher.runAll()
    XCTAssertEqual(log, [])
  }

  func testWorkContinuesWhileAnotherObserverIsRetained() {
    var isCancelled: (() -> Bool)?
    var root: Promise<Int>? = Promise { _, _, wanted in isCancelled = wanted }
    var first = root?.whenFulfilled(on: dispatcher) { _ in }
    let second = root?.whenFulfilled(on: dispatcher) { _ in }
    root = nil
    withExtendedLifetime(first) {}
    first = nil
    withExtendedLifetime(second) { XCTAssertEqual(isCancelled?(), false) }
  }

  // MARK: Contexts

  func testMakerPassesTheContextToEachStep() {
    let controller = Controller()
    let promise: Promise<String> = PromiseMaker.makeUsing(dispatcher: dispatcher, context: controller) { makePromise in
      makePromise { _ in self.fulfilled(1) }
        .whenFulfilled { controller, value in controller.shown.append("\(value)") }
        .whenFulfilledThenTransform { controller, value in "\(value) of \(controller.shown.count)" }
        .whenComplete { controller in controller.shown.append("complete") }
    }
    XCTAssertEqual(outcome(promise), "1 of 1")
    XCTAssertEqual(controller.shown, ["1", "complete"])
  }

  func testReleasedContextRejectsTheChain() {
    var controller: Controller? = Controller()
    weak let weakController = controller
    let (start, fulfill, _, _) = pending(Int.self)
    let promise: Promise<Int> = PromiseMaker.makeUsing(dispatcher: dispatcher, context: controller!) { makePromise in
      makePromise { _ in start }.whenFulfilled { _, _ in self.log.append("ran") }
    }
    controller = nil
    XCTAssertNil(weakController, "the chain does not keep it")
    fulfill(1)
    XCTAssertEqual(outcome(promise), "error contextDeallocated")
    XCTAssertEqual(log, [])
  }

  func testMakerRunsErrorSteps() {
    let controller = Controller()
    let promise: Promise<Int> = PromiseMaker.makeUsing(dispatcher: dispatcher, context: controller) { makePromise in
      makePromise { _ -> Promise<Int> in self.rejected(Trouble.first) }
        .whenRejected { controller, error in controller.shown.append("\(error)") }
        .whenRejectedThenMap { _, _ in throw Trouble.second }
        .whenRejectedThenPromise { _, _ in self.fulfilled(3) }
        .whenRejectedThenTransform { _, _ in 4 }
        .whenFulfilledThenPromise { _, value in self.fulfilled(value + 1) }
        .whenFulfilledThenMap { _, value in .value(value + 1) }
    }
    XCTAssertEqual(outcome(promise), "5")
    XCTAssertEqual(controller.shown, ["first"])
  }

  // MARK: Several promises

  func testAllKeepsOrderAndKeys() {
    XCTAssertEqual(outcome(all([fulfilled(1), fulfilled(2)])), "[1, 2]")
    XCTAssertEqual(outcome(all([Promise<Int>]())), "[]")
    XCTAssertEqual(outcome(all([fulfilled(1), rejected(Trouble.second)])), "error second")
    XCTAssertEqual(outcome(all(["a": fulfilled(1)])), "[\"a\": 1]")
  }

  func testAnyWaitsForAllInputs() throws {
    let (late, fulfill, _, _) = pending(Int.self)
    let promise = any(["a": fulfilled(1), "b": rejected(Trouble.first), "c": late])
    XCTAssertEqual(outcome(promise), "pending")
    fulfill(3)
    var found: AnyResult<String, Int>?
    let done = promise.whenFulfilled(on: dispatcher) { found = $0 }
    dispatcher.runAll()
    let result = try withExtendedLifetime(done) { try XCTUnwrap(found) }
    XCTAssertEqual(result.values, ["a": 1, "c": 3])
    XCTAssertEqual(result.reasons as? [String: Trouble], ["b": .first])
    XCTAssertEqual(try result.requiredValue(for: "a"), 1)
    XCTAssertThrowsError(try result.requiredValue(for: "b")) { XCTAssertEqual($0 as? Trouble, .first) }
    XCTAssertThrowsError(try result.requiredValue(for: "z"))
  }

  func testAnyOfFailuresRejectsWithAllErrors() {
    let promise: Promise<AnyResult<String, Int>> = any(["a": rejected(Trouble.first), "b": rejected(Trouble.second)])
    let errors = (failure(promise) as? ErrorDictionary<String>)?.errors
    XCTAssertEqual(errors as? [String: Trouble], ["a": .first, "b": .second])
  }

  func testRaceTakesTheFirstFulfilledInput() {
    let (slow, _, _, _) = pending(Int.self)
    XCTAssertEqual(outcome(race([rejected(Trouble.first), slow, fulfilled(3)])), "3")
  }

  func testRaceWithoutASuccessRejectsWithErrorsInOrder() {
    let (first, _, rejectFirst, _) = pending(Int.self)
    let (second, _, rejectSecond, _) = pending(Int.self)
    let promise = race([first, second])
    rejectSecond(Trouble.second)
    rejectFirst(Trouble.first)
    XCTAssertEqual((failure(promise) as? ErrorArray)?.errors as? [Trouble], [.second, .first])
  }

  // MARK: Conversion

  func testPromiseConvertsFromAndToOvermorrow() {
    let (promise, fulfill, _, _) = pending(Int.self)
    let core = promise.overmorrow
    fulfill(3)
    XCTAssertEqual(core.result?.value, 3)
    XCTAssertEqual(outcome(Promise(Overmorrow.Promise<Int, Error>(fulfilled: 4))), "4")
    XCTAssertEqual(outcome(Promise(Overmorrow.Promise<Int, Error>(rejected: Trouble.first))), "error first")
    let (origin, resolver) = Overmorrow.Promise<Int, Error>.makeWithResolver()
    var follower: Promise<Int>? = Promise(origin.makeChild())
    withExtendedLifetime(follower) { XCTAssertFalse(resolver.hasRequestedCancel) }
    follower = nil
  }
}
