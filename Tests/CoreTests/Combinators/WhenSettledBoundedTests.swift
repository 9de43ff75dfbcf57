import Overmorrow
import OvermorrowTesting
import Testing

/// The bounded `when(settled:)`. The tests of the bounded `when(fulfilled:)` cover the turns, which are the same.
@Suite(.inTurn) struct WhenSettledBoundedTests {
  private typealias Results = Promise<[PromiseResult<Int, Flaw>], Never>
  private typealias Work = WhenFulfilledBoundedTests.Work

  private func run(
    _ work: Work, _ maxConcurrent: Int, on context: PromiseContext = .immediate, token: PromiseInvalidationToken? = nil
  ) -> Results {
    when(settled: 0..<work.inputs.count, maxConcurrent: maxConcurrent, on: context, token: token) { number in
      work.start(number)
    }
  }

  @Test("5.6 5.15 after an error, the next input starts, and results keep their order")
  func order() {
    let work = Work(4)
    let all = run(work, 2)
    #expect(work.started.entries == [0, 1])
    work.inputs[1].resolver.reject(with: "no")
    #expect(work.started.entries == [0, 1, 2])
    work.inputs[2].resolver.cancel()
    #expect(work.started.entries == [0, 1, 2, 3])
    work.inputs[3].resolver.fulfill(with: 3)
    #expect(all.result == nil)
    work.inputs[0].resolver.fulfill(with: 0)
    #expect(all.result == .value([.value(0), .error("no"), .cancelled, .value(3)]))
    #expect(run(Work(0), 3).result == .value([]))
  }

  @Test("5.7 5.15 the sequence is read only up to the limit of pending inputs")
  func lazily() {
    let walked = Recorder<Int>()
    let inputs = (0..<4).map { _ in Input() }
    let all = when(
      settled: (0..<4).lazy.map { number in
        walked.record(number)
        return number
      }, maxConcurrent: 2, on: .immediate
    ) { number in inputs[number].take() }
    #expect(walked.entries == [0, 1])
    inputs[0].resolver.reject(with: "no")
    #expect(walked.entries == [0, 1, 2])
    for index in 1..<4 { inputs[index].resolver.fulfill(with: index) }
    #expect(all.result == .value([.error("no"), .value(1), .value(2), .value(3)]))
  }

  @Test("5.15 a request withdraws one vote on each pending input and starts no more")
  func votes() {
    let work = Work(4)
    let child = work.inputs[1].promise.makeChild()
    let all = run(work, 2)
    all.requestCancel()
    #expect(requests(work.inputs) == [1, 0, 0, 0])
    child.requestCancel()
    #expect(requests(work.inputs) == [1, 1, 0, 0])
    work.inputs[0].resolver.cancel()
    #expect(all.result == nil)
    work.inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == .cancelled)
    #expect(work.started.entries == [0, 1])
  }

  @Test("5.15 after a request, a sequence without further elements gives the results", arguments: [2, 3])
  func lastInputs(limit: Int) {
    let work = Work(2)
    let all = run(work, limit)
    all.requestCancel()
    work.inputs[0].resolver.cancel()
    work.inputs[1].resolver.reject(with: "no")
    #expect(all.result == .value([.cancelled, .error("no")]))
  }

  @Test("4.1 5.15 after an invalidation, the next start cancels the promise without running the closure")
  func token() {
    let token = PromiseInvalidationToken()
    let work = Work(3)
    let all = run(work, 1, token: token)
    token.invalidate()
    work.inputs[0].resolver.reject(with: "no")
    #expect(all.result == .cancelled)
    #expect(work.started.entries == [0])
  }

  @Test("1.4 5.15 a context that drops its work cancels the promise")
  func dropping() {
    #expect(run(Work(2), 1, on: .executor(DroppingExecutor())).result == .cancelled)
  }

  @Test("5.8 a limit below 1 counts as 1, and the diagnostics report it", arguments: [0, Int.min])
  func limitBelowOne(limit: Int) {
    let work = Work(2)
    let heard = DiagnosticsProbe.listen {
      let all = run(work, limit)
      #expect(work.started.entries == [0])
      for input in work.inputs { input.resolver.cancel() }
      #expect(all.result == .value([.cancelled, .cancelled]))
    }
    #expect(heard == [.invalidArgument("when(settled:maxConcurrent:): \(limit) counts as 1")])
  }

  private actor Desk {
    private var numbers: [Int] = []

    func promises() async -> (Results, [Int]) {
      let all = when(settled: 0..<3, maxConcurrent: 2) { number -> Promise<Int, Flaw> in
        self.preconditionIsolated()
        self.numbers.append(number)
        return number == 1 ? Promise(rejected: "no") : Promise(fulfilled: number)
      }
      _ = await all.outcome()
      return (all, numbers)
    }
  }

  @Test("5.12 5.15 without a context, the closure runs on its actor")
  func isolation() async {
    let (all, numbers) = await Desk().promises()
    #expect(all.result == .value([.value(0), .error("no"), .value(2)]))
    #expect(numbers == [0, 1, 2])
  }

  @Test("5.15 8.12 an async closure gives a result for each call, whatever it throws")
  func async() async {
    let all = when(settled: 0..<3, maxConcurrent: 2) { number async throws -> Int in
      await Task.yield()
      switch number {
      case 0: return 7
      case 1: throw Refusal.first
      default: throw CancellationError()
      }
    }
    let results = await all.outcome()?.value
    #expect((results?[0].value, results?[1].error as? Refusal, results?[2].isCancelled) == (7, .first, true))
  }

  @Test("5.6 5.15 many inputs on a concurrent queue keep the limit, and each result its place")
  func many() async {
    let count = scaled(20_000)
    let (inFlight, highest) = (Counter(), Maximum())
    let all = when(settled: 0..<count, maxConcurrent: 5, on: .utility) { number -> Promise<Int, Flaw> in
      highest.record(inFlight.increment())
      return Promise(on: .utility) { resolver in
        inFlight.increment(by: -1)
        resolver.resolve(with: Self.result(number))
      }
    }
    let result = await all.outcome()
    #expect(result == .value((0..<count).map(Self.result)))
    #expect((1...5).contains(highest.value))
  }

  private static func result(_ number: Int) -> PromiseResult<Int, Flaw> {
    number % 3 == 0 ? .value(number) : number % 3 == 1 ? .error("\(number)") : .cancelled
  }
}
