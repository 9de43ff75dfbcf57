import Dispatch
import Overmorrow
import Testing

/// Cancel handlers that keep their promises unresolved, as the handlers of an adapter do.
@Suite(.inTurn) struct HandlersWhileHeldTests {
  private let log = Recorder<String>()
  private let tracker = Tracker()

  private typealias IntPromise = Promise<Int, Refusal>

  /// Returns a promise whose body has ended and has registered handlers, and a second copy of its resolver.
  private func promise(
    handlers: Int = 1, on context: PromiseContext = .immediate,
    _ body: @escaping @Sendable (Int, IntPromise.Resolver) -> Void
  ) -> (IntPromise, Holder<IntPromise.Resolver>) {
    let (promise, resolver) = IntPromise.makeWithResolver()
    for number in 0..<handlers {
      PromiseAdapter.onRequestCancelWhileHeld(resolver, on: context, tracker.callback { body(number, $0) })
    }
    return (promise, Holder(resolver))
  }

  @Test("1.24 a handler keeps the promise pending until a request, and can then resolve it")
  func pending() {
    let (promise, resolver) = promise { $1.fulfill(with: 7) }
    resolver.value = nil
    #expect(promise.result == nil)
    promise.requestCancel()
    #expect((promise.result, tracker.count) == (.value(7), 0))
  }

  @Test("1.24 all handlers run on their context, although the first one resolves the promise")
  func allHandlers() {
    let executor = ManualContext()
    let (promise, resolver) = promise(handlers: 3, on: executor.context) {
      log.record("\($0)")
      $1.cancel()
    }
    resolver.value = nil
    promise.requestCancel()
    #expect(promise.result == nil)
    executor.runAll()
    #expect((log.entries, promise.result, tracker.count) == (["0", "1", "2"], .cancelled, 0))
  }

  @Test("1.24 if no handler resolves the promise, the promise is cancelled after the handlers")
  func unresolvedByHandlers() {
    let (promise, resolver) = promise(handlers: 2) { number, _ in log.record("\(number)") }
    resolver.value = nil
    promise.tap(on: .immediate) { _ in log.record("resolved") }
    promise.requestCancel()
    #expect((log.entries, promise.result) == (["0", "1", "resolved"], .cancelled))
  }

  @Test("1.24 the last handle's release cancels the promise, frees its handlers, and is not reported")
  func lastHandle() async throws {
    let reports = try await diagnostics {
      let (promise, resolver) = promise { _, _ in log.record("asked") }
      resolver.value = nil
      let held = Holder(promise)
      let child = promise.map(on: .immediate) { $0 }
      let cancellable = promise.cancellable
      promise.tap(on: .immediate, tracker.callback { log.record("\($0)") })
      _ = consume promise
      #expect(log.entries == [])
      held.value = nil
      cancellable.requestCancel()
      child.requestCancel()
      #expect((log.entries, child.result, tracker.count) == (["cancelled"], .cancelled, 0))
    }
    #expect(reports == [])
  }

  @Test("1.24 without a handle, a promise with another copy of the resolver stays pending")
  func copyElsewhere() {
    let (promise, resolver) = promise { _, _ in log.record("asked") }
    let child = { [promise = consume promise] in promise.map(on: .immediate) { $0 } }()
    #expect(child.result == nil)
    child.requestCancel()
    #expect((log.entries, child.result) == (["asked"], nil))
    resolver.value?.fulfill(with: 1)
    #expect((child.result, tracker.count) == (.value(1), 0))
  }

  @Test("1.24 a handler is released with the result, and an adopter's handler runs")
  func otherEndings() {
    let (fulfilled, resolver) = promise { _, _ in log.record("never") }
    resolver.value?.fulfill(with: 1)
    #expect((fulfilled.result, tracker.count) == (.value(1), 0))
    let (adopted, source) = IntPromise.makeWithResolver()
    let (adopter, adopting) = promise { _, _ in log.record("asked") }
    adopting.value?.resolve(with: adopted)
    adopting.value = nil
    adopter.requestCancel()
    source.fulfill(with: 2)
    #expect((log.entries, adopter.result, tracker.count) == (["asked"], .value(2), 0))
  }

  // MARK: Races

  private struct Round: Sendable {
    let promise: Holder<IntPromise>
    let child: Holder<IntPromise>
    let resolver: Holder<IntPromise.Resolver>
    let results = Recorder<PromiseResult<Int, Refusal>>()
    let runs = Counter()
    private let tracker: Tracker

    init(_ tracker: Tracker) {
      let (promise, resolver) = IntPromise.makeWithResolver()
      self.tracker = tracker
      promise.tap(on: .immediate) { [results] in results.record($0) }
      child = Holder(promise.map(on: .immediate) { $0 })
      self.promise = Holder(promise)
      self.resolver = Holder(resolver)
    }

    func register() {
      if let resolver = resolver.take() {
        PromiseAdapter.onRequestCancelWhileHeld(
          resolver, on: .immediate,
          tracker.callback { [runs] resolver in
            runs.increment()
            resolver.fulfill(with: 8)
          })
      }
    }

    var finding: String? {
      if results.entries != [runs.count == 0 ? .cancelled : .value(8)] {
        return "\(runs.count) handlers ran, and the results are \(results.entries)"
      }
      return tracker.count == 0 ? nil : "\(tracker.count) handlers are left"
    }
  }

  @Test("1.24 when the last handle's release races with registering a handler, the promise resolves once")
  func registeringAgainstHandle() async {
    await race(
      rounds: 10_000, { Round(tracker) }, { $0.register() }, { $0.promise.value = nil }, check: { $0.finding })
  }

  @Test("1.24 when the last handle's release races with a child's request, the promise resolves once")
  func requestAgainstHandle() async {
    await race(
      rounds: 10_000,
      { () -> Round in
        let round = Round(tracker)
        round.register()
        return round
      }, { $0.child.value?.requestCancel() }, { $0.promise.value = nil }, check: { $0.finding })
  }
}
