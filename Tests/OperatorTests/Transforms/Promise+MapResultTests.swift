import Overmorrow
import Testing

@Suite(.inTurn) struct MapResultTests {
  @Test("2.1 mapResult turns every result into any other", arguments: Ending.allCases, Ending.allCases)
  func plain(ending: Ending, next: Ending) {
    let seen = Recorder<PromiseResult<Int, Reason>>()
    let child = Promise<Int, Reason>(with: ending.result(7, "no")).mapResult(on: .immediate) { result in
      seen.record(result)
      return next.result("new", true) as PromiseResult<String, Bool>
    }
    #expect(seen.entries == [ending.result(7, "no")])
    #expect(child.result == next.result("new", true))
  }
}
