import Overmorrow
import Testing

@Suite(.inTurn) struct TapCallbackTests {
  @Test("2.1 tap without a callback is a new promise with the same result", arguments: Ending.allCases)
  func follower(ending: Ending) {
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let child = promise.tap()
    #expect(child != promise)
    #expect(child.result == nil)
    resolver.resolve(with: ending.result(7, "no"))
    #expect(child.result == ending.result(7, "no"))
  }

  @Test("2.1 fork hands over the receiver and returns it, and lets errors through")
  func fork() {
    let promise = Promise<Int, Reason>(fulfilled: 7)
    let given = Holder<Promise<Int, Reason>>()
    #expect(promise.fork { given.value = $0 } == promise)
    #expect(given.value == promise)
    #expect(throws: Refusal.second) { try promise.fork { _ throws(Refusal) in throw .second } }
  }
}
