import Overmorrow
import Testing

@Suite(.inTurn) struct ImmediateTests {
  @Test(
    "2.7 an immediate callback runs inside the resolving call, or the registering call if resolved already",
    arguments: TestedOperator.every, [false, true])
  func inside(tested: TestedOperator, isResolved: Bool) {
    for ending in tested.runsFor {
      let log = Recorder<String>()
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      if isResolved { resolver.resolve(with: ending.result(7, "no")) }
      log.record("register")
      let child = tested(promise, on: .immediate) { log.record("callback") }
      log.record("registered")
      if !isResolved { resolver.resolve(with: ending.result(7, "no")) }
      log.record("resolved")
      let expected = isResolved ? ["register", "callback", "registered"] : ["register", "registered", "callback"]
      #expect(log.entries == expected + ["resolved"])
      #expect(child.result != nil)
    }
  }
}
