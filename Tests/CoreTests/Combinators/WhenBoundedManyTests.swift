import Dispatch
import Overmorrow
import Testing

/// Bounded `when`s with many inputs and several threads.
@Suite(.serialized, .heavy) struct WhenBoundedManyTests {
  @Test("5.5 5.6 100,000 inputs on a concurrent queue never exceed the limit and keep their order")
  func neverMore() async {
    let count = scaled(100_000)
    let (inFlight, highest) = (Counter(), Maximum())
    let all = when(fulfilled: 0..<count, maxConcurrent: 5, on: .utility) { number -> Promise<Int, Never> in
      highest.record(inFlight.increment())
      return Promise(on: .utility) { resolver in
        inFlight.increment(by: -1)
        resolver.fulfill(with: number)
      }
    }
    let result = await all.outcome()
    #expect(result == .value(Array(0..<count)))
    #expect((1...5).contains(highest.value))
  }

  @Test("3.6 when a request races with inputs, the promise resolves and inputs start in order")
  func racingRequest() async {
    struct Round: Sendable {
      let all: Promise<[Int], Flaw>
      let inputs = (0..<20).map { _ in Input(complying: true) }
      let started = Recorder<Int>()
      let observed = Counter()

      init() {
        all = when(fulfilled: 0..<20, maxConcurrent: 3, on: .immediate) { [inputs, started] number in
          started.record(number)
          return inputs[number].take()
        }
        all.always(on: .immediate) { [observed] _ in observed.increment() }
      }

      /// Fulfils half of the inputs, in order, whether or not they have been started.
      func fulfil(_ part: Int) {
        for index in stride(from: part, to: 20, by: 2) { inputs[index].resolver.fulfill(with: index) }
      }
    }
    await race(
      rounds: 200, { Round() },
      { $0.fulfil(0) }, { $0.fulfil(1) }, { $0.all.requestCancel() },
      check: { round in
        guard let result = round.all.result, result.error == nil, round.observed.count == 1,
          round.started.entries == Array(0..<round.started.entries.count)
        else { return "\(round.all), started \(round.started.entries)" }
        if let values = result.value, values != Array(0..<20) { return "\(values)" }
        return round.inputs.allSatisfy { $0.requestCount <= 1 } ? nil : "asked \(round.inputs.map(\.requestCount))"
      })
  }

  @Test("5.5 on a concurrent queue, a failure that races with a request resolves the promise")
  func racingOnQueue() async {
    for round in 0..<scaled(200) {
      let isJoining = round % 2 == 0
      let all = when(fulfilled: 0..<50, maxConcurrent: 4, cancelOnFailure: true, joining: isJoining, on: .utility) {
        number in
        Promise<Int, Flaw>(on: .default) { resolver in
          number == 20 + round % 10 ? resolver.reject(with: "no") : resolver.fulfill(with: number)
        }
      }
      if round % 3 == 0 { all.requestCancel() }
      let result = await all.outcome()
      #expect(result == .error("no") || (round % 3 == 0 && result == .cancelled))
    }
  }
}

#if os(macOS) || os(Linux)
  /// Each test runs in its own process, because a stack overflow ends the process.
  @Suite(.heavy) struct WhenBoundedDepthTests {
    /// The moments at which the inputs of a bounded `when` are resolved.
    enum Moment: Codable, CaseIterable {
      case atOnce, byTheNextStart, insideCallbacks

      func combine(_ count: Int) -> Promise<[Int], Flaw> {
        switch self {
        case .atOnce:
          return when(fulfilled: 0..<count, maxConcurrent: 4, on: .immediate) { Promise(fulfilled: $0) }
        case .byTheNextStart:
          let previous = Holder<Promise<Int, Flaw>.Resolver>()
          defer { previous.value?.fulfill(with: count - 1) }
          return when(fulfilled: 0..<count, maxConcurrent: 2, on: .immediate) { number in
            let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
            previous.value?.fulfill(with: number - 1)
            previous.value = resolver
            return promise
          }
        case .insideCallbacks:
          let (first, resolver) = Promise<Int, Flaw>.makeWithResolver()
          defer { resolver.fulfill(with: 0) }
          return when(fulfilled: 0..<count, maxConcurrent: 1, on: .immediate) { number in
            (number == 0 ? first : Promise(fulfilled: number)).map(on: .immediate) { $0 }.flatMap(on: .immediate) {
              Promise(fulfilled: $0)
            }
          }
        }
      }
    }

    @Test("5.5 many inputs that resolve at once or inside one another do not recurse", arguments: Moment.allCases)
    func deep(_ moment: Moment) async throws {
      try await ExitArgument.passing(moment) {
        await #expect(processExitsWith: .success) {
          let moment = try ExitArgument.taken(Moment.self)
          let count = scaled(moment == .atOnce ? 1_000_000 : 100_000)
          let values = onThread(stackSize: 512 << 10) { moment.combine(count).result?.value }
          #expect(values == Array(0..<count))
        }
      }
    }

    @Test("5.5 100,000 inputs on a serial queue do not recurse")
    func onQueue() async {
      let count = scaled(100_000)
      let queue = DispatchQueue(label: "bounded")
      let all = when(fulfilled: 0..<count, maxConcurrent: 3, on: .queue(queue)) { Promise<Int, Never>(fulfilled: $0) }
      #expect(await all.outcome()?.value?.count == count)
    }
  }
#endif
