import Overmorrow
import Testing

@Suite(.heavy) struct WhenSettledTests {
  enum Form: CaseIterable {
    case array, tuple, dictionary

    /// The results of three inputs, in their order.
    func combine(_ inputs: [Promise<Int, Flaw>]) -> Promise<[PromiseResult<Int, Flaw>], Never> {
      switch self {
      case .array: return when(settled: inputs)
      case .tuple: return when(settled: inputs[0], inputs[1], inputs[2]).map(on: .immediate) { [$0, $1, $2] }
      case .dictionary:
        let all = when(settled: ["a": inputs[0], "b": inputs[1], "c": inputs[2]])
        return all.map(on: .immediate) { results in results.sorted { $0.key < $1.key }.map(\.value) }
      }
    }
  }

  @Test(
    "5.3 every result is in its place when the last input has ended",
    arguments: Form.allCases,
    [[.value(0), .error("no"), .cancelled], [.cancelled, .cancelled, .cancelled]] as [[PromiseResult<Int, Flaw>]])
  func order(form: Form, results: [PromiseResult<Int, Flaw>]) {
    let (all, inputs) = Input.feed(3) { form.combine($0) }
    for index in [2, 0, 1] {
      #expect(all.result == nil)
      inputs[index].resolver.resolve(with: results[index])
    }
    #expect(all.result == .value(results))
    #expect(form.combine(results.map { Promise(with: $0) }).result == .value(results))
  }

  @Test("5.3 without inputs, the promise is fulfilled at once")
  func empty() {
    #expect(when(settled: [Promise<Int, Flaw>]()).result == .value([]))
    #expect(when(settled: [String: Promise<Int, Flaw>]()).result == .value([:]))
  }

  @Test("5.3 promises of different types give a tuple of their results")
  func tuple() throws {
    let number = Promise<Int, Flaw>(with: .cancelled)
    let all = when(settled: number, Promise<String, Refusal>(rejected: .second), Promise<Bool, Never>(fulfilled: true))
    let (a, b, c) = try #require(all.result?.value)
    #expect(a == .cancelled)
    #expect(b == .error(.second))
    #expect(c == .value(true))
  }

  @Test(
    "5.3 5.14 3.6 a request withdraws one vote on each pending input, and the results show outcomes",
    arguments: Form.allCases)
  func votes(form: Form) {
    let ((all, child), inputs) = Input.feed(3) { (form.combine($0), $0[1].makeChild()) }
    inputs[0].resolver.fulfill(with: 0)
    inputs[2].resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    all.requestCancel()
    #expect(requests(inputs) == [0, 0, 1])
    child.requestCancel()
    #expect(requests(inputs) == [0, 1, 1])
    #expect(all.result == nil)
    inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == .value([.value(0), .value(1), .cancelled]))
  }

  @Test("5.5 100,000 inputs that end out of order, with every outcome, keep their order")
  func many() {
    let count = scaled(100_000)
    let (all, inputs) = Input.feed(count) { when(settled: $0) }
    func ending(_ index: Int) -> PromiseResult<Int, Flaw> {
      index % 3 == 0 ? .value(index) : index % 3 == 1 ? .error("\(index)") : .cancelled
    }
    for step in 0..<count {
      let index = step * 7919 % count
      inputs[index].resolver.resolve(with: ending(index))
    }
    #expect(all.result == .value((0..<count).map(ending)))
  }

  @Test("5.3 the results of inputs that end on several threads are all delivered once")
  func racing() async {
    let expected: [PromiseResult<Int, Flaw>] = (0..<9).map { index in
      [.value(index), .error("\(index)"), .cancelled][index % 3]
    }
    await race(
      rounds: 150, { WhenRound(9) { when(settled: $0) } },
      WhenRound.threads(3) { index, resolver in resolver.resolve(with: expected[index]) },
      check: { $0.finding([.value(expected)]) })
  }
}
