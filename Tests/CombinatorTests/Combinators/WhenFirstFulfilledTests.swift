import Overmorrow
import Testing

@Suite(.heavy) struct WhenFirstFulfilledTests {
  typealias Failed = PromiseAggregateError<Flaw>

  @Test("5.3 the first input that is fulfilled decides, although others were rejected before")
  func fulfilled() {
    let (first, inputs) = Input.feed(3) { when(firstFulfilled: $0) }
    inputs[0].resolver.reject(with: "no")
    inputs[2].resolver.cancel()
    #expect(first.result == nil)
    inputs[1].resolver.fulfill(with: 1)
    #expect(first.result == .value(1))
  }

  @Test("5.3 all rejected is one error that carries every error in the order of the inputs, and how they came")
  func allRejected() {
    let (first, inputs) = Input.feed(3) { when(firstFulfilled: $0) }
    for index in [2, 0] {
      inputs[index].resolver.reject(with: "\(index)")
      #expect(first.result == nil)
    }
    inputs[1].resolver.reject(with: "1")
    #expect(first.result == .error(Failed(reasons: ["0", "1", "2"], finishingOrder: [2, 0, 1])))
    #expect(first.result?.error?.errors == ["0", "1", "2"])
  }

  @Test("5.3 5.11 inputs that are cancelled leave a gap among the reasons")
  func someCancelled() {
    let (first, inputs) = Input.feed(3) { when(firstFulfilled: $0) }
    inputs[1].resolver.cancel()
    inputs[0].resolver.reject(with: "0")
    inputs[2].resolver.cancel()
    #expect(first.result == .error(Failed(reasons: ["0", nil, nil], finishingOrder: [1, 0, 2])))
    #expect(first.result?.error?.errors == ["0"])
  }

  @Test("5.3 no input at all fails at once with an error that says so", arguments: [false, true])
  func empty(flag: Bool) {
    let nothing = when(firstFulfilled: [Promise<Int, Flaw>](), cancelRemaining: flag, joining: flag)
    #expect(nothing.result?.error?.isEmpty == true)
    #expect(nothing.result?.error?.description == "there was no promise to wait for")
  }

  @Test("5.3 inputs that are resolved decide at once; of several values, the first one of the array")
  func resolvedAlready() {
    let (no, cancelled) = (Promise<Int, Flaw>(rejected: "no"), Promise<Int, Flaw>(with: .cancelled))
    let (one, two) = (Promise<Int, Flaw>(fulfilled: 1), Promise<Int, Flaw>(fulfilled: 2))
    let (results, inputs) = Input.feed(1) { pending in
      [
        when(firstFulfilled: pending + [no, one, two]).result, when(firstFulfilled: [no, cancelled, no]).result,
        when(firstFulfilled: [cancelled, cancelled]).result, when(firstFulfilled: [no] + pending).result,
      ]
    }
    #expect(results == [.value(1), .error(Failed(reasons: ["no", nil, "no"])), .cancelled, nil])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.3 a promise may be an input several times")
  func sameTwice() {
    let (first, input) = Input.feed { when(firstFulfilled: [$0, $0]) }
    input.resolver.reject(with: "no")
    #expect(first.result == .error(Failed(reasons: ["no", "no"])))
  }

  @Test("5.5 100,000 inputs that are rejected in no order give their reasons in order")
  func many() {
    let count = scaled(100_000)
    let (first, inputs) = Input.feed(count) { when(firstFulfilled: $0) }
    // The factor has no divisor in common with the count: every input once, all over the place.
    for step in 0..<count { inputs[step * 7919 % count].resolver.reject(with: "\(step * 7919 % count)") }
    #expect(first.result?.error?.errors.count == count)
    #expect(first.result?.error?.reasons.enumerated().allSatisfy { $0.element == "\($0.offset)" } == true)
    #expect(
      first.result?.error?.finishingOrder.enumerated().allSatisfy { $0.element == $0.offset * 7919 % count } == true)
  }
}
