import Overmorrow
import Testing

@Suite(.inTurn) struct OnCancelTests {
  @Test("2.1 2.24 onCancel runs for a cancellation, and passes every result on", arguments: Ending.allCases)
  func passesOn(ending: Ending) {
    let result: PromiseResult<Int, Reason> = ending.result(7, "no")
    let runs = Counter()
    let promise = Promise(with: result)
    let child = promise.onCancel(on: .immediate) { runs.increment() }
    #expect(runs.count == (ending == .cancelled ? 1 : 0))
    #expect(child.result == result)
    #expect(child == promise, "nothing is left to wait for")
  }
}
