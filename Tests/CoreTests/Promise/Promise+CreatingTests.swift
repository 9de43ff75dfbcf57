import Overmorrow
import Testing

/// The initialisers that run a body. A lazy promise runs it when its promise is requested. The throwing forms do not
/// throw here.
private enum Starter: CaseIterable {
  case promise, throwing, lazy, throwingLazy

  func start(
    on context: PromiseContext, _ body: @escaping @Sendable (Promise<Int, Refusal>.Resolver) -> Void
  ) -> Promise<Int, Refusal> {
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
    #expect(starter.start(on: .immediate) { $0.fulfill(with: 7) }.result == .value(7))
  }

  @Test(
    "1.1 1.11 11.3 a body waits for its context and runs once, with any number of observers",
    arguments: Starter.allCases)
  private func bodyOnExecutor(starter: Starter) {
    let (runs, observations) = (Counter(), Counter())
    let promise = starter.start(on: executor.context) { $0.fulfill(with: runs.increment()) }
    for _ in 0..<3 { promise.then(on: .immediate) { _ in observations.increment() } }
    #expect((promise.result, runs.count, observations.count) == (nil, 0, 0))
    #expect(executor.runAll() == 1)
    for _ in 0..<3 { promise.then(on: .immediate) { _ in observations.increment() } }
    #expect(executor.runAll() == 0)
    #expect((promise.result, runs.count, observations.count) == (.value(1), 1, 6))
  }

  @Test("1.1 1.11 a body runs on the given queue", arguments: Starter.allCases)
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

  @Test("1.4 1.11 a context that drops the body cancels the promise at that moment", arguments: Starter.allCases)
  private func bodyDropped(starter: Starter) {
    let (runs, tracker) = (Counter(), Tracker())
    let atOnce = starter.start(on: .executor(DroppingExecutor())) { _ in runs.increment() }
    #expect(atOnce.result == .cancelled)
    let later = starter.start(on: executor.context, tracker.callback { $0.fulfill(with: runs.increment()) })
    #expect((later.result, tracker.count) == (nil, 1))
    executor.dropAll()
    #expect((later.result, tracker.count, runs.count) == (.cancelled, 0, 0))
  }

  @Test("1.1 1.11 a stored resolver receives requests and resolves the promise later", arguments: Starter.allCases)
  private func resolverKept(starter: Starter) {
    let kept = Holder<Promise<Int, Refusal>.Resolver>()
    let promise = starter.start(on: .immediate) { kept.value = $0 }
    #expect(promise.result == nil)
    promise.requestCancel()
    #expect(kept.value?.hasRequestedCancel == true)
    kept.value?.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  // MARK: Throwing bodies

  @Test("1.3 1.11 a body that throws rejects the promise with its error")
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

  @Test("1.3 an error thrown after resolving or adopting has no effect", arguments: Ending.allCases, [false, true])
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

  @Test("1.3 resolving after the body has thrown has no effect")
  func resolvingAfterThrowing() {
    let kept = Holder<Promise<Int, Refusal>.Resolver>()
    let promise = Promise<Int, Refusal>(on: .immediate) { resolver throws(Refusal) in
      kept.value = resolver
      throw .second
    }
    kept.value?.fulfill(with: 7)
    #expect(promise.result == .error(.second))
  }

  // MARK: Resolved promises

  @Test("1.5 promises made with a value, an error or a Swift Result are resolved")
  func resolved() {
    #expect(Promise<Int, String>(fulfilled: 7).result == .value(7))
    #expect(Subject(rejected: "no").result == .error("no"))
    #expect(Promise(with: Result<Int, Refusal>.success(7)).result == .value(7))
    #expect(Promise(with: Result<Int, Refusal>.failure(.second)).result == .error(.second))
  }

  @Test("1.5 the promise and the resolver of makeWithResolver have names")
  func names() {
    let made = Subject.makeWithResolver()
    #expect(made.promise.result == nil)
    made.resolver.fulfill(with: 7)
    #expect(made.promise.result == .value(7))
    let make: () -> (Subject, Subject.Resolver) = Subject.makeWithResolver
    // Swift 6.2 keeps a resolver that has no name until the end of the expression.
    let promise = make().0
    #expect(promise.result == .cancelled)
  }

  // MARK: Identity

  @Test("1.1 1.11 1.12 promises and lazy promises are equal only if one copies the other")
  func identity() {
    let (one, other) = (Subject(fulfilled: 7), Subject(fulfilled: 7))
    let copy = one
    #expect(one == copy && one != other)
    #expect(Set([one, copy, other]).count == 2)
    let lazy = (0..<2).map { _ in LazyPromise<Int, Reason>(on: .immediate) { $0.fulfill(with: 7) } }
    let lazyCopy = lazy[0]
    #expect(lazy[0] == lazyCopy && lazy[0] != lazy[1])
  }

  @Test("1.6 1.17 a promise describes its types and its result, if there is one")
  func description() {
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    #expect("\(promise)" == "Promise<Int, Refusal>(unresolved)")
    resolver.fulfill(with: 7)
    #expect("\(promise)" == "Promise<Int, Refusal>(value(7))")
  }
}
