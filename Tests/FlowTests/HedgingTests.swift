import OvermorrowFlow
import Testing

@testable import Overmorrow

/// A second attempt beside a slow first one.
@Suite(.inTurn) struct HedgingTests {
  private let clock = TestClock()

  @Test("21.15 an attempt that ends before the delay is the only one", arguments: Ending.allCases)
  func quick(ending: Ending) async {
    let calls = Counter()
    let promise = Subject.hedge(after: .seconds(1), on: .immediate, clock: clock) { _ in
      calls.increment()
      return Subject(with: ending.result(7, .first))
    }
    #expect((promise.result, calls.count, clock.sleeperCount) == (ending.result(7, .first), 1, 0))
    let async = Promise<Int, any Error> { [clock] in
      try await withHedging(after: .seconds(1), clock: clock) { _ in
        calls.increment()
        return try Subject(with: ending.result(7, .first)).result?.get() ?? 0
      }
    }
    let result = await async.outcome()
    #expect((result?.value, result?.error as? Refusal) == (promise.result?.value, promise.result?.error))
    #expect((calls.count, clock.sleeperCount) == (2, 0))
  }

  @Test("21.15 21.16 the first success wins, and the other attempt is asked to cancel")
  func second() {
    let probes = (0..<2).map { _ in Probe() }
    let promise = Subject.hedge(after: .seconds(1), on: .immediate, clock: clock) { probes[$0 - 1].take() }
    tick(clock, by: .seconds(1))
    #expect(clock.sleeperCount == 0, "there are two attempts by default")
    probes[1].resolver.fulfill(with: 2)
    #expect(promise.result == .value(2))
    #expect(probes.map(\.requestCount) == [1, 0])
    probes[0].resolver.reject(with: .first)
    #expect(promise.result == .value(2))
  }

  @Test("21.15 no attempt begins while the observers of the result run")
  func decided() {
    let (probes, numbers) = ((0..<3).map { _ in Probe() }, Recorder<Int>())
    let promise = Subject.hedge(after: .seconds(1), attempts: 3, on: .immediate, clock: clock) { number in
      numbers.record(number)
      return probes[number - 1].take()
    }
    promise.always(on: .immediate) { [clock] _ in tick(clock, by: .seconds(9)) }
    probes[0].resolver.fulfill(with: 1)
    #expect((promise.result, numbers.entries, clock.sleeperCount) == (.value(1), [1], 0))
  }

  @Test("21.17 withHedging begins no attempt in a cancelled task")
  func cancelledBefore() async {
    let calls = Counter()
    let task = Task { [clock] in
      cancelCurrentTask()
      return try await withHedging(after: .seconds(1), clock: clock) { _ in calls.increment() }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((calls.count, clock.sleeperCount) == (0, 0))
  }

  @Test("21.16 withHedging returns when the other attempt has ended")
  func waiting() async {
    let (permission, resolver) = Promise<Void, Never>.makeWithResolver()
    let asked = Latch()
    let call = Promise<Int, any Error> { [clock] in
      try await withHedging(after: .seconds(1), clock: clock) { number in
        if number == 2 { return 2 }
        return await withTaskCancellationHandler {
          await Task { _ = await permission.finalResult }.value
          return 1
        } onCancel: {
          asked.signal()
        }
      }
    }
    await clock.waitForSleepers(1)
    tick(clock, by: .seconds(1))
    await asked.wait(for: "the request to cancel")
    #expect(call.result == nil)
    resolver.fulfill(with: ())
    #expect(await call.outcome()?.value == 2)
  }

  @Test("21.17 a request to cancel asks all attempts, and no further attempt begins")
  func requests() async {
    let probes = (0..<3).map { _ in Probe() }
    let promise = Subject.hedge(after: .seconds(1), attempts: 3, on: .immediate, clock: clock) { probes[$0 - 1].take() }
    tick(clock, by: .seconds(1))
    promise.requestCancel()
    #expect((probes.map(\.requestCount), clock.sleeperCount) == ([1, 1, 0], 0))
    probes[0].resolver.cancel()
    #expect(promise.result == nil)
    probes[1].resolver.fulfill(with: 2)
    #expect(promise.result == .value(2), "a value counts")
    let calls = Counter()
    let task = Task { [clock] in
      try await withHedging(after: .seconds(1), attempts: 3, clock: clock) { _ in
        calls.increment()
        try await clock.sleep(for: .seconds(9))
      }
    }
    await clock.waitForSleepers(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((calls.count, clock.sleeperCount) == (1, 0))
  }

  @Test("21.17 an attempt that its executor drops cancels the promise")
  func dropped() {
    let (executor, calls) = (ManualContext(), Counter())
    let promise = Subject.hedge(after: .seconds(1), on: executor.context, clock: clock) { _ in calls.failedAttempt() }
    executor.dropAll()
    #expect((promise.result, calls.count, clock.sleeperCount) == (.cancelled, 0, 0))
  }

  @Test("21.15 attempts without a delay begin in order, and without growing the stack")
  func withoutDelay() async {
    let (count, probe, numbers) = (scaled(100_000), Probe(), Recorder<Int>())
    let promise = Subject.hedge(after: .zero, attempts: .max, on: .immediate, clock: clock) { number in
      numbers.record(number)
      return number == count ? Subject(fulfilled: number) : probe.promise
    }
    #expect(await promise.outcome() == .value(count))
    #expect(numbers.entries == Array(1...count))
  }

  @Test("21.15 attempts whose delays end at once begin on the context, in order")
  func shortDelay() async {
    let (queue, probe, numbers) = (MarkedQueue(), Probe(), Recorder<Int>())
    let promise = Subject.hedge(
      after: .seconds(1), attempts: 3, on: .nowOr(queue.context), clock: OvertakingClock(clock, queue)
    ) { number in
      numbers.record(queue.isCurrent || number == 1 ? number : -number)
      return number == 3 ? Subject(fulfilled: 7) : probe.promise
    }
    #expect(await promise.outcome() == .value(7))
    #expect(numbers.entries == [1, 2, 3])
  }

  @Test("21.15 an attempt that fails at once lets further attempts begin beside a running one")
  func failingAtOnce() {
    let (probe, calls) = (Probe(), Counter())
    let promise = Subject.hedge(after: .seconds(1), attempts: 4, on: .immediate, clock: clock) { number in
      number == 1 ? probe.take() : calls.failedAttempt()
    }
    for count in 1...3 {
      tick(clock, by: .seconds(1))
      #expect(calls.count == count)
    }
    probe.resolver.fulfill(with: 1)
    #expect(promise.result == .value(1))
  }

  @Test("21.17 a request during the begin of an attempt lets no further attempt begin")
  func requestInside() {
    let (hedge, probe, calls) = (Holder<Subject>(), Probe(), Counter())
    hedge.value = Subject.hedge(after: .seconds(1), attempts: 3, on: .immediate, clock: clock) { _ in
      calls.increment()
      hedge.value?.requestCancel()
      return probe.promise
    }
    tick(clock, by: .seconds(1))
    #expect((calls.count, clock.sleeperCount) == (2, 0))
    hedge.value = nil
  }

  @Test("21.15 attempts below 1 count as 1, and the diagnostics report it")
  func invalid() async throws {
    let found = try await diagnostics {
      _ = Subject.hedge(after: .seconds(1), attempts: 0, on: .immediate) { Subject(fulfilled: $0) }
    }
    #expect(found == [.invalidArgument("Promise.hedge.attempts: 0 counts as 1")])
    #expect(try await withHedging(after: .seconds(1), attempts: -1) { $0 } == 1)
  }

  @Test("21.15 21.16 hedges in both forms end as a model says, in random programs")
  func model() async {
    var generator = SeededGenerator(seed: 25)
    for round in 0..<scaled(20_000) / 20 {
      let start = Hedging(using: &generator)
      for isAsync in [false, true] {
        let (clock, begun, executor) = (TestClock(), Counter(), SteppedExecutor())
        let promise = start.run(isAsync: isAsync, on: clock, executor, begun)
        var model = start
        while model.result == nil {
          await until("round \(round) to wait for \(model)") {
            // A task that runs while its sleep ends would go on before the tasks that are ready.
            executor.run()
            return begun.count == model.begun && clock.sleeperCount == model.sleepers
          }
          clock.advanceToNext()
          model.advance()
        }
        executor.run()
        let result = await promise.outcome()
        #expect(result == model.result && clock.now.offset == .seconds(model.now), "round \(round): \(start)")
        if result != model.result { return }
        #expect((begun.count, clock.sleeperCount) == (model.begun, 0))
      }
    }
  }

  /// A random hedge, and its model. All times differ.
  private struct Hedging {
    private(set) var now = 0
    private(set) var begun = 0
    private(set) var result: PromiseResult<Int, Refusal>?
    private let delay: Int
    private var attempts: [(duration: Int, ending: Ending)] = []
    private var ends: [Int: Int] = [:]
    private var next: Int?

    init(using generator: inout SeededGenerator) {
      // No sum of delays and durations equals another one.
      delay = 1000
      let fractions = (1...900).shuffled(using: &generator)
      for index in 0..<Int.random(in: 1...4, using: &generator) {
        let duration = 1000 * Int.random(in: 0...4, using: &generator) + fractions[index]
        attempts.append((duration, Ending.allCases.randomElement(using: &generator) ?? .value))
      }
      begin()
    }

    private mutating func begin() {
      ends[begun] = now + attempts[begun].duration
      begun += 1
      next = begun < attempts.count ? now + delay : nil
    }

    var sleepers: Int { ends.count + (next == nil ? 0 : 1) }

    /// Moves to the next delay or end of an attempt.
    mutating func advance() {
      let end = ends.min { $0.value < $1.value }
      if let next, next < end?.value ?? .max {
        now = next
        return begin()
      }
      guard let (index, time) = end else { return }
      now = time
      ends[index] = nil
      let ending = attempts[index].ending
      if ending == .value || ends.isEmpty { result = ending.result(index + 1, .first) }
    }

    func run(isAsync: Bool, on clock: TestClock, _ executor: SteppedExecutor, _ begun: Counter) -> Subject {
      let attempts = attempts
      guard isAsync else {
        return Subject.hedge(after: .seconds(delay), attempts: attempts.count, on: .immediate, clock: clock) { number in
          begun.increment()
          let (duration, ending) = attempts[number - 1]
          return Subject(
            on: .immediate, with: ending.result(number, .first), after: .seconds(duration), clock: clock)
        }
      }
      return Promise<Int, any Error>(taskExecutor: executor) {
        try await withHedging(after: .seconds(delay), attempts: attempts.count, clock: clock) { number in
          begun.increment()
          let (duration, ending) = attempts[number - 1]
          try await clock.sleep(for: .seconds(duration))
          switch ending {
          case .value: return number
          case .error: throw Refusal.first
          case .cancelled: throw CancellationError()
          }
        }
      }.mapError { $0 as? Refusal ?? .second }
    }
  }

  @Test("21.15 21.17 successes and requests that race end a hedge once")
  func races() async {
    await race(
      rounds: 2000, { Racing() },
      [
        { $0.probes[0].resolver.fulfill(with: 1) },
        { $0.probes[1].resolver.reject(with: .first) },
        { $0.promise.requestCancel() },
      ],
      check: { $0.promise.result == .value(1) ? nil : "\(String(describing: $0.promise.result))" })
  }

  private struct Racing {
    let probes = (0..<2).map { _ in Probe() }
    let promise: Subject

    init() {
      let (clock, probes) = (TestClock(), probes)
      promise = Subject.hedge(after: .seconds(1), on: .immediate, clock: clock) { probes[$0 - 1].promise }
      clock.advance(by: .seconds(1))
    }
  }
}
