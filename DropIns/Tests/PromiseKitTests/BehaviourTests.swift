import PromiseKit
import XCTest

/// The behaviour that code relies on beyond the declarations.
final class BehaviourTests: PromiseKitTestCase {
  // MARK: Where closures run

  func testClosureOnAQueueRunsAfterTheNextStatement() throws {
    let done = Promise.value(1).done { _ in self.log.record("done") }
    log.record("next")
    try value(done)
    Promise.value(1).done(on: nil) { _ in self.log.record("here") }.cauterize()
    log.record("last")
    XCTAssertEqual(log.entries, ["next", "done", "here", "last"])
  }

  func testBarrierFlagMakesTheClosureABarrier() throws {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    try value(
      Promise.value(1).done(on: queue, flags: .barrier) { _ in dispatchPrecondition(condition: .onQueueAsBarrier(queue))
      }
    )
  }

  func testDefaultQueueIsReadAtRegistration() {
    let (promise, seal) = Promise<Int>.pending()
    let late = promise.map { $0 }
    conf.Q = (nil, nil)
    let now = promise.map { $0 }
    seal.fulfill(1)
    XCTAssertTrue(late.isPending)
    XCTAssertTrue(now.done { _ in }.isFulfilled)
    runMainQueue()
    XCTAssertTrue(late.isFulfilled)
  }

  func testEachClosureTakesOneTurnOfTheMainQueue() throws {
    func turn(_ number: Int) {
      DispatchQueue.main.async {
        self.log.record("turn\(number)")
        if number < 4 { turn(number + 1) }
      }
    }
    turn(1)
    let chain = Promise.value(1).map { _ in self.log.record("map") }
      .then { () -> Promise<Void> in
        self.log.record("then")
        return .value
      }
      .done { self.log.record("done") }
    try value(chain)
    XCTAssertEqual(log.entries.prefix(6), ["turn1", "map", "turn2", "then", "turn3", "done"])
  }

  func testRejectionSkipsStepsWithoutATurn() throws {
    let caught = expectation(description: "the error is caught")
    Promise<Int>(error: Trouble.first).map { $0 }.map { $0 }.catch { _ in
      self.log.record("catch")
      caught.fulfill()
    }
    DispatchQueue.main.async { self.log.record("turn") }
    wait(for: [caught], timeout: 10)
    runMainQueue()
    XCTAssertEqual(log.entries, ["catch", "turn"])
  }

  func testObserversStartInTheOrderOfRegistration() {
    let (promise, seal) = Promise<Int>.pending()
    promise.done { _ in self.log.record("main1") }.cauterize()
    promise.map(on: nil) { _ in self.log.record("nil1") }.done(on: nil) { self.log.record("child") }.cauterize()
    promise.done { _ in self.log.record("main2") }.cauterize()
    promise.done(on: nil) { _ in self.log.record("nil2") }.cauterize()
    seal.fulfill(1)
    log.record("after")
    runMainQueue()
    XCTAssertEqual(log.entries, ["nil1", "child", "nil2", "after", "main1", "main2"])
  }

  // MARK: Results

  func testFirstCallDecidesAndALaterThrowIsIgnored() {
    let promise = Promise<Int> { seal in
      seal.fulfill(1)
      seal.fulfill(2)
      seal.reject(Trouble.first)
      throw Trouble.second
    }
    XCTAssertEqual(promise.value, 1)
    XCTAssertEqual(Promise<Int> { _ in throw Trouble.second }.error as? Trouble, .second)
  }

  func testWhenReportsToTheCurrentProgress() {
    let parent = Progress(totalUnitCount: 2)
    let (a, sealA) = Promise<Int>.pending()
    let (b, sealB) = Promise<Int>.pending()
    parent.becomeCurrent(withPendingUnitCount: 1)
    when(fulfilled: [a, b]).cauterize()
    parent.resignCurrent()
    XCTAssertEqual(parent.fractionCompleted, 0)
    sealA.fulfill(1)
    XCTAssertEqual(parent.fractionCompleted, 0.25)
    parent.becomeCurrent(withPendingUnitCount: 1)
    when(fulfilled: b, Promise<Int>(error: Trouble.first)).cauterize()
    parent.resignCurrent()
    XCTAssertEqual(parent.fractionCompleted, 0.75)
    sealB.fulfill(1)
    XCTAssertEqual(parent.fractionCompleted, 1)
  }

  func testProgressOfAWhenStaysCompleteAfterAnError() {
    let parent = Progress(totalUnitCount: 1)
    let pairs = (0..<4).map { _ in Promise<Int>.pending() }
    parent.becomeCurrent(withPendingUnitCount: 1)
    when(fulfilled: pairs.map(\.promise)).cauterize()
    parent.resignCurrent()
    pairs[0].resolver.fulfill(0)
    pairs[1].resolver.reject(Trouble.first)
    XCTAssertEqual(parent.completedUnitCount, 1)
    for pair in pairs { pair.resolver.fulfill(1) }
    XCTAssertEqual(parent.completedUnitCount, 1)
    XCTAssertEqual(parent.fractionCompleted, 1)
  }

  func testProgressOfAWhenCountsInputsThatThreadsResolve() {
    let parent = Progress(totalUnitCount: 1)
    let pairs = (0..<1_000).map { _ in Promise<Int>.pending() }
    parent.becomeCurrent(withPendingUnitCount: 1)
    let all = when(fulfilled: pairs.map(\.promise))
    parent.resignCurrent()
    DispatchQueue.concurrentPerform(iterations: pairs.count) { pairs[$0].resolver.fulfill($0) }
    XCTAssertTrue(all.isFulfilled)
    XCTAssertEqual(parent.completedUnitCount, 1)
    XCTAssertEqual(parent.fractionCompleted, 1)
  }

  func testBoundedWhenTakesPromisesUpToItsLimit() {
    let pairs = (0..<3).map { _ in Promise<Int>.pending() }
    var asked = 0
    let promises = AnyIterator { () -> Promise<Int>? in
      defer { asked += 1 }
      return asked < pairs.count ? pairs[asked].promise : nil
    }
    let all = when(fulfilled: promises, concurrently: 2)
    XCTAssertEqual(asked, 2)
    pairs[1].resolver.fulfill(1)
    XCTAssertEqual(asked, 3)
    pairs[2].resolver.fulfill(2)
    pairs[0].resolver.fulfill(0)
    XCTAssertEqual(all.value, [0, 1, 2])
  }

  func testBoundedWhenTakesNoPromiseAfterAnError() {
    var asked = 0
    let promises = AnyIterator { () -> Promise<Int>? in
      asked += 1
      return Promise(error: Trouble.first)
    }
    XCTAssertEqual(when(fulfilled: promises, concurrently: 1).error as? Trouble, .first)
    XCTAssertEqual(asked, 1)
    XCTAssertEqual(when(fulfilled: promises, concurrently: 0).error.map { "\($0)" }, "\(PMKError.badInput)")
    XCTAssertEqual(when(resolved: promises, concurrently: 0).value?.map(\.isFulfilled), [false])
    XCTAssertEqual(asked, 1)
  }

  func testRaceTakesTheFirstResultAndRejectsWithoutInputs() {
    let (pending, seal) = Promise<Int>.pending()
    XCTAssertEqual(race(pending, Promise(error: Trouble.first)).error as? Trouble, .first)
    XCTAssertTrue((race() as Guarantee<Int>).isPending)
    assertError(race([Promise<Int>]()), "\(PMKError.badInput)")
    assertError(race(fulfilled: [Promise<Int>]()), "\(PMKError.badInput)")
    let failed: [Promise<Int>] = [Promise(error: Trouble.first), Promise(error: Trouble.second)]
    XCTAssertEqual(
      (race(fulfilled: failed).error as? PMKError)?.debugDescription,
      "All thenables passed to race(fulfilled:) were rejected")
    seal.fulfill(1)
  }

  func testMissingValuesAndEmptySequencesAreRejected() {
    guard case PMKError.compactMap(let value, let type)? = Promise.value("x").compactMap(on: nil, { Int($0) }).error
    else { return XCTFail("rejected with another error") }
    XCTAssertTrue(value as? String == "x" && type == Int.self)
    let none = Promise.value([Int]())
    for empty in [none.firstValue, none.lastValue, Promise.value([1]).firstValue(on: nil) { $0 > 1 }] {
      guard case PMKError.emptySequence? = empty.error else { return XCTFail("rejected with another error") }
    }
  }

  func testPromiseThatWaitsForItselfIsRejected() throws {
    typealias Itself = () -> Promise<Int>
    let ways: [(String, (Promise<Int>, @escaping Itself) -> Promise<Int>)] = [
      ("then", { source, itself in source.then { _ in itself() } }),
      ("then on nil", { source, itself in source.then(on: nil) { _ in itself() } }),
      ("recover", { source, itself in source.recover { _ in itself() } }),
      ("recover on nil", { source, itself in source.recover(on: nil) { _ in itself() } }),
      ("recover all", { source, itself in source.recover(policy: .allErrors) { _ in itself() } }),
    ]
    for (name, make) in ways {
      let (source, seal) = Promise<Int>.pending()
      var promise: Promise<Int>!
      promise = make(source) { promise }
      if name.hasPrefix("then") { seal.fulfill(1) } else { seal.reject(Trouble.first) }
      guard case PMKError.returnedSelf = try error(promise) else { return XCTFail("\(name): another error") }
    }
    var promise: Promise<Int>!
    promise = Promise.value(1).then { _ in promise }
    guard case PMKError.returnedSelf = try error(promise) else { return XCTFail("rejected with another error") }
    let failed = Promise<Int>(error: Trouble.first)
    XCTAssertEqual(try value(failed.recover { _ in Promise.value(1) }.then { _ in Promise.value(2) }), 2)
  }

  func testEnsureThenWaitsForItsGuarantee() throws {
    let (guarantee, resolve) = Guarantee<Void>.pending()
    let promise = Promise<Int>(error: Trouble.first).ensureThen(on: nil) { guarantee }
    runMainQueue()
    XCTAssertTrue(promise.isPending)
    resolve(())
    assertError(promise, "first")
  }

  // MARK: Cancelled errors

  private struct Stopped: CancellableError {
    let isCancelled: Bool
  }

  func testIsCancelledDistinguishesErrors() {
    let cancelled: [Error] = [
      PMKError.cancelled, Stopped(isCancelled: true), URLError(.cancelled), CocoaError(.userCancelled),
    ]
    XCTAssertEqual(cancelled.map(\.isCancelled), [true, true, true, true])
    let others: [Error] = [
      Stopped(isCancelled: false), URLError(.timedOut), CancellationError(), Trouble.first, PMKError.badInput,
      NSError(domain: "x", code: 1),
    ]
    XCTAssertFalse(others.contains { $0.isCancelled })
  }

  func testDefaultPolicySkipsCancelledErrors() {
    conf.Q = (nil, nil)
    let cancelled = Promise<Int>(error: PMKError.cancelled)
    cancelled.catch { _ in self.log.record("catch") }.finally { self.log.record("finally") }
    cancelled.catch(policy: .allErrors) { _ in self.log.record("all") }
    XCTAssertTrue(cancelled.recover { _ in Promise.value(1) }.error?.isCancelled == true)
    XCTAssertEqual(cancelled.recover(policy: .allErrors) { _ in Promise.value(1) }.value, 1)
    XCTAssertEqual(cancelled.recover { _ in Guarantee.value(2) }.value, 2)
    _ = cancelled.ensure { self.log.record("ensure") }
    conf.logHandler = { self.log.record("\($0)") }
    cancelled.cauterize()
    Promise<Int>(error: Trouble.first).cauterize()
    XCTAssertEqual(Array(log.entries.prefix(3)), ["finally", "all", "ensure"])
    XCTAssertEqual(log.entries.count, 4)
    XCTAssertTrue(log.entries[3].hasPrefix("cauterized"), log.entries[3])
    conf.catchPolicy = .allErrors
    cancelled.catch { _ in self.log.record("catch") }
    XCTAssertEqual(log.entries.last, "catch")
  }

  func testCancelledErrorReachesFinallyWithoutATurn() {
    Promise<Int>(error: PMKError.cancelled).catch { _ in self.log.record("catch") }.finally(on: nil) {
      self.log.record("end")
    }
    XCTAssertEqual(log.entries, ["end"])
  }

  func testFinallyRunsAfterCatchOrDone() throws {
    for (promise, step) in [(Promise<Int>(error: Trouble.first), "catch"), (.value(1), "done")] {
      let finished = expectation(description: "finally has run")
      promise.done { _ in self.log.record("done") }.catch { _ in self.log.record("catch") }.finally {
        self.log.record("finally")
        finished.fulfill()
      }
      wait(for: [finished], timeout: 10)
      XCTAssertEqual(log.entries.suffix(2), [step, "finally"])
    }
  }

  // MARK: Lifetimes, logs, texts

  func testCallbacksRunAfterThePromisesAreReleased() {
    weak var captured: Recorder<String>?
    let (seal, promise) = { () -> (Resolver<Int>, () -> Promise<Int>?) in
      let (promise, seal) = Promise<Int>.pending()
      let inner = Recorder<String>()
      captured = inner
      promise.map(on: nil) { "\($0)" }.done(on: nil) {
        inner.record($0)
        self.log.record($0)
      }.cauterize()
      return (seal, { [weak promise] in promise })
    }()
    XCTAssertNil(promise())
    XCTAssertNotNil(captured)
    seal.fulfill(1)
    XCTAssertNil(captured)
    XCTAssertEqual(log.entries, ["1"])
  }

  func testDroppedResolverIsLoggedAndLeavesThePromisePending() {
    conf.logHandler = { self.log.record("\($0) \(LogEvent.place?.contains("BehaviourTests.swift:") == true)") }
    conf.Q = (nil, nil)
    let dropped = Promise<Int> { _ in }
    dropped.ensure { self.log.record("ensure") }.catch { _ in }.finally { self.log.record("finally") }
    let guarantee = Guarantee<Int> { _ in }
    XCTAssertEqual(log.entries, ["pendingPromiseDeallocated true", "pendingGuaranteeDeallocated true"])
    XCTAssertTrue(dropped.isPending && guarantee.isPending)
    XCTAssertEqual(race(dropped, Promise.value(1)).value, 1)
    XCTAssertEqual(when(fulfilled: [dropped, Promise(error: Trouble.first)]).error as? Trouble, .first)
    XCTAssertEqual(when(fulfilled: guarantee, Promise<Int>(error: Trouble.first)).error as? Trouble, .first)
  }

  func testWaitIsLoggedOnTheMainThread() throws {
    conf.logHandler = { self.log.record("\($0)") }
    XCTAssertEqual(try Promise.value(1).wait(), 1)
    XCTAssertEqual(after(seconds: 0.001).map(on: nil) { 2 }.wait(), 2)
    XCTAssertEqual(log.entries, ["waitOnMainThread", "waitOnMainThread"])
    XCTAssertThrowsError(try Promise<Int>(error: Trouble.first).wait())
  }

  func testDescriptionsMatchTheOriginals() {
    let (pending, seal) = Promise<Int>.pending()
    XCTAssertEqual("\(pending)", "Promise(…Int)")
    XCTAssertEqual(pending.debugDescription, "Promise<Int>.pending(handlers: 0)")
    let next = pending.map(on: nil) { $0 }
    XCTAssertEqual(pending.debugDescription, "Promise<Int>.pending(handlers: 1)")
    XCTAssertEqual("\(Promise.value(3))", "Promise(3)")
    XCTAssertEqual("\(Promise<Int>(error: Trouble.first))", "Promise(first)")
    XCTAssertEqual(Promise().debugDescription, "Promise<()>.fulfilled(())")
    XCTAssertEqual(Promise<String>(error: Trouble.first).debugDescription, "Promise<String>.rejected(Trouble.first)")
    XCTAssertEqual((PMKError.noWinner as Error).localizedDescription, PMKError.noWinner.debugDescription)
    seal.fulfill(1)
    XCTAssertEqual(next.value, 1)
  }

  func testMinimalThenableHasAllOperators() throws {
    let plain = Plain(Promise.value([2, 1]))
    XCTAssertEqual(try value(plain.mapValues { $0 }.then { Plain(.value($0)) }.sortedValues()), [1, 2])
    XCTAssertEqual(when(fulfilled: plain, plain).value?.0, [2, 1])
    XCTAssertEqual(race(plain, plain).value, [2, 1])
    XCTAssertEqual(Promise(plain).value, [2, 1])
    let failed = Plain(Promise<Int>(error: Trouble.first))
    failed.catch(on: nil) { self.log.record("\($0)") }.finally(on: nil) { self.log.record("end") }
    XCTAssertEqual(failed.recover(on: nil) { _ in Guarantee.value(1) }.value, 1)
    XCTAssertEqual(log.entries, ["first", "end"])
  }
}
