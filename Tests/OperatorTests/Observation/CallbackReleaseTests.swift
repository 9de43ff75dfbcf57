import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct CallbackReleaseTests {
  private let executor = ManualContext()
  private let log = Recorder<String>()
  private let tracker = Tracker()

  // MARK: Where

  @Test("2.6 a callback is released on the context it ran on", arguments: TestedOperator<Reason>.all)
  func plain(tested: TestedOperator<Reason>) throws {
    let ending = try #require(tested.runsFor.first)
    #expect(place(tested, ending.result(7, "no")) == ["runs there", "goes there"])
  }

  @Test("2.6 a callback is released on the context it ran on", arguments: TestedOperator<Refusal>.all)
  func throwing(tested: TestedOperator<Refusal>) throws {
    let ending = try #require(tested.runsFor.first)
    #expect(place(tested, ending.result(7, .first)) == ["runs there", "goes there"])
  }

  /// Where a callback runs and goes on an executor that runs work elsewhere, while the resolving call waits for that.
  private func place<Failure>(_ tested: TestedOperator<Failure>, _ result: PromiseResult<Int, Failure>) -> [String] {
    let executor = ElsewhereExecutor()
    let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
    let register = { tested(promise, on: .executor(executor), tracing(log) { executor.isCurrent }) }
    let child = register()
    resolver.resolve(with: result)
    return withExtendedLifetime(child) { log.entries }
  }

  /// A callback that tells where it runs and where it goes.
  private func tracing(_ log: Recorder<String>, isThere: @escaping @Sendable () -> Bool) -> @Sendable () -> Void {
    let object = Tracker().make { log.record(isThere() ? "goes there" : "goes elsewhere") }
    return { withExtendedLifetime(object) { log.record(isThere() ? "runs there" : "runs elsewhere") } }
  }

  @Test("2.6 a body is released on the context it ran on", arguments: [false, true])
  func body(isThrowing: Bool) async throws {
    let thread = Holder<ObjectIdentifier>()
    let make = {
      let body = tracing(log) { thread.value == currentThread }
      guard isThrowing else {
        return Promise<Int, Refusal>(on: executor.context) { resolver in
          body()
          resolver.fulfill(with: 7)
        }
      }
      return Promise<Int, Refusal>(on: executor.context) { _ throws(Refusal) in
        body()
        throw .first
      }
    }
    let promise = make()
    try await run(executor, thread)
    #expect(log.entries == ["runs there", "goes there"])
    #expect(promise.result != nil)
  }

  @Test("2.6 the body of a lazy promise is released on the context it ran on, although the lazy promise is kept")
  func lazyBody() async throws {
    let thread = Holder<ObjectIdentifier>()
    let make = {
      let body = tracing(log) { thread.value == currentThread }
      return LazyPromise<Int, Reason>(on: executor.context) { resolver in
        body()
        resolver.fulfill(with: 7)
      }
    }
    let later = make()
    _ = later.promise
    try await run(executor, thread)
    #expect(log.entries == ["runs there", "goes there"])
    #expect(later.promise.result == .value(7))
  }

  /// Runs the work of an executor on a thread of its own.
  private func run(_ executor: ManualContext, _ thread: Holder<ObjectIdentifier>) async throws {
    _ = try await onOwnThread("the work to run") {
      thread.value = currentThread
      return executor.runAll()
    }
  }

  @Test("2.6 a cancel handler is released on the context it ran on")
  func cancelHandler() {
    let executor = ElsewhereExecutor()
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let register = {
      let handler = tracing(log) { executor.isCurrent }
      resolver.onRequestCancel(on: .executor(executor)) { _ in handler() }
    }
    register()
    promise.requestCancel()
    #expect(log.entries == ["runs there", "goes there"])
  }

  @Test("2.6 on a queue, a callback is released there")
  func queue() async {
    let place = MarkedQueue()
    let log = Recorder<Bool>()
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    for tested in TestedOperator<Reason>.all where tested.runsFor.contains(.value) {
      let callback = { () -> @Sendable () -> Void in
        let object = tracker.make { log.record(place.isCurrent) }
        return { withExtendedLifetime(object) {} }
      }
      tested(promise, on: place.context, callback())
    }
    let count = tracker.count
    resolver.fulfill(with: 7)
    await place.drain()
    #expect(log.entries == Array(repeating: true, count: count))
  }

  // MARK: When

  /// A callback that tells when it runs and when it goes.
  private func callback(_ name: String, _ log: Recorder<String>, _ tracker: Tracker) -> @Sendable () -> Void {
    let object = tracker.make { log.record("\(name) goes") }
    return { withExtendedLifetime(object) { log.record("\(name) runs") } }
  }

  private static let onePass = ["a runs", "a goes", "b runs", "b goes", "c runs", "c goes"]

  @Test("2.6 each callback of a pass goes before the next one runs: a chain", arguments: [false, true])
  func chain(isQueue: Bool) async {
    let place = MarkedQueue()
    let context = isQueue ? place.context : .immediate
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let register = { [self] in
      let a = callback("a", log, tracker)
      let b = callback("b", log, tracker)
      let c = callback("c", log, tracker)
      return promise.then(on: context) { _ in a() }
        .flatMap(on: context) { value in
          b()
          return Promise(fulfilled: value)
        }
        .always(on: context) { _ in c() }
    }
    let last = register()
    resolver.fulfill(with: 7)
    _ = await last.outcome()
    await place.drain()
    #expect(log.entries == CallbackReleaseTests.onePass)
  }

  @Test("2.6 each callback of a pass goes before the next one runs: siblings")
  func siblings() {
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let register = { [self] in
      for name in ["a", "b", "c"] {
        let body = callback(name, log, tracker)
        promise.then(on: .immediate) { _ in body() }
      }
    }
    register()
    resolver.fulfill(with: 7)
    #expect(log.entries == CallbackReleaseTests.onePass)
  }

  @Test("2.6 each callback of a pass of the main queue goes before the next one runs, on the main queue")
  @MainActor func mainPass() async {
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let register = { [self] in
      let a = callback("a", log, tracker)
      let b = callback("b", log, tracker)
      let c = callback("c", log, tracker)
      return promise.then(on: .main) { _ in a() }.then(on: .main) { _ in b() }.then(on: .main) { _ in c() }
    }
    let last = register()
    resolver.fulfill(with: 7)
    _ = await last.outcome()
    #expect(log.entries == CallbackReleaseTests.onePass)
  }

  // MARK: Callbacks that do not run

  @Test(
    "2.6 a callback that does not run goes inside the resolving call, whatever its context does",
    arguments: TestedOperator<Reason>.all)
  func plainUnused(tested: TestedOperator<Reason>) {
    for ending in Ending.allCases where !tested.runsFor.contains(ending) {
      #expect(leftOver(tested, ending.result(7, "no")) == 0)
    }
  }

  @Test(
    "2.6 a callback that does not run goes inside the resolving call, whatever its context does",
    arguments: TestedOperator<Refusal>.all)
  func throwingUnused(tested: TestedOperator<Refusal>) {
    for ending in Ending.allCases where !tested.runsFor.contains(ending) {
      #expect(leftOver(tested, ending.result(7, .first)) == 0)
    }
  }

  /// How many callbacks are left when the promise has been resolved, and nothing has run on their context.
  private func leftOver<Failure>(_ tested: TestedOperator<Failure>, _ result: PromiseResult<Int, Failure>) -> Int {
    let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
    let before = promise.always(on: executor.context) { _ in }
    let child = tested(promise, on: executor.context) { [object = tracker.make()] in withExtendedLifetime(object) {}
    }
    let grandchild = tested(child, on: executor.context) { [object = tracker.make()] in
      withExtendedLifetime(object) {}
    }
    #expect(tracker.count == 2)
    resolver.resolve(with: result)
    // Only what was registered first waits for the executor.
    #expect(executor.count == 1)
    // The work that an executor keeps leads back to the executor.
    defer { executor.dropAll() }
    return withExtendedLifetime((before, grandchild)) { tracker.count }
  }

  @Test("2.6 a callback on a promise that is resolved already, and that does not run, goes inside the registering call")
  func unusedAtOnce() {
    let child = Promise<Int, Reason>(rejected: "no").then(on: executor.context) { [object = tracker.make()] _ in
      withExtendedLifetime(object) {}
    }
    #expect(tracker.count == 0)
    #expect(executor.count == 0)
    #expect(child.result == .error("no"))
  }

  @Test("2.6 a callback whose executor drops it goes there and then", arguments: TestedOperator<Reason>.all)
  func dropped(tested: TestedOperator<Reason>) throws {
    let ending = try #require(tested.runsFor.first)
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let child = tested(promise, on: executor.context) { [object = tracker.make()] in withExtendedLifetime(object) {}
    }
    resolver.resolve(with: ending.result(7, "no"))
    #expect(tracker.count == 1)
    executor.dropAll()
    #expect(tracker.count == 0)
    #expect(child.result != nil)
  }

  @Test("2.6 a callback on a promise that nobody can resolve any more goes", arguments: TestedOperator<Reason>.all)
  func abandoned(tested: TestedOperator<Reason>) {
    do {
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      tested(promise, on: executor.context) { [object = tracker.make()] in withExtendedLifetime(object) {} }
      withExtendedLifetime(resolver) {}
    }
    executor.runAll()
    #expect(tracker.count == 0)
  }
}
