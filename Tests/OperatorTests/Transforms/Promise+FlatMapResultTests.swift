import Overmorrow
import Testing

@Suite(.inTurn) struct FlatMapResultTests {
  @Test(
    "2.1 flatMapResult adopts another promise in the place of every result", arguments: Ending.allCases, Ending.allCases
  )
  func adopts(ending: Ending, next: Ending) {
    let (inner, resolver) = Promise<String, Bool>.makeWithResolver()
    let seen = Recorder<PromiseResult<Int, Reason>>()
    let child = Promise<Int, Reason>(with: ending.result(7, "no")).flatMapResult(on: .immediate) { result in
      seen.record(result)
      return inner
    }
    #expect(seen.entries == [ending.result(7, "no")])
    #expect(child.result == nil)
    resolver.resolve(with: next.result("new", true))
    #expect(child.result == next.result("new", true))
  }
}
