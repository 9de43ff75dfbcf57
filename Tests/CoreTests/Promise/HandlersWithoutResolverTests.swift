import Dispatch
import Overmorrow
import Testing

/// Promises whose resolvers have been released or used while cancel handlers are registered.
@Suite(.inTurn) struct HandlersWithoutResolverTests {
  private let runs = Counter()
  private let tracker = Tracker()

  private typealias IntPromise = Promise<Int, Refusal>

  @Test("1.4 the last resolver's release cancels the promise, and its handlers do not run")
  func released() {
    let promise = IntPromise(on: .immediate) { resolver in
      resolver.onRequestCancel(on: .immediate, tracker.callback { _ in _ = runs.increment() })
    }
    #expect((promise.result, tracker.count, runs.count) == (.cancelled, 0, 0))
  }

  @Test("1.4 the last resolver's release releases the callback of an unreachable observer")
  func unreachableObserver() {
    do {
      let (promise, resolver) = IntPromise.makeWithResolver()
      resolver.onRequestCancel(on: .immediate, tracker.callback { _ in _ = runs.increment() })
      promise.then(on: .immediate, tracker.callback { _ in _ = runs.increment() })
      withExtendedLifetime(resolver) {}
    }
    #expect((tracker.count, runs.count) == (0, 0))
  }

  @Test("1.4 a handler may retain its resolver, which can then resolve the promise")
  func kept() {
    let (first, kept) = (Holder<IntPromise.Resolver>(), Holder<IntPromise.Resolver>())
    let promise = IntPromise(on: .immediate) { resolver in
      first.value = resolver
      resolver.onRequestCancel(on: .immediate) { kept.value = $0 }
    }
    promise.requestCancel()
    first.value = nil
    #expect(promise.result == nil)
    kept.value?.reject(with: .first)
    #expect(promise.result == .error(.first))
  }

  @Test("1.4 after the first handler has released the last copy, the second handler can resolve")
  func lastCopyInHandler() {
    let promise = IntPromise(on: .immediate) { resolver in
      resolver.onRequestCancel(on: .immediate) { [resolver] _ in withExtendedLifetime(resolver) {} }
      resolver.onRequestCancel(on: .immediate) { $0.reject(with: .first) }
    }
    promise.requestCancel()
    #expect(promise.result == .error(.first))
  }

  @Test("1.4 the handlers of an adopter without a resolver run, but cannot resolve the promise")
  func adopterWithoutResolver() {
    let (adopted, kept) = IntPromise.makeWithResolver()
    let promise = IntPromise(on: .immediate) { resolver in
      for _ in 0..<2 {
        resolver.onRequestCancel(on: .immediate) { resolver in
          if resolver.hasRequestedCancel { runs.increment() }
          resolver.reject(with: .first)
        }
      }
      resolver.resolve(with: adopted)
    }
    promise.requestCancel()
    #expect((promise.result, runs.count) == (nil, 2))
    kept.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  // MARK: Resolved promises

  @Test("1.10 on a cancelled promise, a handler runs as soon as its context runs it")
  func onCancelled() {
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.cancel()
    let executor = ManualContext()
    let log = Recorder<String>()
    resolver.onRequestCancel(on: .immediate) { resolver in
      log.record("immediate \(resolver.hasRequestedCancel)")
      resolver.fulfill(with: 7)
    }
    resolver.onRequestCancel(on: .nowOr(executor.context)) { _ in log.record("nowOr \(PromiseContext.isExecutingNow)") }
    resolver.onRequestCancel(on: executor.context) { _ in log.record("executor") }
    log.record("registered")
    executor.runAll()
    #expect(log.entries == ["immediate true", "nowOr true", "registered", "executor"])
    #expect(promise.result == .cancelled)
  }

  @Test("1.10 on a promise that is fulfilled or rejected, a handler never runs", arguments: [Ending.value, .error])
  func onResolved(ending: Ending) {
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.resolve(with: ending.result(7, .first))
    let (adopter, adopting) = IntPromise.makeWithResolver()
    adopting.resolve(with: promise)
    for each in [resolver, adopting] {
      each.onRequestCancel(on: .immediate, tracker.callback { _ in _ = runs.increment() })
    }
    adopter.requestCancel()
    #expect((runs.count, tracker.count) == (0, 0))
  }

  // MARK: Races

  private struct Round: Sendable {
    let promise: Holder<IntPromise>
    let child: Holder<IntPromise>
    let resolver: Holder<IntPromise.Resolver>
    let results = Recorder<PromiseResult<Int, Refusal>>()
    let runs = Counter()

    init(_ tracker: Tracker) {
      let (promise, resolver) = IntPromise.makeWithResolver()
      for _ in 0..<2 {
        resolver.onRequestCancel(
          on: .immediate,
          tracker.callback { [runs] resolver in
            runs.increment()
            resolver.fulfill(with: 8)
          })
      }
      promise.tap(on: .immediate) { [results] in results.record($0) }
      child = Holder(promise.map(on: .immediate) { $0 })
      self.promise = Holder(promise)
      self.resolver = Holder(resolver)
    }

    func finding(_ tracker: Tracker, asks: Bool) -> String? {
      // A promise without a resolver is cancelled. A promise that received a request before that has run its first
      // handler.
      child.value?.requestCancel()
      child.value = nil
      promise.value = nil
      if results.entries.count != 1 { return "resolved \(results.entries.count) times" }
      if runs.count > 1 { return "\(runs.count) handlers ran" }
      if results.entries == [.value(8)], runs.count != 1 { return "fulfilled by nobody" }
      if asks, results.entries == [.cancelled], runs.count != 0 { return "a handler ran in vain" }
      return tracker.count == 0 ? nil : "\(tracker.count) handlers are left"
    }
  }

  @Test("1.4 when the last resolver's release races with a request, the promise resolves once")
  func droppingAgainstRequest() async {
    await race(
      rounds: 10_000, within: .seconds(2), { Round(tracker) }, { $0.resolver.value = nil },
      { $0.promise.value?.requestCancel() }, check: { $0.finding(tracker, asks: true) })
  }

  @Test("1.4 when the last resolver and handle are released together, the promise resolves once")
  func droppingAgainstHandle() async {
    await race(
      rounds: 10_000, within: .seconds(2),
      {
        let round = Round(tracker)
        round.child.value?.requestCancel()
        return round
      },
      { $0.resolver.value = nil }, { $0.promise.value = nil }, { $0.child.value = nil },
      check: { $0.finding(tracker, asks: false) })
  }
}
