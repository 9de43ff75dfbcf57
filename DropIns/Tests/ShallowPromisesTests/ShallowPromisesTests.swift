import Overmorrow
import ShallowPromises
import TestSupport
import XCTest

private typealias Promise = ShallowPromises.Promise

private enum Trouble: Error, Equatable { case first, second }

/// Counts its cancellations.
private final class Task: Cancellable {
  private let cancels = Counter()
  var cancelCount: Int { cancels.count }
  func cancel() { cancels.increment() }
}

/// A subclass, as users of the library define.
private final class Request<T>: ShallowPromises.Promise<T> {
  var name = ""
}

final class ShallowPromisesTests: XCTestCase {
  private var log: [String] = []

  private var place: String { Thread.isMainThread ? "here" : currentQueueLabel }

  // MARK: Resolving

  func testCallbacksRunInsideTheCallThatResolvesOrRegistersThem() {
    let results: [(String, (ShallowPromises.Promise<Int>) -> Void)] = [
      ("value 3", { $0.fulfill(with: 3) }), ("error first", { $0.complete(with: Trouble.first) }),
      ("error cancelled", { $0.cancel() }),
    ]
    for (result, resolve) in results {
      let promise = Promise<Int>()
      for isLate in [false, true] {
        log = []
        promise.onSuccess { self.log.append("value \($0)") }.onError { self.log.append("error \($0)") }
          .finally { self.log.append("end") }
        if !isLate {
          XCTAssertEqual(log, [])
          resolve(promise)
        }
        XCTAssertEqual(log, [result, "end"], isLate ? "late" : "")
      }
    }
  }

  func testOnlyTheFirstResultCounts() {
    let (promise, cancelled) = (Promise<Int>(), Promise<Int>())
    for promise in [promise, cancelled] {
      promise.onSuccess { self.log.append("\($0)") }.onError { self.log.append("\($0)") }
        .finally { self.log.append("end") }
    }
    promise.fulfill(with: 1).fulfill(with: 2).complete(with: Trouble.first)
    promise.cancel()
    cancelled.cancel()
    cancelled.cancel()
    XCTAssertEqual(log, ["1", "end", "cancelled", "end"])
  }

  func testSuccessClosureOfTheInitialiserRuns() {
    let promise = Promise<Int>(successClosure: { self.log.append("\($0)") })
    promise.fulfill(with: 7)
    XCTAssertEqual(log, ["7"])
  }

  func testCallbacksRunInTheOrderOfRegistration() {
    let promise = Promise<Int>()
    for number in 0..<100 { promise.onSuccess { self.log.append("\($0 + number)") } }
    promise.fulfill(with: 0)
    XCTAssertEqual(log, (0..<100).map { "\($0)" })
  }

  func testFinallyRunsAfterCallbacksRegisteredLater() {
    let promise = Promise<Int>().finally { self.log.append("end") }
    promise.onSuccess { _ in self.log.append("value") }
    promise.fulfill(with: 1)
    XCTAssertEqual(log, ["value", "end"])
  }

  func testObserversReturnTheirReceiver() {
    let promise = Promise<Int>()
    XCTAssert(promise.onSuccess { _ in } === promise)
    XCTAssert(promise.onError { _ in } === promise)
    XCTAssert(promise.finally {} === promise)
    XCTAssert(promise.fulfill(with: 1) === promise)
    XCTAssert(promise.complete(with: Trouble.first) === promise)
  }

  func testManyThreadsResolveAPromiseOnce() {
    for _ in 0..<200 {
      let promise = Promise<Int>()
      let lock = NSLock()
      var (values, ends) = (0, 0)
      promise.onSuccess { _ in lock.withLock { values += 1 } }.finally { lock.withLock { ends += 1 } }
      DispatchQueue.concurrentPerform(iterations: 4) { promise.fulfill(with: $0) }
      XCTAssertEqual([values, ends], [1, 1])
    }
  }

  // MARK: Queues

  func testCallbackRunsOnItsQueue() {
    let (own, other, promise) = (DispatchQueue(label: "own"), DispatchQueue(label: "other"), Promise<Int>())
    for isLate in [false, true] {
      promise.onSuccess(in: own) { _ in self.log.append(self.place) }
      if !isLate { promise.fulfill(with: 1, in: DispatchQueue(label: "result")) }
      own.sync {}
      promise.finally(in: other) { self.log.append(self.place) }
      other.sync {}
    }
    XCTAssertEqual(log, ["own", "other", "own", "other"])
  }

  func testCallbackWithoutQueueRunsOnTheResultsQueue() {
    let (queue, fulfilled, failed) = (DispatchQueue(label: "result"), Promise<Int>(), Promise<Int>())
    for promise in [fulfilled, failed] {
      promise.onSuccess { self.log.append("\($0) \(self.place)") }.onError { self.log.append("\($0) \(self.place)") }
        .finally { self.log.append("end \(self.place)") }
    }
    fulfilled.fulfill(with: 1, in: queue)
    queue.sync {}
    failed.complete(with: Trouble.first, in: queue)
    queue.sync {}
    XCTAssertEqual(log, ["1 result", "end result", "first result", "end result"])
  }

  func testResultsQueueIsPassedDownAChain() {
    let (queue, first, second) = (DispatchQueue(label: "second"), Promise<Int>(), Promise<String>())
    first.then { _ in second }.onSuccess { _ in self.log.append(self.place) }
    first.fulfill(with: 1)
    second.fulfill(with: "", in: queue)
    queue.sync {}
    XCTAssertEqual(log, ["second"])
  }

  // MARK: Late callbacks

  func testLateCallbackWithoutQueueRunsOnItsCaller() {
    let fulfilled = Promise<Int>().fulfill(with: 1, in: DispatchQueue(label: "result"))
    fulfilled.onSuccess { self.log.append("value \($0) \(self.place)") }
      .finally { self.log.append("end \(self.place)") }
    XCTAssertEqual(log, ["value 1 here", "end here"])
    let failed = Promise<Int>().complete(with: Trouble.first, in: DispatchQueue(label: "result"))
    failed.onError { self.log.append("\($0) \(self.place)") }.finally { self.log.append("end \(self.place)") }
    XCTAssertEqual(log.suffix(2), ["first here", "end here"])
  }

  func testCallbackRegisteredInACallbackRunsAtOnce() {
    let (queue, promise) = (DispatchQueue(label: "result"), Promise<Int>())
    promise.onSuccess { _ in
      promise.onSuccess { _ in self.log.append("inner \(self.place)") }
      self.log.append("outer \(self.place)")
    }
    promise.fulfill(with: 1, in: queue)
    queue.sync {}
    XCTAssertEqual(log, ["inner result", "outer result"])
  }

  func testThenOfAFulfilledPromiseRunsItsClosureAtOnce() {
    let inner = Promise<String>()
    let chained = Promise<Int>().fulfill(with: 1, in: DispatchQueue(label: "result")).then { number in
      self.log.append("\(number) \(self.place)")
      return inner
    }
    XCTAssertEqual(log, ["1 here"])
    XCTAssert(chained !== inner)
    XCTAssert(chained.littlePromise as? ShallowPromises.Promise<String> === inner)
    chained.onSuccess { self.log.append("\($0) \(self.place)") }
    inner.fulfill(with: "text")
    XCTAssertEqual(log, ["1 here", "text here"])
  }

  func testThenOfAFailedPromiseFailsAtOnce() {
    let chained = Promise<Int>().complete(with: Trouble.first, in: DispatchQueue(label: "result")).then(text(of:))
    chained.onError { self.log.append("\($0) \(self.place)") }
    XCTAssertEqual(log, ["first here"])
  }

  // MARK: Chains

  private func text(of number: Int) -> ShallowPromises.Promise<String> { Promise<String>().fulfill(with: "\(number)") }
  private func number(in text: String) -> ShallowPromises.Promise<Int> {
    let promise = Promise<Int>()
    if let number = Int(text) { promise.fulfill(with: number) } else { promise.complete(with: Trouble.second) }
    return promise
  }

  func testFailureSkipsTheStepsOfAChain() {
    number(in: "one").then {
      self.log.append("then")
      return self.text(of: $0)
    }
    .onSuccess { self.log.append($0) }.onError { self.log.append("\($0)") }.finally { self.log.append("end") }
    text(of: 1).then { self.number(in: $0 + "x") }.onError { self.log.append("inner \($0)") }
    XCTAssertEqual(log, ["second", "end", "inner second"])
  }

  func testLongChainResolvesAndIsCancelledWithoutRecursion() {
    onThread(stackSize: 512 << 10) {
      let first = Promise<Int>()
      var last = first
      for _ in 0..<20_000 { last = last.then { Promise<Int>().fulfill(with: $0 + 1) } }
      last.onSuccess { self.log.append("\($0)") }
      first.fulfill(with: 0)

      let start = Promise<Int>()
      var end = start
      for _ in 0..<20_000 { end = end.then { Promise<Int>().fulfill(with: $0) } }
      start.onError { self.log.append("\($0)") }
      end.cancel()
    }
    XCTAssertEqual(log, ["20000", "cancelled"])
  }

  // MARK: Cancelling

  func testCancelReachesTheWorkAndThenTheChainsStart() {
    let task = Task()
    let first = Promise<Int>(littlePromise: task).onError { self.log.append("first \($0) after \(task.cancelCount)") }
    let last = first.then(text(of:)).then(number(in:)).onError { self.log.append("last \($0)") }
    for count in 1...3 {
      last.cancel()
      XCTAssertEqual(task.cancelCount, count)
    }
    first.cancel()
    XCTAssertEqual(task.cancelCount, 4)
    XCTAssertEqual(log, ["first cancelled after 1", "last cancelled"])
  }

  func testCancellingACyclicChainEnds() {
    let (first, second) = (Promise<Int>(), Promise<Int>())
    first.littlePromise = second
    second.littlePromise = first
    for promise in [first, second] { promise.onError { self.log.append("\($0)") } }
    first.cancel()
    XCTAssertEqual(log, ["cancelled", "cancelled"])
    first.littlePromise = nil
  }

  func testLittlePromiseSetAfterCancellationIsCancelled() {
    let (task, promise) = (Task(), Promise<Int>())
    promise.cancel()
    promise.littlePromise = task
    XCTAssertEqual(task.cancelCount, 1)
    let spared = Task()
    Promise<Int>().fulfill(with: 1).littlePromise = spared
    XCTAssertEqual(spared.cancelCount, 0)
  }

  func testWorkSetOrReturnedDuringTheCancellationIsCancelled() {
    for round in 0..<200 {
      let (set, returned) = (Task(), Task())
      let (first, other) = (Promise<Int>(), Promise<Int>())
      let last = first.then { _ in Promise<String>(littlePromise: returned) }
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        switch number {
        case 0: first.fulfill(with: 1)
        case 1: last.cancel()
        case 2: other.littlePromise = set
        default: other.cancel()
        }
      }
      XCTAssertGreaterThan(set.cancelCount, 0, "set, round \(round)")
      // If the chain was cancelled before its start was fulfilled, its closure has not run.
      first.onSuccess { _ in XCTAssertGreaterThan(returned.cancelCount, 0, "returned, round \(round)") }
    }
  }

  func testCancellingAChainCancelsItsInnerPromise() {
    let (task, first) = (Task(), Promise<Int>())
    let last = first.then { _ in Promise<String>(littlePromise: task) }
    first.fulfill(with: 1)
    last.cancel()
    XCTAssertEqual(task.cancelCount, 1)
  }

  func testCancellingAResolvedPromiseReachesOnlyItsWork() {
    let task = Task()
    let promise = Promise<Int>(littlePromise: task).fulfill(with: 1)
    promise.cancel()
    promise.onError { _ in self.log.append("error") }
    promise.onSuccess { self.log.append("\($0)") }
    XCTAssertEqual(task.cancelCount, 1)
    XCTAssertEqual(log, ["1"])
  }

  // MARK: Proxies

  func testProxyHasTheResultAndTheClassOfItsPromise() {
    let request = Request<Int>()
    let proxy = request.proxy()
    proxy.onSuccess { self.log.append("\($0)") }
    XCTAssert(type(of: proxy) == Request<Int>.self && proxy !== request)
    request.fulfill(with: 4)
    XCTAssertEqual(log, ["4"])
  }

  func testCancellingAProxyDoesNotAffectItsPromise() {
    let (task, promise) = (Task(), Promise<Int>())
    promise.littlePromise = task
    promise.onSuccess { self.log.append("\($0)") }
    let proxy = promise.proxy().onError { self.log.append("\($0)") }
    proxy.cancel()
    promise.fulfill(with: 2)
    XCTAssertEqual(log, ["cancelled", "2"])
    XCTAssertEqual(task.cancelCount, 0)
  }

  func testProxyDeliversOnItsQueue() {
    let (queue, promise) = (DispatchQueue(label: "proxy"), Promise<Int>())
    queue.suspend()
    let early = promise.proxy(in: queue)
    promise.fulfill(with: 1)
    for proxy in [early, promise.proxy(in: queue)] { proxy.onSuccess { _ in self.log.append(self.place) } }
    queue.resume()
    queue.sync {}
    XCTAssertEqual(log, ["proxy", "proxy"])
  }

  func testPromiseReleasedUnresolvedReleasesItsCallbacks() {
    weak var captured: Task?
    do {
      let task = Task()
      captured = task
      let promise = Promise<Int>().onSuccess { _ in task.cancel() }
      withExtendedLifetime(promise) { XCTAssertNotNil(captured) }
    }
    XCTAssertNil(captured)
  }

  func testUnresolvedStartRetainsItsChainSoThatTheEndCanBeCancelled() {
    let task = Task()
    var first: ShallowPromises.Promise<Int>? = Promise<Int>(littlePromise: task)
    weak let last = first?.then(text(of:)).onError { self.log.append("\($0)") }
    weak let start = first
    first = nil
    XCTAssertNotNil(start)
    last?.cancel()
    XCTAssertEqual(task.cancelCount, 1)
    XCTAssertEqual(log, ["cancelled"])
    XCTAssertNil(start)
    XCTAssertNil(last)
  }

  // MARK: Conversion

  func testPromiseConvertsFromAndToOvermorrow() {
    let promise = Promise<Int>()
    let core = promise.overmorrow
    XCTAssertNil(core.result)
    promise.fulfill(with: 3)
    XCTAssertEqual(core.result?.value, 3)
    Promise(core).onSuccess { self.log.append("\($0)") }
    Promise(Overmorrow.Promise<Int, Error>(rejected: Trouble.first)).onError { self.log.append("\($0)") }
    Promise(Overmorrow.Promise<Int, Error>(with: .cancelled)).onError { self.log.append("\($0)") }
    XCTAssertEqual(log, ["3", "first", "cancelled"])
  }

  func testCancellationPassesInBothDirections() {
    let promise = Promise<Int>()
    let core = promise.overmorrow
    core.requestCancel()
    XCTAssert(core.result?.isCancelled == true)

    let (origin, resolver) = Overmorrow.Promise<Int, Error>.makeWithResolver()
    Promise(origin).cancel()
    XCTAssert(resolver.hasRequestedCancel)
  }
}
