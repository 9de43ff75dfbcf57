import Overmorrow
import Testing

@Suite(.inTurn) struct WhenFulfilledTests {
  @Test("5.1 the values come in the order of the inputs, whatever the order in which they arrive")
  func order() {
    let (all, inputs) = Input.feed(4) { when(fulfilled: $0) }
    for index in [2, 0, 3] {
      inputs[index].resolver.fulfill(with: index * 10)
      #expect(all.result == nil)
    }
    inputs[1].resolver.fulfill(with: 10)
    #expect(all.result == .value([0, 10, 20, 30]))
  }

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

  @Test("5.1 no input at all is fulfilled at once", arguments: [false, true])
  func empty(cancelOnFailure: Bool) {
    let all = when(fulfilled: [Promise<Int, Flaw>](), cancelOnFailure: cancelOnFailure)
    #expect(all.result == .value([]))
  }

  @Test("5.1 inputs that are all fulfilled make a promise that is fulfilled already")
  func allFulfilled() {
    let all = when(fulfilled: (0..<5).map { Promise<Int, Flaw>(fulfilled: $0) })
    #expect(all.result == .value([0, 1, 2, 3, 4]))
  }

  @Test("5.1 one input that has failed decides at once, wherever it is", arguments: 0..<3)
  func oneFailed(position: Int) {
    let (results, inputs) = Input.feed(2) { pending -> [PromiseResult<[Int], Flaw>?] in
      [Promise<Int, Flaw>(rejected: "no"), Promise(with: .cancelled)].map { failed in
        var all = pending
        all.insert(failed, at: position)
        return when(fulfilled: all).result
      }
    }
    #expect(results == [.error("no"), .cancelled])
    withExtendedLifetime(inputs) {}
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

  @Test("5.1 the first rejection decides, and what comes later changes nothing")
  func rejectionFirst() {
    let (all, inputs) = Input.feed(4) { when(fulfilled: $0) }
    inputs[3].resolver.fulfill(with: 3)
    #expect(all.result == nil)
    inputs[2].resolver.reject(with: "first")
    #expect(all.result == .error("first"))
    inputs[0].resolver.reject(with: "second")
    inputs[1].resolver.cancel()
    #expect(all.result == .error("first"))
  }

  @Test("5.1 the first cancellation decides, and what comes later changes nothing")
  func cancellationFirst() {
    let (all, inputs) = Input.feed(3) { when(fulfilled: $0) }
    inputs[1].resolver.cancel()
    #expect(all.result == .cancelled)
    inputs[0].resolver.reject(with: "late")
    inputs[2].resolver.fulfill(with: 2)
    #expect(all.result == .cancelled)
  }

  @Test("5.1 an input whose resolver is dropped cancels the whole")
  func droppedResolver() {
    func keepFirst() -> (Promise<[Int], Flaw>, Input) {
      let (all, inputs) = Input.feed(2) { when(fulfilled: $0) }
      return (all, inputs[0])
    }
    let (all, kept) = keepFirst()
    #expect(all.result == .cancelled)
    withExtendedLifetime(kept) {}
  }

  @Test("5.1 5.10 a promise may be an input several times")
  func sameTwice() {
    let (all, input) = Input.feed { when(fulfilled: [$0, $0, Promise(fulfilled: 1), $0]) }
    #expect(all.result == nil)
    input.resolver.fulfill(with: 7)
    #expect(all.result == .value([7, 7, 1, 7]))
  }

  @Test("5.1 5.13 the observers run once, inside the call that resolves the last input")
  func observers() {
    let log = Recorder<String>()
    let (all, inputs) = Input.feed(2) { when(fulfilled: $0) }
    all.then(on: .immediate) { log.record("\($0)") }
    inputs[1].resolver.fulfill(with: 1)
    log.record("before")
    inputs[0].resolver.fulfill(with: 0)
    log.record("after")
    #expect(log.entries == ["before", "[0, 1]", "after"])
  }

  @Test("5.1 the inputs keep serving their other observers")
  func otherObservers() {
    let log = Recorder<Int>()
    let (all, inputs) = Input.feed(2) { promises in
      for promise in promises { promise.then(on: .immediate) { log.record($0) } }
      return when(fulfilled: promises)
    }
    inputs[0].resolver.reject(with: "no")
    inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == .error("no"))
    #expect(log.entries == [1])
  }
}
