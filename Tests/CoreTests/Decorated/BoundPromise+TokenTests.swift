import OvermorrowTesting
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// An operator of a bound chain with a token, applied to a promise whose result makes its callback run.
private struct ChainOperator: Sendable, CustomTestStringConvertible {
  typealias Chain = BoundPromise<Counter, Int, Reason>
  typealias Call = @Sendable () -> Void

  struct Applied: Sendable {
    let resolve: @Sendable () -> Void
    let child: AnyChild
    let token: PromiseInvalidationToken?
    /// Whether the operator's own promise, and not only its source, has received a request to cancel.
    let isAsked: @Sendable () -> Bool
  }

  let testDescription: String
  let hasCallback: Bool
  let apply: @Sendable (PromiseContext, PromiseInvalidationToken, Counter) -> Applied

  private init<U, E>(
    _ name: String, on ending: Ending = .value, hasCallback: Bool = true,
    _ operate: @escaping @Sendable (Chain, PromiseContext, @escaping Call) -> BoundPromise<Counter, U, E>
  ) {
    testDescription = name
    self.hasCallback = hasCallback
    apply = { context, token, calls in
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      let made = operate(promise.bound(to: calls, token: token), context) { calls.increment() }
      return Applied(
        resolve: { resolver.resolve(with: ending.result(1, "e")) }, child: AnyChild(made.inner), token: made.token,
        isAsked: { made.inner.handle.core.hasBeenAskedToCancel })
    }
  }

  static let all = observers + transforms + throwing + plain

  private static let observers = [
    ChainOperator("then") { chain, context, call in chain.then(on: context) { _, _ in call() } },
    ChainOperator("catch", on: .error) { chain, context, call in chain.catch(on: context) { _, _ in call() } },
    ChainOperator("always") { chain, context, call in chain.always(on: context) { _, _ in call() } },
    ChainOperator("tap") { chain, context, call in chain.tap(on: context) { _, _ in call() } },
    ChainOperator("onCancel", on: .cancelled) { chain, context, call in chain.onCancel(on: context) { _ in call() } },
  ]

  private static let transforms = [
    ChainOperator("map") { chain, context, call in chain.map(on: context) { _, _ in call() } },
    ChainOperator("flatMap") { $0.flatMap(on: $1, calling($2) { Promise<Int, Reason>(fulfilled: $0) }) },
    ChainOperator("mapError", on: .error) { chain, context, call in chain.mapError(on: context) { _, _ in call() } },
    ChainOperator("flatMapError", on: .error) {
      $0.flatMapError(on: $1, calling($2) { _ in Promise<Int, Bool>(fulfilled: 1) })
    },
    ChainOperator("recover", on: .error) { $0.recover(on: $1, calling($2) { _ in 1 }) },
    ChainOperator("mapResult") { $0.mapResult(on: $1, calling($2) { $0 }) },
    ChainOperator("flatMapResult") { $0.flatMapResult(on: $1, calling($2) { Promise(with: $0) }) },
  ]

  private static let throwing = [
    ChainOperator("throwing then") { chain, context, call in chain.then(on: context) { _, _ throws(Reason) in call() }
    },
    ChainOperator("throwing map") { chain, context, call in chain.map(on: context) { _, _ throws(Reason) in call() } },
    ChainOperator("throwing flatMap") { chain, context, call in
      chain.flatMap(on: context) { _, value throws(Reason) in
        call()
        return Promise<Int, Reason>(fulfilled: value)
      }
    },
  ]

  private static let plain = [
    ChainOperator("upcast", hasCallback: false) { chain, _, _ in chain.upcast },
    ChainOperator("tap()", hasCallback: false) { chain, _, _ in chain.tap() },
    ChainOperator("ignoringCancel", hasCallback: false) { chain, _, _ in chain.ignoringCancel() },
    ChainOperator("fork") { chain, context, call in chain.fork { $0.then(on: context) { _, _ in call() } } },
  ]

  /// Returns a closure that makes the call and then answers its argument.
  private static func calling<T, U>(
    _ call: @escaping Call, _ answer: @escaping @Sendable (T) -> U
  ) -> @Sendable (Counter, T) -> U {
    { _, input in
      call()
      return answer(input)
    }
  }
}

@Suite(.inTurn) struct BoundPromiseTokenTests {
  private let probe = IntProbe()
  private let token = PromiseInvalidationToken()
  private let owner = Counter()

  @Test("4.6 a step runs if nothing is invalidated, and passes the token on", arguments: ChainOperator.all)
  private func runs(of operation: ChainOperator) {
    let calls = Counter()
    let applied = operation.apply(.immediate, token, calls)
    #expect(applied.token == token)
    applied.resolve()
    #expect(calls.count == (operation.hasCallback ? 1 : 0))
    #expect(applied.child.isResolved)
  }

  @Test("4.6 an invalidation suppresses the waiting callback of each step", arguments: ChainOperator.all)
  private func usesToken(of operation: ChainOperator) {
    let executor = ManualContext()
    let calls = Counter()
    let applied = operation.apply(executor.context, token, calls)
    applied.resolve()
    #expect(executor.count == (operation.hasCallback ? 1 : 0))
    token.invalidate()
    executor.runAll()
    #expect(calls.count == 0)
    #expect(applied.child.isResolved)
  }

  @Test(
    "4.6 the token asks the promise of each step to cancel",
    arguments: ChainOperator.all.filter { !["tap", "fork"].contains($0.testDescription) })
  private func cancelsPromise(of operation: ChainOperator) {
    let applied = operation.apply(.immediate, token, Counter())
    #expect(!applied.isAsked())
    token.cancelWithoutInvalidating()
    #expect(applied.isAsked())
  }

  @Test(
    "4.6 invalidating one chain leaves another running, and invalidating both asks their promise once",
    arguments: [true, false], [true, false])
  func otherChain(suppressing: Bool, isInvalidated: Bool) {
    let (other, seen) = (PromiseInvalidationToken(), Recorder<Int>())
    do {
      let promise = probe.take()
      promise.bound(to: owner, token: token).then(on: .immediate) { seen.record(-$1) }
      promise.bound(to: owner, token: other).then(on: .immediate) { seen.record($1) }
    }
    if suppressing { token.invalidate() } else { token.cancelWithoutInvalidating() }
    #expect(probe.requestCount == 0)
    if isInvalidated { other.invalidate() }
    #expect(probe.requestCount == (isInvalidated ? 1 : 0))
    probe.resolver.fulfill(with: 7)
    #expect(seen.entries == (suppressing ? [] : [-7]) + (isInvalidated ? [] : [7]))
    withExtendedLifetime(other) {}
  }

  @Test(
    "2.6 4.6 each of two tokens suppresses and releases the callback, and cancels its promise", arguments: 0..<2,
    [false, true])
  func several(which: Int, isResolved: Bool) {
    let tokens = (0..<2).map { _ in PromiseInvalidationToken() }
    let (runs, executor, tracker) = (Counter(), ManualContext(), Tracker())
    let chain = probe.take().bound(to: owner, token: tokens[0])
      .map(on: executor.context, token: tokens[1]) { [object = tracker.make()] _, _ in
        withExtendedLifetime(object) { _ = runs.increment() }
      }
    if isResolved { probe.resolver.fulfill(with: 1) }
    #expect(tracker.count == 1)
    tokens[which].invalidate()
    #expect(tracker.count == 0)
    probe.resolver.fulfill(with: 1)
    executor.runAll()
    #expect(runs.count == 0)
    #expect(chain.result?.isCancelled == true)
    #expect(chain.token == tokens[0])
  }

  @Test("4.6 requestCancel asks the promise at that point of the chain")
  func requestCancel() {
    probe.promise.bound(to: owner, token: token).requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("4.6 another token cancels a promise of the chain without suppressing its callbacks")
  func otherToken() {
    let other = PromiseInvalidationToken()
    let calls = Counter()
    probe.promise.bound(to: calls, token: token).requestCancelOnInvalidate(other)
      .then(on: .immediate) { calls, _ in calls.increment() }
    other.invalidate()
    #expect(probe.requestCount == 1)
    probe.resolver.fulfill(with: 1)
    #expect(calls.count == 1)
  }

  @Test(
    "4.6 an invalidation suppresses all steps of a chain, cancelWithoutInvalidating none, and both cancel it",
    arguments: [true, false])
  func wholeChain(suppressing: Bool) {
    let probe = IntProbe(complying: true)
    let log = Recorder<String>()
    let end = probe.take().bound(to: owner, token: token)
      .map(on: .immediate) { _, value in
        log.record("map")
        return value
      }
      .then(on: .immediate) { _, _ in log.record("then") }
      .onCancel(on: .immediate) { _ in log.record("onCancel") }
      .always(on: .immediate) { log.record($1.isCancelled ? "cancelled" : "?") }
    if suppressing { token.invalidate() } else { token.cancelWithoutInvalidating() }
    #expect(probe.requestCount == 1)
    #expect(end.inner.result == .cancelled)
    #expect(log.entries == (suppressing ? [] : ["onCancel", "cancelled"]))
  }

  @Test("4.3 4.6 a chain's own token is released with it, which cancels promises and releases callbacks")
  func endOfToken() {
    let tracker = Tracker()
    let probe = IntProbe(complying: true)
    do {
      let object = tracker.make()
      probe.take().bound(to: owner, token: PromiseInvalidationToken()).map(on: .immediate) { _, _ in object }
        .then(on: .immediate) { _, _ in _ = object }
    }
    #expect(probe.requestCount == 1)
    #expect(tracker.count == 0)
  }

  @Test("4.6 steps without a context run on .auto by default")
  @MainActor func defaultContexts() async {
    let log = Recorder<String>()
    let end = Promise<Int, ProbeError>(fulfilled: 3).bound(to: owner, token: token)
      .then { _, _ in log.record(PromiseContext.auto == .main ? "main" : "elsewhere") }
      .tap { _, _ in log.record("tap") }
      .always { _, _ in log.record("always") }
      .catch { _, _ in log.record("catch") }
      .onCancel { _ in log.record("onCancel") }
    #expect(log.entries.isEmpty)
    _ = await end.inner.outcome()
    #expect(log.entries.first == "main")
    #expect(Set(log.entries) == ["main", "tap", "always"])
  }
}
