import Overmorrow
import Testing

@Suite(.inTurn) struct CatchTests {
  @Test(
    "2.1 2.23 2.24 catch runs for an error, and passes every result on: the error is not handled by that",
    arguments: Ending.allCases)
  func passesOn(ending: Ending) {
    let result: PromiseResult<Int, Reason> = ending.result(7, "no")
    let seen = Recorder<Reason>()
    let promise = Promise(with: result)
    let child = promise.catch(on: .immediate) { seen.record($0) }
    #expect(seen.entries == (ending == .error ? ["no"] : []))
    #expect(child.result == result)
    #expect(child == promise, "nothing is left to wait for")
  }
}
