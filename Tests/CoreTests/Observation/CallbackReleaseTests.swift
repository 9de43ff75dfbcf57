import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct CallbackReleaseTests {
  private let executor = ManualContext()
  private let log = Recorder<String>()
  private let tracker = Tracker()

  // MARK: The context of the release

  /// Returns a callback that records where it runs and where it is released.
  private func tracing(isThere: @escaping @Sendable () -> Bool) -> @Sendable () -> Void {
    tracker.callback(
      { [log] in log.record(isThere() ? "runs there" : "runs elsewhere") },
      onDeinit: { [log] in log.record(isThere() ? "is released there" : "is released elsewhere") })
  }

  @Test("2.6 a callback is released on the context it ran on", arguments: TestedOperator.every)
  func place(tested: TestedOperator) async throws {
    let ending = try #require(tested.runsFor.first)
    // The executor runs work on another thread while the resolving call waits.
    let (executor, queue) = (ElsewhereExecutor(), MarkedQueue())
    let places: [(PromiseContext, @Sendable () -> Bool)] = [
      (.executor(executor), { executor.isCurrent }), (queue.context, { queue.isCurrent }),
    ]
    for (context, isThere) in places {
      let (promise, resolver) = Subject.makeWithResolver()
      let child = tested(promise, on: context, tracing(isThere: isThere))
      resolver.resolve(with: ending.result(7, "no"))
      await queue.drain()
      #expect(log.entries == ["runs there", "is released there"], "\(context)")
      log.removeAll()
      withExtendedLifetime(child) {}
    }
  }

  /// A function that runs a body on a context; the body records where it runs and is released. The returned object is
  /// retained in the meantime.
  struct Starter: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let start: @Sendable (PromiseContext, @escaping @Sendable () -> Void) -> any Sendable
  }

  private static let starters = [
    Starter(testDescription: "a body") { context, body in Subject(on: context) { _ in body() } },
    Starter(testDescription: "a body that throws") { context, body in
      Promise<Int, Refusal>(on: context) { _ throws(Refusal) in
        body()
        throw .first
      }
    },
    Starter(testDescription: "a body of a retained lazy promise") { context, body in
      let later = LazyPromise<Int, Reason>(on: context) { _ in body() }
      return (later, later.promise)
    },
    Starter(testDescription: "a cancel handler") { context, body in
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.onRequestCancel(on: context) { _ in body() }
      promise.requestCancel()
      return (promise, resolver)
    },
  ]

  @Test("2.6 a body or a cancel handler is released on the context it ran on", arguments: starters)
  func started(starter: Starter) async throws {
    let thread = Holder<ObjectIdentifier>()
    let kept = starter.start(executor.context, tracing { thread.value == currentThread })
    _ = try await onOwnThread("the work to run") {
      thread.value = currentThread
      return executor.runAll()
    }
    #expect(log.entries == ["runs there", "is released there"])
    withExtendedLifetime(kept) {}
  }

  // MARK: The moment of the release

  /// Returns a callback that records when it runs and when it is released.
  private func callback<T>(_ name: String) -> @Sendable (T) -> Void {
    tracker.callback(
      { [log] _ in log.record("\(name) runs") }, onDeinit: { [log] in log.record("\(name) is released") })
  }

  @Test(
    "2.6 each callback of a pass is released before the next one runs",
    arguments: [PromiseContext.immediate, .main, .queue(DispatchQueue(label: "a chain"))])
  func pass(context: PromiseContext) async {
    let (promise, resolver) = Subject.makeWithResolver()
    for name in ["a", "b"] { promise.then(on: .immediate, callback(name)) }
    let register = { [self] in
      let d: @Sendable (Int) -> Void = callback("d")
      return promise.then(on: context, callback("c"))
        .flatMap(on: context) { value in
          d(value)
          return Promise(fulfilled: value)
        }
        .always(on: context, callback("e"))
    }
    let last = register()
    resolver.fulfill(with: 7)
    _ = await last.outcome()
    #expect(log.entries == ["a", "b", "c", "d", "e"].flatMap { ["\($0) runs", "\($0) is released"] })
  }

  // MARK: Callbacks that do not run

  @Test("2.6 a callback that does not run is released inside the resolving call", arguments: TestedOperator.every)
  func unused(tested: TestedOperator) {
    for ending in Ending.allCases where !tested.runsFor.contains(ending) {
      let (promise, resolver) = Subject.makeWithResolver()
      let before = promise.always(on: executor.context) { _ in }
      let child = tested(promise, on: executor.context, tracker.callback())
      let grandchild = tested(child, on: executor.context, tracker.callback())
      #expect(tracker.count == 2)
      resolver.resolve(with: ending.result(7, "no"))
      // Only the observer registered first waits for the executor.
      #expect((executor.count, tracker.count) == (1, 0))
      withExtendedLifetime((before, grandchild)) {}
      // The stored work retains the executor, which is a cycle.
      executor.dropAll()
    }
  }
}
