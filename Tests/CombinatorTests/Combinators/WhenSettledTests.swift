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

  @Test("5.3 every result is there, in its place, when the last one has come", arguments: Form.allCases)
  func order(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0) }
    inputs[2].resolver.cancel()
    inputs[0].resolver.fulfill(with: 0)
    #expect(all.result == nil)
    inputs[1].resolver.reject(with: "no")
    #expect(all.result == .value([.value(0), .error("no"), .cancelled]))
  }

  @Test("5.3 inputs of which none is fulfilled give their results, too", arguments: Form.allCases)
  func none(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0) }
    for input in inputs { input.resolver.cancel() }
    #expect(all.result == .value([.cancelled, .cancelled, .cancelled]))
  }

  @Test("5.3 inputs that are all resolved are fulfilled at once", arguments: Form.allCases)
  func atOnce(form: Form) {
    let ended: [Promise<Int, Flaw>] = [Promise(rejected: "no"), Promise(with: .cancelled), Promise(fulfilled: 1)]
    #expect(form.combine(ended).result == .value([.error("no"), .cancelled, .value(1)]))
  }

  @Test("5.3 no input at all is fulfilled at once")
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
    "5.3 5.14 3.6 a request to cancel is one vote on each input, and the results tell what came of it",
    arguments: Form.allCases)
  func votes(form: Form) {
    let ((all, child), inputs) = Input.feed(3) { (form.combine($0), $0[1].makeChild()) }
    inputs[0].resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    all.requestCancel()
    #expect(requests(inputs) == [1, 0, 1])
    child.requestCancel()
    #expect(requests(inputs) == [1, 1, 1])
    inputs[1].resolver.reject(with: "no")
    #expect(all.result == nil)
    inputs[2].resolver.fulfill(with: 2)
    #expect(all.result == .value([.cancelled, .error("no"), .value(2)]))
  }

  @Test("5.3 3.6 an input that has ended is not asked, and is told as it ended", arguments: Form.allCases)
  func endedBefore(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    inputs[0].resolver.fulfill(with: 0)
    all.requestCancel()
    #expect(requests(inputs) == [0, 1, 1])
    #expect(all.result == .value([.value(0), .cancelled, .cancelled]))
  }

  @Test("5.5 100,000 inputs that end in no order and in all ways keep their order")
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

  @Test("5.3 inputs that end on several threads at once are all there, once")
  func racing() async {
    struct Round: Sendable {
      let all: Promise<[PromiseResult<Int, Flaw>], Never>
      let inputs: [Input]
      let observed = Counter()

      init() {
        (all, inputs) = Input.feed(9) { when(settled: $0) }
        all.always(on: .immediate) { [observed] _ in observed.increment() }
      }
    }
    let threads: [@Sendable (Round) -> Void] = [
      { round in for index in 0..<3 { round.inputs[index].resolver.fulfill(with: index) } },
      { round in for index in 3..<6 { round.inputs[index].resolver.reject(with: "\(index)") } },
      { round in for index in 6..<9 { round.inputs[index].resolver.cancel() } },
    ]
    let expected: [PromiseResult<Int, Flaw>] = [
      .value(0), .value(1), .value(2), .error("3"), .error("4"), .error("5"), .cancelled, .cancelled, .cancelled,
    ]
    await race(
      rounds: 150, { Round() }, threads,
      check: { $0.all.result == .value(expected) && $0.observed.count == 1 ? nil : "\($0.all)" })
  }
}
