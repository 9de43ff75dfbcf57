import Overmorrow
import Testing

@Suite(.heavy) struct WhenFirstFulfilledTests {
  typealias Failed = PromiseAggregateError<Flaw>

  @Test(
    "5.3 5.11 without a fulfilled input, the error lists reasons, gaps and the order of arrival",
    arguments: zip([["0", "1", "2"], ["0", nil, nil]] as [[Flaw?]], [[2, 0, 1], [1, 0, 2]]))
  func allRejected(reasons: [Flaw?], order: [Int]) {
    let (first, inputs) = Input.feed(3) { when(firstFulfilled: $0) }
    for index in order {
      #expect(first.result == nil)
      inputs[index].resolver.resolve(with: reasons[index].map { .error($0) } ?? .cancelled)
    }
    #expect(first.result == .error(Failed(reasons: reasons, finishingOrder: order)))
    #expect(first.result?.error?.errors == reasons.compactMap { $0 })
    let ended = reasons.map { Promise<Int, Flaw>(with: $0.map { .error($0) } ?? .cancelled) }
    #expect(when(firstFulfilled: ended).result == .error(Failed(reasons: reasons)))
  }

  @Test("5.5 100,000 inputs rejected out of order give their reasons in order")
  func many() {
    let count = scaled(100_000)
    let (first, inputs) = Input.feed(count) { when(firstFulfilled: $0) }
    // The factor and the count are coprime, so each input is rejected once, in a scattered order.
    for step in 0..<count { inputs[step * 7919 % count].resolver.reject(with: "\(step * 7919 % count)") }
    #expect(first.result?.error?.errors.count == count)
    #expect(first.result?.error?.reasons.enumerated().allSatisfy { $0.element == "\($0.offset)" } == true)
    #expect(
      first.result?.error?.finishingOrder.enumerated().allSatisfy { $0.element == $0.offset * 7919 % count } == true)
  }
}
