import Overmorrow
import Testing

@Suite(.heavy) struct WhenFirstFulfilledTests {
  typealias Failed = PromiseAggregateError<Flaw>

  @Test(
    "5.3 5.11 none fulfilled is one error with every error in the order of the inputs, gaps for those that were cancelled, and how they came",
    arguments: zip([["0", "1", "2"], ["0", nil, nil]] as [[Flaw?]], [[2, 0, 1], [1, 0, 2]]))
  func allRejected(reasons: [Flaw?], order: [Int]) {
    let (first, inputs) = Input.feed(3) { when(firstFulfilled: $0) }
    for index in order {
      #expect(first.result == nil)
      inputs[index].resolver.resolve(with: reasons[index].map { .error($0) } ?? .cancelled)
    }
    #expect(first.result == .error(Failed(reasons: reasons, finishingOrder: order)))
    #expect(first.result?.error?.errors == reasons.compactMap { $0 })
  }

  @Test("5.3 no input at all fails at once with an error that says so", arguments: [false, true])
  func empty(flag: Bool) {
    let nothing = when(firstFulfilled: [Promise<Int, Flaw>](), cancelRemaining: flag, joining: flag)
    #expect(nothing.result?.error?.isEmpty == true && nothing.result?.error?.errors == [])
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
