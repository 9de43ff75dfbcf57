import Overmorrow
import Testing

@Suite(.inTurn) struct AlwaysTests {
  @Test("2.1 2.24 always runs for every result, is given it, and passes it on", arguments: Ending.allCases)
  func passesOn(ending: Ending) {
    let result: PromiseResult<Int, Reason> = ending.result(7, "no")
    let seen = Recorder<PromiseResult<Int, Reason>>()
    let promise = Promise(with: result)
    let child = promise.always(on: .immediate) { seen.record($0) }
    #expect(seen.entries == [result])
    #expect(child.result == result)
    #expect(child == promise, "nothing is left to wait for")
  }
}
