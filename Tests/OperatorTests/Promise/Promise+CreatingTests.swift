import Overmorrow
import OvermorrowTesting
import Testing

/// What runs a body, a lazy promise when it is asked for; the forms that may throw do not.
private enum Starter: CaseIterable {
  case promise, throwing, lazy, throwingLazy

  typealias Subject = Promise<Int, Refusal>
  typealias Body = @Sendable (Subject.Resolver) -> Void

  func start(on context: PromiseContext, _ body: @escaping Body) -> Subject {
    switch self {
    case .promise: Promise(on: context, body)
    case .throwing: Promise(on: context) { resolver throws(Refusal) in body(resolver) }
    case .lazy: LazyPromise(on: context, body).promise
    case .throwingLazy: LazyPromise(on: context) { resolver throws(Refusal) in body(resolver) }.promise
    }
  }
}

@Suite(.inTurn) struct CreatingTests {
  private let executor = ManualContext()

  // MARK: Bodies

  @Test("1.1 1.11 an immediate body runs before the call returns", arguments: Starter.allCases)
  private func immediateBody(starter: Starter) {
    let log = Recorder<String>()
    let promise = starter.start(on: .immediate) { resolver in
      log.record("body")
      resolver.fulfill(with: 7)
    }
    log.record("after")
    #expect(log.entries == ["body", "after"])
    #expect(promise.result == .value(7))
  }

  @Test("1.1 1.11 a body waits for its context", arguments: Starter.allCases)
  private func bodyOnExecutor(starter: Starter) {
    let runs = Counter()
    let promise = starter.start(on: executor.context) { $0.fulfill(with: runs.increment()) }
    #expect(runs.count == 0)
    #expect(promise.result == nil)
    #expect(executor.runAll() == 1)
    #expect(promise.result == .value(1))
  }

  @Test("1.1 1.11 a body runs on the queue that it is given", arguments: Starter.allCases)
  private func bodyOnQueue(starter: Starter) async {
    let place = MarkedQueue()
    let promise = starter.start(on: place.context) { $0.fulfill(with: place.isCurrent ? 7 : 8) }
    #expect(await promise.outcome() == .value(7))
  }

  @Test("1.1 1.11 1.19 a body whose executor runs work repeatedly still runs once", arguments: Starter.allCases)
  private func bodyOnRepeatingExecutor(starter: Starter) {
    let runs = Counter()
    _ = starter.start(on: .executor(RepeatingExecutor(times: 3))) { _ in runs.increment() }
    #expect(runs.count == 1)
  }

  @Test(
    "1.4 1.11 a context that drops the body, at once or later, cancels the promise then", arguments: Starter.allCases)
  private func bodyDropped(starter: Starter) {
    let (runs, tracker) = (Counter(), Tracker())
    let atOnce = starter.start(on: .executor(DroppingExecutor())) { _ in runs.increment() }
    #expect(atOnce.result == .cancelled)
    let later = starter.start(on: executor.context, tracker.callback { $0.fulfill(with: runs.increment()) })
    #expect(later.result == nil)
    #expect(tracker.count == 1)
    executor.dropAll()
    #expect(later.result == .cancelled)
    #expect(tracker.count == 0)
    #expect(runs.count == 0)
  }

  @Test(
    "1.1 1.11 a body may keep the resolver and use it later, and a request reaches that", arguments: Starter.allCases)
  private func resolverKept(starter: Starter) {
    let kept = Holder<Promise<Int, Refusal>.Resolver>()
    let promise = starter.start(on: .immediate) { kept.value = $0 }
    #expect(promise.result == nil)
    promise.requestCancel()
    #expect(kept.value?.hasRequestedCancel == true)
    kept.value?.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  @Test("1.1 11.3 a body runs once, however many observe the promise, before and after")
  func bodyRunsOnce() {
    let runs = Counter()
    let observations = Counter()
    let promise = Promise<Int, Reason>(on: executor.context) { resolver in
      resolver.fulfill(with: runs.increment())
    }
    for _ in 0..<3 { promise.then(on: .immediate) { _ in observations.increment() } }
    executor.runAll()
    for _ in 0..<3 { promise.then(on: .immediate) { _ in observations.increment() } }
    _ = promise.result
    #expect(executor.runAll() == 0)
    #expect(runs.count == 1)
    #expect(observations.count == 6)
    #expect(promise.result == .value(1))
  }

  // MARK: Throwing bodies

  @Test("1.3 1.11 a body that throws, any error or one of its own type, rejects with that when it runs")
  func throwing() {
    let typed = [
      Promise<Int, Refusal>(on: executor.context) { _ throws(Refusal) in throw .second },
      LazyPromise<Int, Refusal>(on: executor.context) { _ throws(Refusal) in throw .second }.promise,
    ]
    let any = [
      Promise<Int, any Error>(on: executor.context) { _ in throw Refusal.third },
      LazyPromise<Int, any Error>(on: executor.context) { _ in throw Refusal.third }.promise,
    ]
    #expect((typed.allSatisfy { $0.result == nil }, any.allSatisfy { $0.result == nil }) == (true, true))
    executor.runAll()
    #expect(typed.map(\.result) == [.error(.second), .error(.second)])
    #expect(any.map { $0.result?.error as? Refusal } == [.third, .third])
  }

  @Test(
    "1.3 throwing after resolving, or after having begun to follow another promise, does nothing",
    arguments: Ending.allCases, [false, true])
  func throwingTooLate(ending: Ending, follows: Bool) {
    let result: PromiseResult<Int, Refusal> = ending.result(7, .first)
    let (inner, innerResolver) = Promise<Int, Refusal>.makeWithResolver()
    let seen = Recorder<PromiseResult<Int, Refusal>>()
    let promise = Promise<Int, Refusal>(on: executor.context) { resolver throws(Refusal) in
      if follows { resolver.resolve(with: inner) } else { resolver.resolve(with: result) }
      throw .second
    }
    promise.tap(on: .immediate) { seen.record($0) }
    executor.runAll()
    #expect(promise.result == (follows ? nil : result))
    innerResolver.resolve(with: result)
    #expect(promise.result == result)
    #expect(seen.entries == [result])
  }

  @Test("1.3 resolving after the body has thrown does nothing")
  func resolvingAfterThrowing() {
    let kept = Holder<Promise<Int, Refusal>.Resolver>()
    let promise = Promise<Int, Refusal>(on: .immediate) { resolver throws(Refusal) in
      kept.value = resolver
      throw .second
    }
    kept.value?.fulfill(with: 7)
    #expect(promise.result == .error(.second))
  }

  // MARK: Resolved from the start

  @Test("1.5 a promise made with a result has it, and serves observers at once", arguments: Ending.allCases)
  func withResult(ending: Ending) {
    let result: PromiseResult<Int, Reason> = ending.result(7, "no")
    let promise = Promise(with: result)
    #expect(promise.result == result)
    let seen = Holder<PromiseResult<Int, Reason>>()
    promise.tap(on: .immediate) { seen.value = $0 }
    #expect(seen.value == result)
  }

  @Test("1.5 a promise made with a value is fulfilled, one made with an error rejected, and a Swift result does either")
  func resolved() {
    #expect(Promise<Int, String>(fulfilled: 7).result == .value(7))
    #expect(Promise<Int, Reason>(rejected: "no").result == .error("no"))
    #expect(Promise(with: Result<Int, Refusal>.success(7)).result == .value(7))
    #expect(Promise(with: Result<Int, Refusal>.failure(.second)).result == .error(.second))
  }

  // MARK: Identity

  @Test("1.1 1.12 promises are equal when they are copies of one another, not when their results are equal")
  func identity() {
    let one = Promise<Int, Reason>(fulfilled: 7)
    let copy = one
    let other = Promise<Int, Reason>(fulfilled: 7)
    #expect(one == copy)
    #expect(one != other)
    #expect(Set([one, copy, other]).count == 2)
  }

  @Test("1.6 1.17 a promise describes its types and what is known of its result")
  func description() {
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    #expect("\(promise)" == "Promise<Int, Refusal>(unresolved)")
    resolver.fulfill(with: 7)
    #expect("\(promise)" == "Promise<Int, Refusal>(value(7))")
  }
}
