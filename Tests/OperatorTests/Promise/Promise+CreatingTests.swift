import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct CreatingTests {
  private let executor = ManualContext()

  // MARK: Bodies

  @Test("1.1 an immediate body runs before the initialiser returns")
  func immediateBody() {
    let log = Recorder<String>()
    let promise = Promise<Int, Reason>(on: .immediate) { resolver in
      log.record("body")
      resolver.fulfill(with: 7)
    }
    log.record("after")
    #expect(log.entries == ["body", "after"])
    #expect(promise.result == .value(7))
  }

  @Test("1.1 a body waits for its context")
  func bodyOnExecutor() {
    let runs = Counter()
    let promise = Promise<Int, Reason>(on: executor.context) { resolver in
      runs.increment()
      resolver.fulfill(with: 7)
    }
    #expect(runs.count == 0)
    #expect(promise.result == nil)
    #expect(executor.runAll() == 1)
    #expect(runs.count == 1)
    #expect(promise.result == .value(7))
  }

  @Test("1.1 a body runs on the queue that it is given")
  func bodyOnQueue() async {
    let place = MarkedQueue()
    let promise = Promise<Bool, Reason>(on: place.context) { $0.fulfill(with: place.isCurrent) }
    #expect(await promise.outcome() == .value(true))
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

  @Test("1.1 1.19 a body whose executor runs work repeatedly still runs once")
  func bodyOnRepeatingExecutor() {
    let runs = Counter()
    _ = Promise<Int, Reason>(on: .executor(RepeatingExecutor(times: 3))) { _ in runs.increment() }
    #expect(runs.count == 1)
  }

  @Test("1.1 a body may keep the resolver and use it later")
  func resolverKept() {
    let kept = Holder<Promise<Int, Reason>.Resolver>()
    let promise = Promise<Int, Reason>(on: .immediate) { kept.value = $0 }
    #expect(promise.result == nil)
    kept.value?.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  // MARK: Throwing bodies

  @Test("1.3 a body that throws any error rejects with it")
  func throwingAnyError() {
    let promise = Promise<Int, any Error>(on: .immediate) { _ in throw Refusal.second }
    #expect(promise.result?.error as? Refusal == .second)
  }

  @Test("1.3 a body that throws its own type of error rejects with it")
  func throwingTypedError() {
    let promise = Promise<Int, Refusal>(on: .immediate) { _ throws(Refusal) in throw .second }
    #expect(promise.result == .error(.second))
  }

  @Test("1.3 a body that throws on a context rejects when it runs there")
  func throwingOnExecutor() {
    let promise = Promise<Int, Refusal>(on: executor.context) { _ throws(Refusal) in throw .second }
    #expect(promise.result == nil)
    executor.runAll()
    #expect(promise.result == .error(.second))
  }

  @Test("1.3 throwing after resolving does nothing", arguments: Ending.allCases)
  func throwingAfterResolving(ending: Ending) {
    let result: PromiseResult<Int, Refusal> = ending.result(7, .first)
    let observations = Counter()
    let promise = Promise<Int, Refusal>(on: executor.context) { resolver throws(Refusal) in
      resolver.resolve(with: result)
      throw .second
    }
    promise.tap(on: .immediate) { _ in observations.increment() }
    executor.runAll()
    #expect(promise.result == result)
    #expect(observations.count == 1)
  }

  @Test("1.3 throwing after having begun to follow another promise does nothing")
  func throwingAfterAdopting() {
    let (inner, innerResolver) = Promise<Int, Refusal>.makeWithResolver()
    let promise = Promise<Int, Refusal>(on: .immediate) { resolver throws(Refusal) in
      resolver.resolve(with: inner)
      throw .second
    }
    #expect(promise.result == nil)
    innerResolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
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

  @Test("1.5 a promise made with an error is rejected with it")
  func rejected() {
    #expect(Promise<Int, Reason>(rejected: "no").result == .error("no"))
  }

  @Test("1.5 a promise made with a Swift result has it")
  func withSwiftResult() {
    let success = Result<Int, Refusal>.success(7)
    let failure = Result<Int, Refusal>.failure(.second)
    #expect(Promise(with: success).result == .value(7))
    #expect(Promise(with: failure).result == .error(.second))
  }

  @Test("1.5 a promise made with its resolver is unresolved until that is used")
  func makeWithResolver() {
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    #expect(promise.result == nil)
    resolver.reject(with: "no")
    #expect(promise.result == .error("no"))
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
