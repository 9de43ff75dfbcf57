import Overmorrow
import Testing

@Suite(.inTurn) struct WhenFulfilledTests {
  @Test(
    "5.1 18.5 with an error type of one's own, a closure behind a combinator says what it throws, or the promise has a name"
  )
  func errorTypeInOneExpression() {
    let input = Promise<Int, Flaw>(fulfilled: 1)
    let count: Promise<Int, Flaw> = when(fulfilled: [input, input])
      .map(on: .immediate) { values throws(Flaw) in values.count }
    let all = when(fulfilled: [input, input])
    let sum: Promise<Int, Flaw> = all.map(on: .immediate) { $0.reduce(0, +) }
    #expect(count.result == .value(2) && sum.result == .value(2))
  }

  @Test("5.1 5.3 5.4 no input at all is fulfilled at once", arguments: [false, true])
  func empty(flag: Bool) {
    let array: [Promise<Int, Flaw>] = []
    #expect(when(fulfilled: array, cancelOnFailure: flag, joining: flag).result == .value([]))
    let dictionary: [Int: Promise<Int, Flaw>] = [:]
    #expect(when(fulfilled: dictionary, cancelOnFailure: flag, joining: flag).result == .value([:]))
  }

  @Test("5.1 of several inputs that have failed, the first one of the array decides")
  func severalFailed() {
    let first = Promise<Int, Flaw>(rejected: "first")
    let second = Promise<Int, Flaw>(rejected: "second")
    let cancelled = Promise<Int, Flaw>(with: .cancelled)
    #expect(when(fulfilled: [Promise(fulfilled: 1), first, second, cancelled]).result == .error("first"))
    #expect(when(fulfilled: [second, first]).result == .error("second"))
    #expect(when(fulfilled: [cancelled, first]).result == .cancelled)
  }

  @Test("5.1 5.10 a promise may be an input several times")
  func sameTwice() {
    let (all, input) = Input.feed { when(fulfilled: [$0, $0, Promise(fulfilled: 1), $0]) }
    #expect(all.result == nil)
    input.resolver.fulfill(with: 7)
    #expect(all.result == .value([7, 7, 1, 7]))
  }
}
