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

  @Test("2.1 a mapResult that may throw does the same", arguments: Ending.allCases, Ending.allCases)
  func throwing(ending: Ending, next: Ending) {
    let child = Promise<Int, Reason>(with: ending.result(7, "no")).mapResult(on: .immediate) { _ throws(Refusal) in
      next.result("new", Refusal.third) as PromiseResult<String, Refusal>
    }
    #expect(child.result == next.result("new", .third))
  }

  @Test("2.1 what mapResult throws rejects the promise returned", arguments: Ending.allCases)
  func thrown(ending: Ending) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    let child = promise.mapResult(on: .immediate) { _ throws(Refusal) -> PromiseResult<Int, Refusal> in throw .second }
    #expect(child.result == .error(.second))
    let any = promise.mapResult(on: .immediate) { _ -> PromiseResult<Int, any Error> in throw Refusal.third }
    #expect(any.result?.error as? Refusal == .third)
  }
}
