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

  @Test("2.1 a flatMapResult that may throw does the same", arguments: Ending.allCases)
  func throwing(ending: Ending) {
    let child = Promise<Int, Reason>(with: ending.result(7, "no"))
      .flatMapResult(on: .immediate) { result throws(Refusal) in Promise<Bool, Refusal>(fulfilled: result.isCancelled) }
    #expect(child.result == .value(ending == .cancelled))
  }

  @Test("2.1 what flatMapResult throws rejects the promise returned", arguments: Ending.allCases)
  func thrown(ending: Ending) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    let child = promise.flatMapResult(on: .immediate) { _ throws(Refusal) -> Promise<Int, Refusal> in throw .second }
    #expect(child.result == .error(.second))
    let any = promise.flatMapResult(on: .immediate) { _ -> Promise<Int, any Error> in throw Refusal.third }
    #expect(any.result?.error as? Refusal == .third)
  }
}
