import Overmorrow
import Testing

@Suite(.heavy) struct WhenSettledTests {
  @Test("5.3 every result is there, in the order of the inputs, when the last one has come")
  func order() {
    let (all, inputs) = Input.feed(4) { when(settled: $0) }
    inputs[3].resolver.cancel()
    inputs[1].resolver.reject(with: "no")
    inputs[0].resolver.fulfill(with: 0)
    #expect(all.result == nil)
    inputs[2].resolver.reject(with: "last")
    #expect(all.result == .value([.value(0), .error("no"), .error("last"), .cancelled]))
  }

  @Test("5.3 no input at all is fulfilled at once, and so are inputs that are all resolved")
  func atOnce() {
    #expect(when(settled: [Promise<Int, Flaw>]()).result == .value([]))
    let ended: [Promise<Int, Flaw>] = [Promise(rejected: "no"), Promise(with: .cancelled), Promise(fulfilled: 1)]
    #expect(when(settled: ended).result == .value([.error("no"), .cancelled, .value(1)]))
  }

  @Test("5.3 promises of different types give a tuple of their results")
  func tuple() throws {
    let number = CancelProbe<Int, Flaw>()
    let text = CancelProbe<String, Refusal>()
    let all = when(settled: number.take(), text.take(), Promise<Bool, Never>(fulfilled: true))
    text.resolver.reject(with: .second)
    #expect(all.result == nil)
    number.resolver.cancel()
    let (a, b, c) = try #require(all.result?.value)
    #expect(a == .cancelled)
    #expect(b == .error(.second))
    #expect(c == .value(true))
  }

  @Test("5.3 a tuple of promises that are all resolved is there at once")
  func tupleAtOnce() throws {
    let all = when(settled: Promise<Int, Flaw>(rejected: "no"), Promise<Bool, Refusal>(fulfilled: true))
    let (a, b) = try #require(all.result?.value)
    #expect(a == .error("no"))
    #expect(b == .value(true))
  }

  @Test("5.3 3.6 a request to cancel is one vote on each input, and the results tell what came of it")
  func votes() {
    let ((all, child), inputs) = Input.feed(3) { (when(settled: $0), $0[1].makeChild()) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    inputs[0].resolver.fulfill(with: 0)
    all.requestCancel()
    #expect(requests(inputs) == [0, 0, 1])
    #expect(all.result == nil)
    child.requestCancel()
    #expect(all.result == .value([.value(0), .cancelled, .cancelled]))
    withExtendedLifetime(inputs) {}
  }

  @Test("5.3 3.6 a request to cancel goes through the tuple, too")
  func otherVotes() {
    let (tuple, inputs) = Input.feed(2) { when(settled: $0[0], $0[1]) }
    tuple.requestCancel()
    #expect(requests(inputs) == [1, 1])
    withExtendedLifetime(inputs) {}
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

  @Test(
    "5.14 a when(settled:) that was asked to cancel is fulfilled when all inputs have ended, and tells which are cancelled"
  )
  func requested() {
    let (first, resolver) = Promise<Int, Reason>.makeWithResolver()
    let (second, stubborn) = Promise<Int, Reason>.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    let all = when(settled: [first, second].map { $0.makeChild() })
    all.requestCancel()
    #expect(all.result == nil)
    stubborn.fulfill(with: 2)
    resolver.cancel()
    #expect(all.result == .value([.cancelled, .value(2)]))
  }
}
