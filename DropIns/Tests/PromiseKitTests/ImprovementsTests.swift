import Overmorrow
import XCTest

@testable import PromiseKit

private typealias Promise = PromiseKit.Promise

/// The original library's faults, and features that it lacks.
final class ImprovementsTests: PromiseKitTestCase {
  /// A callback may be recorded after later ones only if another thread had started it before and did nothing else in
  /// between.
  func testObserversStartInOrderWhileThreadsRace() {
    for round in 0..<(isSanitized ? 200 : 2_000) {
      let (promise, seal) = Promise<Int>.pending()
      let log = Recorder<Started>()
      let served = expectation(description: "all observers have run")
      served.expectedFulfillmentCount = 60
      func observe(_ number: Int) {
        promise.done(on: nil) { _ in
          log.record(Started(number))
          served.fulfill()
        }.cauterize()
      }
      for number in 0..<50 { observe(number) }
      DispatchQueue.global().async { seal.fulfill(1) }
      for number in 50..<60 { observe(number) }
      wait(for: [served], timeout: 60)
      if let finding = log.startFault(60) { return XCTFail("round \(round): \(finding)") }
    }
  }

  func testLongPendingChainFitsOnASmallStack() {
    onThread(stackSize: 512 << 10) {
      let (promise, seal) = Promise<Int>.pending()
      var last = promise
      for _ in 0..<scaled(1_000_000) { last = last.map(on: nil) { $0 + 1 } }
      seal.fulfill(0)
      XCTAssertEqual(last.value, scaled(1_000_000))
    }
  }

  func testLongChainIsRejectedAndReleasedOnASmallStack() {
    onThread(stackSize: 512 << 10) {
      let (promise, seal) = Promise<Int>.pending()
      var last: Promise<Int>? = promise
      for _ in 0..<scaled(1_000_000) { last = last?.map { $0 + 1 } }
      seal.reject(Trouble.first)
      XCTAssertEqual(last?.error as? Trouble, .first)
      last = Promise<Int>.pending().promise
      for _ in 0..<scaled(1_000_000) { last = last?.map { $0 + 1 } }
      last = nil
    }
  }

  func testLoopsFitOnASmallStack() {
    onThread(stackSize: 512 << 10) {
      var rounds = scaled(1_000_000)
      func loop() -> Promise<Void> {
        rounds -= 1
        return rounds == 0 ? .value : Promise.value.then(on: nil) { loop() }
      }
      XCTAssertNotNil(try? loop().wait())
      func retry(_ rounds: Int) -> Promise<Int> {
        rounds == 0 ? .value(1) : Promise(error: Trouble.first).recover(on: nil) { _ in retry(rounds - 1) }
      }
      XCTAssertEqual(try? retry(scaled(100_000)).wait(), 1)
    }
  }

  func testBoundedWhenOfManyResolvedPromisesFitsOnASmallStack() {
    onThread(stackSize: 512 << 10) {
      let many = (0..<scaled(100_000)).lazy.map { Promise.value($0) }
      XCTAssertEqual(when(fulfilled: many.makeIterator(), concurrently: 3).value?.count, scaled(100_000))
    }
  }

  func testWaitForWorkOfTheSameQueueThrows() throws {
    XCTAssertThrowsError(try Promise.value(1).map { $0 }.wait())
    let queue = DispatchQueue(label: "own")
    let report = Promise.value(1).map(on: queue) { number in try Promise.value(number).map(on: queue) { $0 }.wait() }
    XCTAssertTrue(try error(report) is PromiseWaitError)
  }

  func testAsyncResumesWhileTheMainThreadIsBlocked() {
    let resumed = DispatchSemaphore(value: 0)
    let promise = after(seconds: 0.001).map(on: nil) { 1 }
    Task.detached {
      _ = await promise.async()
      resumed.signal()
    }
    XCTAssertEqual(resumed.wait(timeout: .now() + 10), .success, "the task goes on without the main queue")
  }

  func testThenFlatMapOfAGuaranteeSkipsRejectedPromises() {
    conf.logHandler = { if case .cauterized(let error) = $0 { self.log.record("\(error)") } }
    let elements: Guarantee<[Int]> = Guarantee.value([1, 2]).thenFlatMap(on: nil) { number in
      number == 1 ? Promise.value([1, 1]) : Promise(error: Trouble.first)
    }
    XCTAssertEqual(elements.value, [1, 1])
    XCTAssertEqual(log.entries, ["first"])
  }

  func testNothingIsLoggedForFinalizersAndLosersOfRaces() throws {
    conf.logHandler = { self.log.record("\($0)") }
    let (promise, seal) = Promise<Int>.pending()
    promise.done(on: nil) { _ in }.catch { _ in }.finally {}
    XCTAssertEqual(try value(race(promise.tap { _ in }, after(seconds: 60).then { Promise.value(2) }, .value(3))), 3)
    seal.fulfill(1)
    runMainQueue()
    XCTAssertEqual(log.entries, [])
  }

  func testWhenTakesSevenPromises() throws {
    let (a, b) = (Promise.value(1), Guarantee.value("b"))
    XCTAssertEqual("\(try value(when(fulfilled: a, b, a, b, a, b, a)))", #"(1, "b", 1, "b", 1, "b", 1)"#)
  }

  func testLoggedTextHasTheWordsOfTheOriginalAndThePlace() {
    conf.logHandler = { self.log.record($0.text) }
    Promise<Int>(error: Trouble.first).cauterize()
    XCTAssertEqual(try Promise.value(1).wait(), 1)
    let line = #line + 1
    _ = (Promise<Int> { _ in }, Guarantee<Int> { _ in })
    runMainQueue()
    let place = "PromiseKitTests/ImprovementsTests.swift:\(line)"
    XCTAssertEqual(
      log.entries,
      [
        "PromiseKit: warning: `wait()` called on main thread!",
        "PromiseKit: warning: pending promise deallocated: \(place)",
        "PromiseKit: warning: pending guarantee deallocated: \(place)", "PromiseKit:cauterized-error: first",
      ])
  }

  // MARK: Swift 6

  @MainActor private final class Screen {
    var text = ""

    func load() -> Promise<Void> {
      Promise.value(1).map { "\($0)\(self.text)" }.map(on: .global()) { $0 + "!" }.done { self.text = $0 }
    }
  }

  @MainActor func testMainActorClosuresRunOnTheMainActor() async throws {
    let screen = Screen()
    try await screen.load().async()
    XCTAssertEqual(screen.text, "1!")
  }

  private actor Counter {
    var count = 0
    func add() -> Promise<Int> {
      Promise.value(1).map {
        self.count += $0
        return self.count
      }
    }
  }

  func testActorClosureRunsOnItsActor() async throws {
    let count = try await Counter().add().async()
    XCTAssertEqual(count, 1)
  }

  /// In the Swift 6 mode, `map(on: queue, show)` takes a method of an actor.
  func testActorFunctionGivenWithAQueueRunsOnTheActor() throws {
    let (queue, counter) = (DispatchQueue(label: "queue"), Counter())
    func place(_ context: PromiseContext) -> Promise<Bool> {
      Promise(Promise.value(1)._source.map(context) { _ in Thread.isMainThread })
    }
    XCTAssertTrue(try value(place(.on(queue, nil, MainActor.shared))))
    XCTAssertEqual(place(.on(nil, nil, MainActor.shared)).value, true)
    XCTAssertEqual(PromiseContext.on(queue, nil, counter), .actor(counter))
    XCTAssertEqual(PromiseContext.on(queue, nil, nil), .queue(queue))
  }

  func testMainActorClosureWithoutAQueueRunsOnTheMainActor() throws {
    conf.Q = (nil, nil)
    let (promise, seal) = Promise<Int>.pending()
    let onMain: @MainActor (Int) -> Bool = { _ in Thread.isMainThread }
    let place = promise.map(onMain)
    DispatchQueue.global().async { seal.fulfill(1) }
    XCTAssertTrue(try value(place))
    XCTAssertTrue(Promise.value(1).map(onMain).isFulfilled)
  }

  @MainActor func testLongChainOfMainActorClosuresFitsOnTheStack() {
    conf.Q = (nil, nil)
    let (promise, seal) = Promise<Int>.pending()
    let increment: @MainActor (Int) -> Int = { $0 + 1 }
    var last = promise
    for _ in 0..<100_000 { last = last.map(increment) }
    seal.fulfill(0)
    XCTAssertEqual(last.value, 100_000)
  }

  func testPromisesResolversAndGuaranteesAreSendable() {
    func take<S: Sendable>(_: S) {}
    let (promise, resolver) = Promise<Recorder<String>>.pending()
    take(promise)
    take(resolver)
    take(Guarantee.value(Recorder<String>()))
    resolver.fulfill(Recorder())
  }
}
