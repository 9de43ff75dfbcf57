import Tomorrowland
import XCTest

private let reports = Recorder<String>()

@Sendable private func report(_ value: Int) { reports.record("\(value)") }

/// The common behaviour of all operators, on a promise and on a chain with a token, and the ways in which code writes
/// some of them.
final class OperatorTests: XCTestCase {
  private let results: [PromiseResult<Int, String>] = [.value(42), .error("foo"), .cancelled]
  private let stdResults: [PromiseResult<Int, Error>] = [.value(42), .error(TestError(id: 1)), .cancelled]

  // MARK: Each operator

  /// Checks each operator with each result.
  private func check<R, E>(
    _ operators: [Operator<R>], _ results: [PromiseResult<Int, E>], _ invalidated: Bool,
    _ receiver: (Promise<Int, E>, PromiseInvalidationToken) -> R
  ) {
    for (step, result) in operators.flatMap({ step in results.map { (step, $0) } }) {
      let name = "\(step) of \(text(result))"
      let (trial, source) = (Trial(), Source<E>(complying: true))
      let promise = step(receiver(source.promise, trial.token), trial)
      if invalidated { trial.token.invalidate() }
      source.resolver.resolve(with: result)
      trial.finish(name)
      let argument = step.argument(for: result)
      if invalidated {
        XCTAssertEqual(trial.arguments, [], name)
        XCTAssertEqual(promise.outcome, argument == nil || step.passesResultOn ? text(result) : "cancelled", name)
      } else {
        XCTAssertEqual(
          trial.arguments, [argument, step.name == "tap" ? "resolved before" : nil].compactMap(\.self), name)
        XCTAssertEqual(promise.outcome, argument == nil ? text(result) : step.expected ?? text(result), name)
      }
    }
  }

  func testEachOperatorRunsItsClosureUnlessItsTokenIsInvalidated() {
    for invalidated in [false, true] {
      check(operators, results, invalidated) { promise, _ in promise }
      check(stdOperators, stdResults, invalidated) { promise, _ in promise }
      check(chainOperators, results, invalidated) { $0.withToken($1) }
      check(stdChainOperators, stdResults, invalidated) { $0.withToken($1) }
    }
  }

  /// Counts the requests to cancel that reach a promise without handles through an operator.
  private func requests<R, E>(
    _ step: Operator<R>, _ receiver: (Promise<Int, E>, PromiseInvalidationToken) -> R, _ request: (Trial) -> Void
  ) -> Int {
    let (trial, source) = (Trial(), Source<E>(complying: true))
    step(receiver(source.take(), trial.token), trial)
    XCTAssertEqual(source.requestCount, 0, "\(step)")
    request(trial)
    return source.requestCount
  }

  func testEachOperatorPassesARequestUp() {
    let request = { (trial: Trial) in trial.step.requestCancel() }
    for step in operators { XCTAssertEqual(requests(step, { promise, _ in promise }, request), 1, "\(step)") }
    for step in stdOperators { XCTAssertEqual(requests(step, { promise, _ in promise }, request), 1, "\(step)") }
  }

  func testInvalidationRequestsCancellationThroughEachOperator() {
    let request = { (trial: Trial) in trial.token.invalidate() }
    for step in chainOperators {
      XCTAssertEqual(requests(step, { $0.withToken($1) }, request), step.name == "tap" ? 0 : 1, "\(step)")
    }
    for step in stdChainOperators { XCTAssertEqual(requests(step, { $0.withToken($1) }, request), 1, "\(step)") }
  }

  func testOperatorsExceptTapReturnNewPromises() {
    let source = Source<String>()
    defer { withExtendedLifetime(source) {} }
    for promise in [Promise<Int, String>(fulfilled: 1), source.promise] {
      XCTAssertNotEqual(promise.then(on: .immediate, { _ in }), promise)
      XCTAssertNotEqual(promise.onCancel(on: .immediate, {}), promise)
      XCTAssertNotEqual(promise.tap(), promise)
      XCTAssertEqual(promise.tap(on: .immediate, { _ in }), promise)
    }
  }

  func testTapAndOnCancelDoNotHoldARequestBack() {
    for isTap in [true, false] {
      let source = Source<String>()
      let child = {
        let parent = source.take()
        _ = isTap ? parent.tap(on: .immediate) { _ in } : parent.onCancel(on: .immediate) {}
        return parent.map(on: .immediate) { $0 }
      }()
      child.requestCancel()
      XCTAssertEqual(source.requestCount, 1, "tap: \(isTap)")
    }
  }

  func testPropagatingCancellationRunsItsCallbackBeforeTheRequest() {
    let (queue, log, source) = (MarkedQueue(), Recorder<String>(), Source<String>())
    source.resolver.onRequestCancel(on: .immediate) { resolver in
      log.record("propagated")
      resolver.cancel()
    }
    let promise = source.take().propagatingCancellation(on: queue.context) { _ in
      log.record(queue.isCurrent ? "called on the queue" : "called elsewhere")
    }
    promise.makeChild().requestCancel()
    assertCancelled(promise)
    XCTAssertEqual(log.entries, ["called on the queue", "propagated"])
    XCTAssertEqual(source.requestCount, 1)
  }

  // MARK: Without a context

  private var withoutContext: [(String, (@escaping () -> Void) -> Void)] {
    let (fulfilled, cancelled) = (StdPromise(fulfilled: 42), StdPromise<Int>(with: .cancelled))
    let (rejected, token) = (StdPromise<Int>(rejected: TestError()), PromiseInvalidationToken())
    return [
      ("then", { note in Promise<Int, String>(fulfilled: 1).then({ _ in note() }) }),
      ("then with a token", { note in fulfilled.then(token: token, { _ in note() }) }),
      ("then of a chain", { note in fulfilled.withToken(token).then({ _ in note() }) }),
      ("tryThen", { note in fulfilled.tryThen({ _ in note() }) }),
      ("catch", { note in rejected.catch({ _ in note() }) }),
      ("always", { note in cancelled.always({ _ in note() }) }),
      ("tap", { note in cancelled.tap({ _ in note() }) }),
      ("onCancel", { note in cancelled.onCancel({ note() }) }),
    ]
  }

  func testObserversWithoutContextRunOnMainOnlyIfRegisteredThere() {
    for (name, observe) in withoutContext {
      let (wasMain, called) = (Box<[Bool]>([]), expectation(description: name))
      called.expectedFulfillmentCount = 2
      let note = {
        wasMain.value.append(Thread.isMainThread)
        called.fulfill()
      }
      observe(note)
      passMain()
      Thread.detachNewThread { observe(note) }
      wait(for: [called], timeout: 20)
      XCTAssertEqual(wasMain.value, [true, false], name)
    }
  }

  func testTokenSuppressesObserverWithoutContext() {
    let token = PromiseInvalidationToken()
    let promise = Promise<Int, String>(fulfilled: 1).then(token: token, { _ in XCTFail("called") })
    token.invalidate()
    assertFulfilled(promise, 1)
  }

  // MARK: Call styles

  func testThenAcceptsOptionalChainedCall() {
    // The case because of which Tomorrowland 0.6 withdrew its deprecations.
    let log = Recorder<String>()
    let foo: ((Int) -> Void)? = { log.record("\($0)") }
    assertFulfilled(Promise<Int, String>(fulfilled: 1).then({ foo?($0) }), 1)
    XCTAssertEqual(log.entries, ["1"])
  }

  func testThenAcceptsFunctionReference() {
    result(of: Promise<Int, String>(fulfilled: 3).then(on: .utility, report))
    XCTAssertEqual(reports.entries, ["3"])
  }

  // MARK: Order and lifetimes

  func testChainedMainCallbacksRunInOnePass() {
    let (log, source) = (Recorder<String>(), Source<String>(complying: true))
    let promise = source.promise
      .then(on: .main) { _ in
        log.record("first")
        DispatchQueue.main.async { log.record("next pass") }
      }
      .map(on: .main) { $0 }
      .then(on: .main) { _ in log.record("last") }
      .then(on: .utility) { _ in }
    source.resolver.fulfill(with: 1)
    result(of: promise)
    passMain()
    XCTAssertEqual(log.entries, ["first", "last", "next pass"])
  }

  func testCallbackIsReleasedWhereItRan() {
    let (queue, source, onQueue) = (MarkedQueue(), Source<String>(), Holder<Bool>())
    let released = XCTestExpectation(description: "released")
    source.promise.then(
      on: queue.context,
      Tracker().callback(onDeinit: {
        onQueue.value = queue.isCurrent
        released.fulfill()
      }))
    source.resolver.fulfill(with: 1)
    wait(for: [released], timeout: 20)
    XCTAssertEqual(onQueue.value, true)
  }

  func testEachMainCallbackIsReleasedBeforeTheNextRuns() {
    let (log, source) = (Recorder<String>(), Source<String>(complying: true))
    let promise = source.promise
      .then(on: .main, Tracker().callback({ _ in log.record("first") }, onDeinit: { log.record("released") }))
      .then(on: .main) { _ in log.record("second") }
    source.resolver.fulfill(with: 1)
    result(of: promise)
    XCTAssertEqual(log.entries, ["first", "released", "second"])
  }

  func testTryFlatMapAdoptsAPromiseWithAnyError() {
    // This also keeps a recursion from growing.
    let source = Source<Error>(complying: true)
    let promise = StdPromise(fulfilled: 42).tryFlatMap(on: .immediate) { _ in source.take() }
    promise.requestCancel()
    XCTAssertEqual(source.requestCount, 1)
    assertCancelled(promise)
  }

  func testChainOfTwentyThousandDoesNotOverflowTheStack() {
    let source = Source<String>(complying: true)
    var promise = source.promise
    for _ in 0..<20_000 { promise = promise.map(on: .immediate) { $0 + 1 } }
    source.resolver.fulfill(with: 0)
    XCTAssertEqual(promise.result, .value(20_000))
  }

  func testReleasedChainOfTwentyThousandDoesNotOverflowTheStack() {
    let cancellations = Counter()
    var resolver: Promise<Int, String>.Resolver? = {
      var (promise, resolver) = Promise<Int, String>.makeWithResolver()
      for _ in 0..<20_000 { promise = promise.map(on: .immediate) { $0 + 1 } }
      promise.onCancel(on: .immediate) { cancellations.increment() }
      return resolver
    }()
    withExtendedLifetime(resolver) {}
    resolver = nil
    XCTAssertEqual(cancellations.count, 1)
  }

  func testRecursionThroughFlatMapAndTryFlatMapEnds() {
    @Sendable func count(_ n: Int) -> Promise<Int, String> {
      n == 0 ? Promise(fulfilled: 0) : Promise(fulfilled: n - 1).flatMap(on: .utility) { count($0) }
    }
    @Sendable func tryToCount(_ n: Int) -> StdPromise<Int> {
      n == 0 ? StdPromise(fulfilled: 0) : StdPromise(fulfilled: n - 1).tryFlatMap(on: .utility) { tryToCount($0) }
    }
    assertFulfilled(count(20_000), 0)
    assertFulfilled(tryToCount(20_000), 0)
  }
}
