import PromiseKit
import XCTest

/// The behaviour of individual operators and functions beyond their declarations.
final class OperatorTests: PromiseKitTestCase {
  // MARK: Turns and order

  func testObserverRegisteredInAnotherRunsAfterEarlierOnes() {
    let (promise, seal) = Promise<Int>.pending()
    promise.done(on: nil) { _ in
      self.log.record("a")
      promise.done(on: nil) { _ in self.log.record("inner") }.cauterize()
      self.log.record("a-end")
    }.cauterize()
    promise.done(on: nil) { _ in self.log.record("b") }.cauterize()
    seal.fulfill(1)
    XCTAssertEqual(log.entries, ["a", "a-end", "b", "inner"])
  }

  func testBodiesRunBeforeTheInitialiserReturns() {
    _ = Promise<Int> { _ in self.log.record("promise") }
    _ = Guarantee<Int> { _ in self.log.record("guarantee") }
    _ = firstly { () -> Promise<Int> in
      self.log.record("firstly")
      return .value(1)
    }
    Promise.value(1).pipe { _ in self.log.record("pipe") }
    log.record("next")
    XCTAssertEqual(log.entries.filter { !$0.contains("Dealloc") }, ["promise", "guarantee", "firstly", "pipe", "next"])
  }

  func testOperatorsReturnNewPromises() {
    let promise = Promise.value(1)
    XCTAssertTrue(promise.get(on: nil) { _ in } !== promise)
    XCTAssertTrue(promise.tap(on: nil) { _ in } !== promise)
    XCTAssertTrue(promise.ensure(on: nil) {} !== promise)
    XCTAssertTrue(promise.recover(on: nil) { _ in Promise.value(2) } !== promise)
  }

  // MARK: Ends

  func testUnhandledRejectionIsNotLogged() {
    runMainQueue("the blocks of earlier tests have run")
    conf.logHandler = { self.log.record("\($0)") }
    _ = Promise<Int>(error: Trouble.first).map(on: nil) { $0 }
    runMainQueue()
    XCTAssertEqual(log.entries, [])
  }

  func testCancelledErrorReachesTapPipeAndEnsureThen() {
    conf.Q = (nil, nil)
    let cancelled = Promise<Int>(error: PMKError.cancelled)
    _ = cancelled.tap { self.log.record("tap \($0.isFulfilled)") }
    cancelled.pipe { self.log.record("pipe \($0.isFulfilled)") }
    _ = cancelled.ensureThen { Guarantee().done { self.log.record("ensureThen") } }
    let voids: Guarantee<Void> = Promise<Void>(error: PMKError.cancelled).recover { _ in self.log.record("recover") }
    XCTAssertTrue(voids.isFulfilled)
    XCTAssertEqual(log.entries, ["tap false", "pipe false", "ensureThen", "recover"])
  }

  func testEnsureThenWaitsForTheReturnQueue() {
    let queue = DispatchQueue(label: "ends")
    conf.Q.return = queue
    queue.suspend()
    let promise = Promise.value(1).ensureThen(on: nil) { Guarantee() }
    XCTAssertTrue(promise.isPending)
    queue.resume()
    XCTAssertEqual(try value(promise), 1)
  }

  func testClosureMayReturnItsSource() {
    let source = Promise.value(1)
    XCTAssertEqual(source.then(on: nil) { _ in source }.value, 1)
    let failed = Promise<Int>(error: Trouble.first)
    XCTAssertEqual(failed.recover(on: nil) { _ in failed }.error as? Trouble, .first)
  }

  // MARK: Several promises

  func testThenMapStartsAllAtOnceAndRejectsWithTheFirstError() {
    let pairs = (0..<2).map { _ in Promise<Int>.pending() }
    let mapped = Promise.value([0, 1]).thenMap(on: nil) { number -> Promise<Int> in
      self.log.record("\(number)")
      return pairs[number].promise
    }
    XCTAssertEqual(log.entries, ["0", "1"])
    pairs[1].resolver.reject(Trouble.second)
    XCTAssertEqual(mapped.error as? Trouble, .second)
    pairs[0].resolver.fulfill(1)
    XCTAssertEqual(pairs[0].promise.value, 1)
  }

  func testBoundedWhenCallsItsIteratorSequentially() throws {
    let isAsking = NSLock()
    var left = 200
    let promises = AnyIterator { () -> Guarantee<Int>? in
      guard isAsking.try() else {
        XCTFail("asked twice at a time")
        return nil
      }
      defer { isAsking.unlock() }
      left -= 1
      let number = left
      return left < 0 ? nil : DispatchQueue.global().async(.promise) { number }
    }
    XCTAssertEqual(try value(when(fulfilled: promises, concurrently: 8)), (0..<200).reversed())
  }

  // MARK: Time, queues, tasks

  func testAfterResolvesOnAGlobalQueue() throws {
    let main = after(seconds: 0.001).map(on: nil) { Thread.isMainThread }
    XCTAssertFalse(try value(main))
    try value(after(seconds: -1))
  }

  func testQueueBlockBelongsToItsGroup() throws {
    let (group, queue) = (DispatchGroup(), DispatchQueue(label: "work"))
    queue.suspend()
    let promise: Guarantee<Int> = queue.async(.promise, group: group) { 1 }
    XCTAssertEqual(group.wait(timeout: .now()), .timedOut)
    queue.resume()
    XCTAssertEqual(group.wait(timeout: .now() + 10), .success, "the block leaves its group")
    XCTAssertEqual(try value(promise), 1)
  }

  func testCancelledTaskKeepsWaiting() throws {
    let (promise, seal) = Promise<Int>.pending()
    let finished = expectation(description: "the task has its value")
    let task = Task { [log] in
      let text = (try? await promise.async()).map { "\($0)" } ?? "an error"
      log.record("\(text) \(Task.isCancelled)")
      finished.fulfill()
    }
    task.cancel()
    seal.fulfill(1)
    wait(for: [finished], timeout: 10)
    XCTAssertEqual(log.entries, ["1 true"])
  }

  func testPromisesMayBeUsedFromAnyThread() throws {
    let rounds = isSanitized ? 50 : 500
    let served = expectation(description: "all observers have run")
    served.expectedFulfillmentCount = rounds * 3
    for _ in 0..<rounds {
      let (promise, seal) = Promise<Int>.pending()
      let started = DispatchGroup()
      for number in 0..<3 {
        DispatchQueue.global().async(group: started) { seal.fulfill(number) }
        DispatchQueue.global().async(group: started) {
          promise.then(on: nil) { Promise.value($0) }.recover(on: nil) { _ in .value(0) }
            .done(on: nil) { _ in served.fulfill() }
        }
      }
      XCTAssertEqual(started.wait(timeout: .now() + 10), .success, "three threads resolve, and three observe")
      XCTAssertTrue(promise.isFulfilled)
    }
    wait(for: [served], timeout: 10)
  }
}
