import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct CompletionTests {
  @Test("2.2 the promise returned resolves after the callback has finished", arguments: TestedOperator<Reason>.all)
  func plain(tested: TestedOperator<Reason>) throws {
    for ending in tested.runsFor { try check(tested, ending.result(7, "no")) }
  }

  @Test("2.2 the promise returned resolves after the callback has finished", arguments: TestedOperator<Refusal>.all)
  func throwing(tested: TestedOperator<Refusal>) throws {
    for ending in tested.runsFor { try check(tested, ending.result(7, .first)) }
  }

  private func check<Failure>(_ tested: TestedOperator<Failure>, _ result: PromiseResult<Int, Failure>) throws {
    let executor = ManualContext()
    let log = Recorder<String>()
    let child = Holder<Promise<Int, Failure>>()
    let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
    child.value = tested(promise, on: executor.context) {
      log.record("callback")
      log.record(child.value?.result == nil ? "unresolved" : "resolved")
    }
    let last = try #require(child.value)
    last.always(on: .immediate) { _ in log.record("next") }
    resolver.resolve(with: result)
    if tested.returnsReceiver {
      #expect(log.entries == ["next"])
      executor.runAll()
      #expect(log.entries == ["next", "callback", "resolved"])
    } else {
      #expect(log.entries == [])
      executor.runAll()
      #expect(log.entries == ["callback", "unresolved", "next"])
    }
    #expect(last.result?.value == result.value)
    #expect(last.result?.isCancelled == result.isCancelled)
    child.value = nil
  }

  @Test("2.1 2.2 the promise returned is a new one, but for tap", arguments: TestedOperator<Reason>.all)
  func plainIsNew(tested: TestedOperator<Reason>) {
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    #expect((tested(promise, on: .immediate) {} == promise) == tested.returnsReceiver)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.1 2.2 the promise returned is a new one", arguments: TestedOperator<Refusal>.all)
  func throwingIsNew(tested: TestedOperator<Refusal>) {
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    #expect(tested(promise, on: .immediate) {} != promise)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.21 2.24 a callback on a resolved promise that throws rejects a promise of its own")
  func throwingAtOnce() {
    let promise = Promise<Int, Refusal>(fulfilled: 1)
    let child = promise.then(on: .immediate) { _ throws(Refusal) in throw .first }
    #expect(child.result == .error(.first))
    #expect(promise.result == .value(1))
  }

  @Test("2.7 2.24 callbacks on resolved promises nest inside the call as deep as passes do, and follow from there")
  func nestedAtOnce() {
    let (promise, runs) = (Promise<Int, Reason>(fulfilled: 1), Recorder<Int>())
    @Sendable func nest(_ depth: Int) {
      promise.then(on: .immediate) { _ in
        runs.record(depth)
        if depth < 10_000 { nest(depth + 1) }
      }
    }
    nest(1)
    #expect(runs.entries == Array(1...10_000))
  }

  @Test(
    "2.2 2.20 a callback that is not wanted for the result does not run", arguments: TestedOperator<Reason>.all,
    Ending.allCases)
  func runsFor(tested: TestedOperator<Reason>, ending: Ending) {
    let runs = Counter()
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    let child = tested(promise, on: .immediate) { runs.increment() }
    #expect(runs.count == (tested.runsFor.contains(ending) ? 1 : 0))
    #expect(child.result == ending.result(7, "no"))
  }

  @Test(
    "2.2 2.20 a callback that is not wanted for the result does not run", arguments: TestedOperator<Refusal>.all,
    Ending.allCases)
  func throwingRunsFor(tested: TestedOperator<Refusal>, ending: Ending) {
    let runs = Counter()
    let promise = Promise<Int, Refusal>(with: ending.result(7, .first))
    let child = tested(promise, on: .immediate) { runs.increment() }
    #expect(runs.count == (tested.runsFor.contains(ending) ? 1 : 0))
    #expect(child.result == ending.result(7, .first))
  }

  @Test(
    "2.1 cancelling the promise returned leaves the receiver's other observers alone",
    arguments: TestedOperator<Reason>.all)
  func plainLeavesOthers(tested: TestedOperator<Reason>) {
    guard !tested.returnsReceiver else { return }
    leavesOthers(tested, "no")
  }

  @Test(
    "2.1 cancelling the promise returned leaves the receiver's other observers alone",
    arguments: TestedOperator<Refusal>.all)
  func throwingLeavesOthers(tested: TestedOperator<Refusal>) { leavesOthers(tested, .first) }

  private func leavesOthers<Failure: Error>(_ tested: TestedOperator<Failure>, _ failure: Failure) {
    let seen = Recorder<Int>()
    let (children, origin) = CancelProbe<Int, Failure>.feed { promise in
      (tested(promise, on: .immediate) {}, promise.then(on: .immediate) { seen.record($0) })
    }
    children.0.requestCancel()
    #expect(origin.requestCount == 0)
    #expect(children.0.result == nil)
    origin.resolver.fulfill(with: 7)
    #expect(seen.entries == [7])
  }

  @Test("2.2 on a concurrent queue each step starts after the one before has ended")
  func chainOnConcurrentQueue() async {
    let place = MarkedQueue(attributes: .concurrent)
    let running = Counter()
    let log = Recorder<Bool>()
    var promise = Promise<Int, Reason>(on: place.context) { $0.fulfill(with: 0) }
    for step in 1...100 {
      promise = promise.map(on: place.context) { value in
        // So many have ended; a step that began too early would find fewer.
        log.record(running.count == value && place.isCurrent)
        running.increment()
        return step
      }
    }
    #expect(await promise.outcome() == .value(100))
    #expect(log.entries == Array(repeating: true, count: 100))
  }

  @Test("2.2 on a concurrent queue siblings need not wait for one another")
  func siblingsOnConcurrentQueue() async {
    let place = MarkedQueue(attributes: .concurrent)
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    // Each waits until the other has begun.
    let children = (0...1).map { index in
      promise.map(on: place.context) { _ in
        begun[index].signal()
        return begun[1 - index].wait(timeout: .now() + 60) == .success
      }
    }
    resolver.fulfill(with: 7)
    #expect(await children[0].outcome() == .value(true))
    #expect(await children[1].outcome() == .value(true))
  }
}
