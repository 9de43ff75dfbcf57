import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct NowOrTests {
  @Test(
    "2.8 2.9 a `.nowOr(c)` callback runs inside the registering call on a resolved promise, and then `isExecutingNow` is true; otherwise it runs on `c`",
    arguments: TestedOperator.every, [false, true])
  func nowOrLater(tested: TestedOperator, isResolved: Bool) {
    for ending in tested.runsFor {
      let executor = ManualContext()
      let log = Recorder<String>()
      let note: @Sendable (String) -> Void = { log.record("\($0), now: \(PromiseContext.isExecutingNow)") }
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      if isResolved { resolver.resolve(with: ending.result(7, "no")) }
      note("registers")
      let child = tested(promise, on: .nowOr(executor.context)) { note("callback") }
      note("registered")
      if !isResolved { resolver.resolve(with: ending.result(7, "no")) }
      note("resolved")
      #expect(executor.runAll() == (isResolved ? 0 : 1))
      var expected = ["registers, now: false", "registered, now: false", "resolved, now: false"]
      expected.insert("callback, now: \(isResolved)", at: isResolved ? 1 : 3)
      #expect(log.entries == expected)
      #expect(child.result == ending.result(7, "no"))
    }
  }

  @Test("2.8 `.nowOr` in `.nowOr` means the context inside")
  func nested() {
    let executor = ManualContext()
    let log = Recorder<String>()
    let context = PromiseContext.nowOr(.nowOr(executor.context))
    Promise<Int, Reason>(fulfilled: 7).then(on: context) { _ in log.record("now") }
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    promise.then(on: context) { _ in log.record("later") }
    resolver.fulfill(with: 7)
    #expect(log.entries == ["now"])
    executor.runAll()
    #expect(log.entries == ["now", "later"])
  }

  @Test("2.8 in `Promise.init` `.nowOr` is `.immediate`")
  func body() {
    let log = Recorder<String>()
    let promise = Promise<Int, Reason>(on: .nowOr(.executor(DroppingExecutor()))) { resolver in
      log.record("body")
      resolver.fulfill(with: 7)
    }
    log.record("after")
    #expect(log.entries == ["body", "after"])
    #expect(promise.result == .value(7))
  }

  @Test(
    "2.8 of registering and resolving at the same time comes one run, inside the registering call or on the context")
  func race() async {
    await TestSupport.race(
      rounds: 500, { (executor: ManualContext(), runs: Counter(), pair: Promise<Int, Reason>.makeWithResolver()) },
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
