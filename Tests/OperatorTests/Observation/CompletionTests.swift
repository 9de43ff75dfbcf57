import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct CompletionTests {
  private typealias Subject = Promise<Int, Reason>

  @Test(
    "2.1 2.2 the promise returned is a new one that resolves after the callback has finished, but for tap, which returns its receiver",
    arguments: TestedOperator.every)
  func afterCallback(tested: TestedOperator) throws {
    for ending in tested.runsFor {
      let executor = ManualContext()
      let log = Recorder<String>()
      let child = Holder<Subject>()
      let (promise, resolver) = Subject.makeWithResolver()
      child.value = tested(promise, on: executor.context) {
        log.record("callback")
        log.record(child.value?.result == nil ? "unresolved" : "resolved")
      }
      let last = try #require(child.value)
      #expect((last == promise) == tested.returnsReceiver)
      last.always(on: .immediate) { _ in log.record("next") }
      resolver.resolve(with: ending.result(7, "no"))
      #expect(log.entries == (tested.returnsReceiver ? ["next"] : []))
      executor.runAll()
      let expected = tested.returnsReceiver ? ["next", "callback", "resolved"] : ["callback", "unresolved", "next"]
      #expect(log.entries == expected)
      #expect(last.result == ending.result(7, "no"))
      child.value = nil
    }
  }

  @Test("2.1 fork hands over the receiver and returns it, and lets errors through")
  func fork() {
    let promise = Subject(fulfilled: 7)
    let given = Holder<Subject>()
    #expect(promise.fork { given.value = $0 } == promise)
    #expect(given.value == promise)
    #expect(throws: Refusal.second) { try promise.fork { _ throws(Refusal) in throw .second } }
  }

  @Test("2.7 2.24 callbacks on resolved promises nest inside the call as deep as passes do, and follow from there")
  func nestedAtOnce() {
    let (promise, runs) = (Subject(fulfilled: 1), Recorder<Int>())
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
    "2.6 2.20 a callback that is not wanted for the result does not run, and goes inside the registering call",
    arguments: TestedOperator.every, Ending.allCases)
  func runsFor(tested: TestedOperator, ending: Ending) {
    let (executor, runs, tracker) = (ManualContext(), Counter(), Tracker())
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    let child = tested(promise, on: executor.context, tracker.callback { runs.increment() })
    let expected = tested.runsFor.contains(ending) ? 1 : 0
    #expect((executor.count, tracker.count) == (expected, expected))
    executor.runAll()
    #expect((runs.count, tracker.count) == (expected, 0))
    #expect(child.result == ending.result(7, "no"))
  }

  @Test("2.2 on a concurrent queue each step starts after the one before has ended")
  func chainOnConcurrentQueue() async {
    let place = MarkedQueue(attributes: .concurrent)
    let running = Counter()
    let log = Recorder<Bool>()
    var promise = Subject(on: place.context) { $0.fulfill(with: 0) }
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
    let (promise, resolver) = Subject.makeWithResolver()
    let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    // Each waits until the other has begun.
    let children = (0...1).map { index in
      promise.map(on: place.context) { _ in
        begun[index].signal()
        return begun[1 - index].wait(timeout: .now() + 60) == .success
      }
    }
    resolver.fulfill(with: 7)
    for child in children { #expect(await child.outcome() == .value(true)) }
  }
}
