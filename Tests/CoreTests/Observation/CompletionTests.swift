import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct CompletionTests {
  @Test(
    "2.1 2.2 an operator returns a new promise that resolves after the callback has finished",
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

  @Test("2.1 fork passes the receiver to its closure, returns it, and rethrows errors")
  func fork() {
    let promise = Subject(fulfilled: 7)
    let given = Holder<Subject>()
    #expect(promise.fork { given.value = $0 } == promise)
    #expect(given.value == promise)
    #expect(throws: Refusal.second) { try promise.fork { _ throws(Refusal) in throw .second } }
  }

  @Test(
    "2.1 2.23 2.24 an observer that has run on a resolved promise returns that promise",
    arguments: TestedOperator.every.filter(\.observes), Ending.allCases)
  func forwards(tested: TestedOperator, ending: Ending) {
    let promise = Subject(with: ending.result(7, "no"))
    #expect(tested(promise, on: .immediate) {} == promise, "nothing is left to wait for")
  }

  @Test(
    "2.6 2.20 a callback not meant for the result is released inside the registering call",
    arguments: TestedOperator.every, Ending.allCases)
  func runsFor(tested: TestedOperator, ending: Ending) {
    let (executor, runs, tracker) = (ManualContext(), Counter(), Tracker())
    let promise = Subject(with: ending.result(7, "no"))
    let child = tested(promise, on: executor.context, tracker.callback { runs.increment() })
    let expected = tested.runsFor.contains(ending) ? 1 : 0
    #expect((executor.count, tracker.count) == (expected, expected))
    executor.runAll()
    #expect((runs.count, tracker.count) == (expected, 0))
    #expect(child.result == ending.result(7, "no"))
  }

  @Test("2.2 2.11 each step of a long chain on a queue starts after the previous one", arguments: [true, false])
  func chainOnQueue(isConcurrent: Bool) async {
    let place = MarkedQueue(attributes: isConcurrent ? .concurrent : [])
    let (ended, wrong) = (Counter(), Counter())
    var promise = Subject(on: place.context) { $0.fulfill(with: 0) }
    for step in 1...5000 {
      promise = promise.map(on: place.context) { value in
        // `value` steps have ended. A step that started too early would find fewer.
        if ended.count != value || !place.isCurrent { wrong.increment() }
        ended.increment()
        return step
      }
    }
    #expect(await promise.outcome() == .value(5000))
    #expect(wrong.count == 0)
  }

  @Test("2.2 siblings on a concurrent queue run at the same time")
  func siblingsOnConcurrentQueue() async {
    let place = MarkedQueue(attributes: .concurrent)
    let (promise, resolver) = Subject.makeWithResolver()
    let begun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    // Each callback waits until the other has started.
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
