import Overmorrow
import Testing

@Suite(.inTurn) struct NowOrTests {
  @Test(
    "2.7 2.8 2.9 immediate and nowOr callbacks of a resolved promise run inside the registering call",
    arguments: TestedOperator.every, [false, true])
  func inside(tested: TestedOperator, isResolved: Bool) {
    let executor = ManualContext()
    for context in [PromiseContext.immediate, .nowOr(executor.context), .nowOr(.nowOr(executor.context))] {
      let isNowOr = context != .immediate
      for ending in tested.runsFor {
        let log = Recorder<String>()
        let note: @Sendable (String) -> Void = { log.record("\($0), now: \(PromiseContext.isExecutingNow)") }
        let (promise, resolver) = Subject.makeWithResolver()
        if isResolved { resolver.resolve(with: ending.result(7, "no")) }
        note("registers")
        let child = tested(promise, on: context) { note("callback") }
        note("registered")
        if !isResolved { resolver.resolve(with: ending.result(7, "no")) }
        note("resolved")
        #expect(executor.runAll() == (isNowOr && !isResolved ? 1 : 0))
        var expected = ["registers, now: false", "registered, now: false", "resolved, now: false"]
        expected.insert("callback, now: \(isNowOr && isResolved)", at: isResolved ? 1 : isNowOr ? 3 : 2)
        #expect(log.entries == expected, "\(context)")
        #expect(child.result == ending.result(7, "no"))
      }
    }
  }

  @Test("2.8 a body on nowOr runs inside the call, a lazy body on its context")
  func body() {
    let executor = ManualContext()
    let promise = Subject(on: .nowOr(executor.context)) { $0.fulfill(with: 7) }
    #expect((promise.result, executor.count) == (.value(7), 0))
    let later = LazyPromise<Int, Reason>(on: .nowOr(executor.context)) { $0.fulfill(with: 8) }.promise
    #expect(later.result == nil)
    executor.runAll()
    #expect(later.result == .value(8))
  }

  @Test("2.8 when registration and resolution race, a nowOr callback runs exactly once")
  func race() async {
    await TestSupport.race(
      rounds: 500, { (executor: ManualContext(), runs: Counter(), pair: Subject.makeWithResolver()) },
      { round in
        round.pair.0.then(on: .nowOr(round.executor.context)) { [runs = round.runs] _ in runs.increment() }
      },
      { $0.pair.1.fulfill(with: 7) },
      check: { round in
        let now = round.runs.count
        round.executor.runAll()
        return round.runs.count == 1 ? nil : "\(now) runs now, \(round.runs.count) runs in all"
      })
  }
}
