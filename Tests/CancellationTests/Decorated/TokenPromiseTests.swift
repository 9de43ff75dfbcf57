import OvermorrowTesting
import Testing

@testable import Overmorrow

/// An operator of `TokenPromise`, on a promise whose result makes its callback run.
private struct ChainOperator: Sendable, CustomStringConvertible {
  struct Applied: Sendable {
    let resolve: @Sendable () -> Void
    let child: AnyChild
    let tokens: [PromiseInvalidationToken]
    /// Whether the promise of the operator itself, and not only the one in front of it, has been asked to cancel.
    let isAsked: @Sendable () -> Bool
  }

  let description: String
  let hasCallback: Bool
  let apply: @Sendable (PromiseContext, PromiseInvalidationToken, Counter) -> Applied

  private init<Failure: Sendable, U, E>(
    _ name: String, on result: PromiseResult<Int, Failure>, hasCallback: Bool = true,
    _ operate:
      @escaping @Sendable (TokenPromise<Int, Failure>, PromiseContext, @escaping @Sendable () -> Void) ->
      TokenPromise<U, E>
  ) {
    description = name
    self.hasCallback = hasCallback
    apply = { context, token, calls in
      let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
      let made = operate(promise.withToken(token), context) { calls.increment() }
      return Applied(
        resolve: { resolver.resolve(with: result) }, child: AnyChild(made.inner), tokens: made.tokens,
        isAsked: { made.inner.handle.core.hasBeenAskedToCancel })
    }
  }

  static let all = observers + transforms + throwing + plain

  private static let observers = [
    ChainOperator("then", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.then(on: context) { _ in call() }
    },
    ChainOperator("catch", on: .error("e")) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.catch(on: context) { _ in call() }
    },
    ChainOperator("always", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.always(on: context) { _ in call() }
    },
    ChainOperator("tap", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.tap(on: context) { _ in call() }
    },
    ChainOperator("onCancel", on: .cancelled) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.onCancel(on: context) { call() }
    },
  ]

  private static let transforms = [
    ChainOperator("map", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.map(on: context) { _ in call() }
    },
    ChainOperator("flatMap", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.flatMap(on: context) { value in
        call()
        return Promise<Int, Flaw>(fulfilled: value)
      }
    },
    ChainOperator("mapError", on: .error("e")) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.mapError(on: context) { _ in call() }
    },
    ChainOperator("flatMapError", on: .error("e")) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.flatMapError(on: context) { _ in
        call()
        return Promise<Int, Bool>(fulfilled: 1)
      }
    },
    ChainOperator("recover", on: .error("e")) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.recover(on: context) { _ in
        call()
        return 1
      }
    },
    ChainOperator("mapResult", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.mapResult(on: context) { result in
        call()
        return result
      }
    },
    ChainOperator("flatMapResult", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.flatMapResult(on: context) { result in
        call()
        return Promise(with: result)
      }
    },
  ]

  private static let throwing = [
    ChainOperator("throwing then", on: .value(1)) { (promise: TokenPromise<Int, any Error>, context, call) in
      promise.then(on: context) { _ throws in call() }
    },
    ChainOperator("throwing map", on: .value(1)) { (promise: TokenPromise<Int, any Error>, context, call) in
      promise.map(on: context) { _ throws in call() }
    },
    ChainOperator("throwing flatMap", on: .value(1)) { (promise: TokenPromise<Int, any Error>, context, call) in
      promise.flatMap(on: context) { value throws in
        call()
        return Promise<Int, any Error>(fulfilled: value)
      }
    },
  ]

  private static let plain = [
    ChainOperator("upcast", on: .value(1), hasCallback: false) { (promise: TokenPromise<Int, ProbeError>, _, _) in
      promise.upcast
    },
    ChainOperator("tap()", on: .value(1), hasCallback: false) { (promise: TokenPromise<Int, Flaw>, _, _) in
      promise.tap()
    },
    ChainOperator("ignoringCancel", on: .value(1), hasCallback: false) { (promise: TokenPromise<Int, Flaw>, _, _) in
      promise.ignoringCancel()
    },
    ChainOperator("fork", on: .value(1)) { (promise: TokenPromise<Int, Flaw>, context, call) in
      promise.fork { $0.then(on: context) { _ in call() } }
    },
  ]
}

@Suite(.inTurn) struct TokenPromiseTests {
  private let probe = IntProbe()
  private let token = PromiseInvalidationToken()

  @Test("4.6 a step runs when nothing is invalidated, and hands the token on", arguments: ChainOperator.all)
  private func runs(of operation: ChainOperator) {
    let calls = Counter()
    let applied = operation.apply(.immediate, token, calls)
    #expect(applied.tokens == [token])
    applied.resolve()
    #expect(calls.count == (operation.hasCallback ? 1 : 0))
    #expect(applied.child.isResolved)
  }

  @Test("4.6 a step uses the token: it does not run after an invalidation", arguments: ChainOperator.all)
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
    "4.6 the promise of a step is itself asked to cancel by the token",
    arguments: ChainOperator.all.filter { !["tap", "fork"].contains($0.description) })
  private func cancelsPromise(of operation: ChainOperator) {
    let applied = operation.apply(.immediate, token, Counter())
    #expect(!applied.isAsked())
    token.cancelWithoutInvalidating()
    #expect(applied.isAsked())
  }

  @Test("4.6 the promise that the chain starts with is not asked to cancel by the token", arguments: [true, false])
  func startOfChain(suppressing: Bool) {
    let chain = probe.promise.withToken(token)
    if suppressing { token.invalidate() } else { token.cancelWithoutInvalidating() }
    #expect(probe.requestCount == 0)
    withExtendedLifetime(chain) {}
  }

  @Test(
    "4.6 the steps of a chain vote: another chain on the promise, with another token, goes on",
    arguments: [true, false])
  func otherChain(suppressing: Bool) {
    let (other, seen) = (PromiseInvalidationToken(), Recorder<Int>())
    let promise = probe.take()
    promise.withToken(token).then(on: .immediate) { seen.record(-$0) }
    promise.withToken(other).then(on: .immediate) { seen.record($0) }
    if suppressing { token.invalidate() } else { token.cancelWithoutInvalidating() }
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 7)
    #expect(seen.entries == (suppressing ? [7] : [-7, 7]))
  }

  @Test("4.6 when the chains of all tokens are invalidated, the promise that nobody holds is asked, once")
  func allChains() {
    let (other, probe) = (PromiseInvalidationToken(), IntProbe())
    do {
      let promise = probe.take()
      promise.withToken(token).then(on: .immediate) { _ in }
      promise.withToken(other).then(on: .immediate) { _ in }
    }
    token.invalidate()
    #expect(probe.requestCount == 0)
    other.invalidate()
    #expect(probe.requestCount == 1)
  }

  @Test("4.6 with several tokens, each of them suppresses and cancels", arguments: 0..<3)
  func several(which: Int) {
    let tokens = (0..<3).map { _ in PromiseInvalidationToken() }
    let (runs, executor) = (Counter(), ManualContext())
    let chain = probe.take().withToken(tokens[0]).withToken(tokens[1])
      .map(on: executor.context, token: tokens[2]) { _ in runs.increment() }
    probe.resolver.fulfill(with: 1)
    tokens[which].invalidate()
    executor.runAll()
    #expect(runs.count == 0)
    #expect(chain.result == .cancelled)
    #expect(chain.tokens == [tokens[0], tokens[1]])
  }

  @Test("4.6 inner and token are what the chain was made of; equality is that of both")
  func properties() {
    let (promise, _) = Promise<Int, Flaw>.makeWithResolver()
    let chain = promise.withToken(token)
    #expect(chain.inner == promise)
    #expect(chain.tokens == [token])
    #expect(chain == TokenPromise(promise, tokens: [token]))
    #expect(chain.hashValue == TokenPromise(promise, tokens: [token]).hashValue)
    #expect(chain != promise.withToken(PromiseInvalidationToken()))
    #expect(chain != promise.makeChild().withToken(token))
  }

  @Test("4.6 tap(on:), fork and requestCancelOnInvalidate return the receiver, the observers a new promise")
  func identities() {
    let chain = Promise<Int, Flaw>.makeWithResolver().0.withToken(token)
    #expect(chain.tap(on: .immediate) { _ in } == chain)
    #expect(chain.fork { _ in } == chain)
    #expect(chain.requestCancelOnInvalidate(PromiseInvalidationToken()) == chain)
    #expect(chain.tap() != chain)
    #expect(chain.then(on: .immediate) { _ in } != chain)
  }

  @Test("4.6 requestCancel asks the promise at that point of the chain")
  func requestCancel() {
    probe.promise.withToken(token).requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("4.6 another token may cancel a promise of the chain, too, and suppresses nothing in it")
  func otherToken() {
    let other = PromiseInvalidationToken()
    let calls = Counter()
    probe.promise.withToken(token).requestCancelOnInvalidate(other).then(on: .immediate) { _ in calls.increment() }
    other.invalidate()
    #expect(probe.requestCount == 1)
    probe.resolver.fulfill(with: 1)
    #expect(calls.count == 1)
  }

  @Test("4.6 an invalidation suppresses every step of a chain and cancels its promises")
  func wholeChain() {
    let probe = IntProbe(complying: true)
    let end = probe.take().withToken(token)
      .map(on: .immediate) { value in
        Issue.record("suppressed callback runs")
        return value
      }
      .then(on: .immediate) { _ in Issue.record("suppressed callback runs") }
      .onCancel(on: .immediate) { Issue.record("suppressed callback runs") }
      .always(on: .immediate) { _ in Issue.record("suppressed callback runs") }
    token.invalidate()
    #expect(probe.requestCount == 1)
    #expect(end.inner.result == .cancelled)
  }

  @Test("4.6 cancelWithoutInvalidating lets the chain see its cancellation")
  func cancelWholeChain() {
    let probe = IntProbe(complying: true)
    let log = Recorder<String>()
    probe.take().withToken(token)
      .then(on: .immediate) { _ in log.record("then") }
      .onCancel(on: .immediate) { log.record("onCancel") }
      .always(on: .immediate) { log.record($0.isCancelled ? "cancelled" : "?") }
    token.cancelWithoutInvalidating()
    #expect(log.entries == ["onCancel", "cancelled"])
  }

  @Test(
    "4.6 the end of the token ends the chain while it is unresolved, and releases its callbacks when it is cancelled")
  func endOfToken() {
    let tracker = Tracker()
    let probe = IntProbe(complying: true)
    do {
      let object = tracker.make()
      probe.take().withToken(PromiseInvalidationToken()).map(on: .immediate) { _ in object }
        .then(on: .immediate) { _ in _ = object }
    }
    #expect(probe.requestCount == 1)
    #expect(tracker.count == 0)
  }

  @Test("4.6 a chain of steps without a context works by default on .auto")
  @MainActor func defaultContexts() async {
    let log = Recorder<String>()
    let end = Promise<Int, ProbeError>(fulfilled: 3).withToken(token)
      .then { _ in log.record(PromiseContext.auto == .main ? "main" : "elsewhere") }
      .tap { _ in log.record("tap") }
      .always { _ in log.record("always") }
      .catch { _ in log.record("catch") }
      .onCancel { log.record("onCancel") }
    #expect(log.entries.isEmpty)
    _ = await end.inner.outcome()
    #expect(log.entries.first == "main")
    #expect(Set(log.entries) == ["main", "tap", "always"])
  }
}
