internal import OvermorrowEngine
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// A circuit breaker, and the states that its observers receive.
@Suite(.heavy) struct CircuitBreakerTests {
  private typealias State = PromiseCircuitBreaker.State

  private let clock = TestClock()

  private func breaker(minimum: Int = 2, trials: Int = 1) -> PromiseCircuitBreaker {
    PromiseCircuitBreaker(
      failureRate: 0.5, minimumCalls: minimum, window: .seconds(10), openDuration: .seconds(5), trialCalls: trials,
      clock: clock
    ) { $0 as? Refusal != .third }
  }

  private func call(_ breaker: PromiseCircuitBreaker, _ error: Refusal? = nil) async -> (any Error)? {
    do {
      try await breaker.perform { if let error { throw error } }
      return nil
    } catch {
      return error
    }
  }

  @Test("21.5 21.6 a breaker opens at the rate of failures, and refuses calls without making them")
  func opening() async {
    let (breaker, calls) = (breaker(), Counter())
    #expect(await call(breaker, .first) as? Refusal == .first)
    #expect(breaker.state == .closed, "one call is below the minimum")
    #expect(await call(breaker) == nil)
    #expect(breaker.state == .closed, "the rate is evaluated at a failure")
    #expect(await call(breaker, .first) != nil)
    #expect(breaker.state == .open)
    tick(clock, by: .seconds(2))
    let refused = breaker.run {
      calls.increment()
      return Promise<Int, any Error>(fulfilled: 7)
    }
    #expect(refused.result?.error as? PromiseRefusalError == .circuitOpen(retryAfter: .seconds(3)))
    await #expect(throws: PromiseRefusalError.circuitOpen(retryAfter: .seconds(3))) {
      try await breaker.perform { _ = calls.increment() }
    }
    #expect(calls.count == 0)
    #expect(PromiseRefusalError.circuitOpen(retryAfter: .seconds(3)).retryAfter == .seconds(3))
    #expect("\(PromiseRefusalError.circuitOpen(retryAfter: nil))" == "the circuit breaker is open")
  }

  @Test("21.7 trial calls after the open duration close the breaker, or open it again")
  func trials() async {
    let breaker = breaker(trials: 2)
    for _ in 0..<2 { _ = await call(breaker, .first) }
    tick(clock, by: .seconds(5))
    #expect(breaker.state == .open, "no call has arrived")
    let probes = (0..<2).map { _ in CancelProbe<Int, any Error>() }
    for probe in probes { _ = breaker.run { probe.promise } }
    #expect(breaker.state == .halfOpen)
    #expect(await call(breaker) as? PromiseRefusalError == .circuitOpen(retryAfter: nil))
    probes[0].resolver.cancel()
    #expect(await call(breaker) == nil, "a cancelled trial call makes room for another one")
    #expect(breaker.state == .halfOpen)
    probes[1].resolver.reject(with: Refusal.second)
    #expect(breaker.state == .open)
    tick(clock, by: .seconds(5))
    for _ in 0..<2 { #expect(await call(breaker) == nil) }
    #expect(breaker.state == .closed)
  }

  @Test("21.5 cancelled calls count nothing, and other errors than failures count as successes")
  func otherErrors() async {
    let breaker = breaker(minimum: 1)
    #expect(await call(breaker, .third) != nil)
    await #expect(throws: CancellationError.self) { try await breaker.perform { throw CancellationError() } }
    #expect(breaker.run { Promise<Int, any Error>(with: .cancelled) }.result?.isCancelled == true)
    #expect(breaker.run { Promise<Int, any Error>(rejected: CancellationError()) }.result?.error != nil)
    #expect(breaker.state == .closed)
    #expect(await call(breaker, .first) != nil)
    #expect(breaker.state == .open, "one of two calls has failed")
  }

  @Test("21.5 21.7 an error of a cancelled task counts nothing, whatever the error")
  func cancelledTask() async {
    let breaker = breaker(minimum: 1)
    func callInCancelledTask() async {
      let task = Task {
        try await breaker.perform {
          cancelCurrentTask()
          throw Refusal.first
        }
      }
      await #expect(throws: Refusal.first) { try await task.value }
    }
    await callInCancelledTask()
    #expect(breaker.state == .closed)
    _ = await call(breaker, .first)
    tick(clock, by: .seconds(5))
    await callInCancelledTask()
    #expect(breaker.state == .halfOpen)
    #expect(await call(breaker) == nil, "there is room for another trial call")
    #expect(breaker.state == .closed)
  }

  @Test("21.5 21.7 an error of work that was asked to cancel counts nothing")
  func askedWork() async {
    let breaker = breaker(minimum: 1)
    let probes = (0..<2).map { _ in CancelProbe<Int, any Error>() }
    let promise = breaker.run { probes[0].take() }
    promise.requestCancel()
    probes[0].resolver.reject(with: Refusal.first)
    #expect((promise.result?.error as? Refusal, breaker.state) == (.first, .closed))
    let hedge = Promise<Int, any Error>.hedge(after: .seconds(1), on: .immediate, clock: clock) { number in
      breaker.run { number == 2 ? Promise(fulfilled: 2) : probes[1].take() }
    }
    tick(clock, by: .seconds(1))
    #expect((hedge.result?.value, probes[1].requestCount) == (2, 1))
    probes[1].resolver.reject(with: Refusal.first)
    #expect(breaker.state == .closed, "the slow attempt of a hedge is no failure")
    #expect(breaker.run { Promise<Int, any Error>(rejected: Refusal.first) }.result?.error != nil)
    #expect(breaker.state == .open)
  }

  @Test("21.5 a breaker opens exactly at its rate", arguments: [(55, 0.55), (7, 0.07), (29, 0.29), (100, 1)])
  func exactRate(failures: Int, rate: Double) {
    var circuit = CircuitState(
      .init(failureRate: rate, minimumCalls: 100, window: .seconds(10), openDuration: .zero, trialCalls: 1))
    for number in 1...100 {
      #expect(circuit.phase == .closed)
      circuit.end(number > 100 - failures ? .failure : .success, began: 0, at: .zero)
    }
    #expect(circuit.phase.state == .open)
  }

  @Test("21.5 a breaker works at times that are far apart")
  func farTimes() async {
    let breaker = PromiseCircuitBreaker(minimumCalls: 4, window: .nanoseconds(10), clock: clock)
    for _ in 0..<4 {
      _ = await call(breaker, .first)
      #expect(breaker.state == .closed)
      tick(clock, by: .seconds(Int64.max))
    }
    let longest = PromiseCircuitBreaker(
      minimumCalls: 1, window: .seconds(Int64.max), openDuration: .seconds(Int64.max), clock: clock)
    _ = await call(longest, .first)
    #expect(await call(longest) as? PromiseRefusalError == .circuitOpen(retryAfter: .longestWait))
  }

  @Test("21.5 failures count until their slot leaves the window")
  func window() async {
    let breaker = breaker(minimum: 2)
    _ = await call(breaker, .first)
    tick(clock, by: .seconds(10))
    _ = await call(breaker, .first)
    #expect(breaker.state == .closed)
    tick(clock, by: .seconds(9))
    _ = await call(breaker, .first)
    #expect(breaker.state == .open)
  }

  @Test("21.8 an observer receives the state and then each change, until the breaker is released")
  func observing() async {
    var breaker: PromiseCircuitBreaker? = breaker()
    let states = breaker?.states
    for _ in 0..<2 { _ = await breaker?.run { Promise<Int, any Error>(rejected: Refusal.first) }.outcome() }
    tick(clock, by: .seconds(5))
    _ = breaker?.run { Promise<Int, any Error>(fulfilled: 7) }
    let late = breaker?.states
    breaker = nil
    #expect(await elements(of: states) == [.closed, .open, .halfOpen, .closed])
    #expect(await elements(of: late) == [.closed])
  }

  private func elements(of states: AsyncStream<State>?) async -> [State] {
    var all: [State] = []
    guard let states else { return all }
    for await state in states { all.append(state) }
    return all
  }

  @Test("21.8 an observer that reads nothing has the 16 latest states")
  func slowObserver() async {
    let (observers, expected) = (StateObservers(), [State.open, .halfOpen, .closed])
    let stream = observers.stream()
    for number in 0..<100 {
      observers.record(expected[number % 3])
      observers.deliver()
    }
    let read = Promise<[State], Never> { [self] in await elements(of: stream) }
    withExtendedLifetime(observers) {}
    _ = consume observers
    #expect(await read.outcome()?.value == (84..<100).map { expected[$0 % 3] })
  }

  @Test("21.5 invalid numbers and windows are replaced by the nearest valid ones, and reported")
  func invalid() async throws {
    let found = try await diagnostics {
      let breaker = PromiseCircuitBreaker(failureRate: -1, minimumCalls: 0, window: .zero, trialCalls: 0)
      _ = breaker.run { Promise<Int, any Error>(rejected: Refusal.first).recover { _ in 0 }.upcast }
      let strict = PromiseCircuitBreaker(failureRate: .nan, minimumCalls: 2)
      let lax = PromiseCircuitBreaker(failureRate: .infinity, minimumCalls: 2)
      for breaker in [strict, lax] {
        _ = breaker.run { Promise<Int, any Error>(fulfilled: 7) }
        _ = breaker.run { Promise<Int, any Error>(rejected: CancellationError()) }
        #expect(breaker.state == .closed)
      }
    }
    #expect(
      found == [
        .invalidArgument("PromiseCircuitBreaker.failureRate: -1.0 counts as 0.0"),
        .invalidArgument("PromiseCircuitBreaker.minimumCalls: 0 counts as 1"),
        .invalidArgument("PromiseCircuitBreaker.window: 0.0 seconds counts as 1e-08 seconds"),
        .invalidArgument("PromiseCircuitBreaker.trialCalls: 0 counts as 1"),
        .invalidArgument("PromiseCircuitBreaker.failureRate: nan counts as 1.0"),
        .invalidArgument("PromiseCircuitBreaker.failureRate: inf counts as 1.0"),
      ])
  }

  @Test("21.5 21.6 21.7 a breaker behaves as a model says, in random programs")
  func model() {
    var generator = SeededGenerator(seed: 22)
    for round in 0..<modelPrograms {
      var program = BreakerProgram(using: &generator)
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        program.step(using: &generator)
        guard let fault = program.fault else { continue }
        Issue.record("round \(round): \(program.log.joined(separator: ", ")): \(fault)")
        return
      }
    }
  }

  @Test("21.7 racing calls of a half-open breaker make one trial call")
  func races() async {
    let caller: @Sendable (HalfOpen) -> Void = { round in
      _ = round.breaker.run {
        round.calls.increment()
        return round.probe.promise
      }
    }
    await race(
      rounds: 2000, { HalfOpen() }, [caller, caller, caller],
      check: { round in
        guard round.calls.count == 1 else { return "\(round.calls.count) trial calls" }
        round.probe.resolver.fulfill(with: 7)
        return round.breaker.state == .closed ? nil : "the breaker is \(round.breaker.state)"
      })
  }

  private struct HalfOpen {
    let calls = Counter()
    let probe = CancelProbe<Int, any Error>()
    let breaker: PromiseCircuitBreaker

    init() {
      let clock = TestClock()
      breaker = PromiseCircuitBreaker(minimumCalls: 1, clock: clock)
      _ = breaker.run { Promise<Int, any Error>(rejected: Refusal.first) }
      clock.advance(by: .seconds(5))
    }
  }
}

/// A random program of a breaker, and its model: a list of all calls, from which everything is counted.
private struct BreakerProgram {
  private struct Call {
    let probe = CancelProbe<Int, any Error>()
    let phase: Int
    var end: (time: Int, isFailure: Bool?)?
  }

  private let clock = TestClock()
  private let breaker: PromiseCircuitBreaker
  private let minimum: Int
  private let trials: Int
  /// The rate in percent.
  private let rate: Int
  private var state = PromiseCircuitBreaker.State.closed
  private var phase = 0
  private var openUntil = 0
  private var calls: [Call] = []
  private var refusal: (expected: Bool, actual: Bool) = (false, false)
  private(set) var log: [String] = []

  init(using generator: inout SeededGenerator) {
    minimum = Int.random(in: 1...5, using: &generator)
    trials = Int.random(in: 1...3, using: &generator)
    rate = [0, 7, 25, 50, 55, 100].randomElement(using: &generator) ?? 100
    breaker = PromiseCircuitBreaker(
      failureRate: Double(rate) / 100, minimumCalls: minimum, window: .seconds(10), openDuration: .seconds(5),
      trialCalls: trials, clock: clock
    ) { $0 as? Refusal == .first }
    log = ["minimum \(minimum)", "trials \(trials)", "rate \(rate) %"]
  }

  private var now: Int { Int(clock.now.offset.components.seconds) }
  private var ofPhase: [Call] { calls.filter { $0.phase == phase } }

  private mutating func enter(_ new: PromiseCircuitBreaker.State) {
    state = new
    phase += 1
    if new == .open { openUntil = now + 5 }
  }

  mutating func step(using generator: inout SeededGenerator) {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...3: start()
    case 4...7:
      guard let index = calls.indices.filter({ calls[$0].end == nil }).randomElement(using: &generator) else { return }
      let isFailure = [true, true, false, nil].randomElement(using: &generator) ?? nil
      end(index, isFailure, with: Bool.random(using: &generator))
    default:
      let time = Int.random(in: 1...6, using: &generator)
      clock.advance(by: .seconds(time))
      log.append("wait \(time)")
    }
  }

  private mutating func start() {
    log.append("start")
    if state == .open, now >= openUntil { enter(.halfOpen) }
    // The calls of this phase that are running or have succeeded count as trials.
    let counted = ofPhase.filter { $0.end == nil || $0.end?.isFailure == false }.count
    let isRefused = state == .open || state == .halfOpen && counted >= trials
    let call = Call(phase: phase)
    let promise = breaker.run { call.probe.promise }
    refusal = (isRefused, promise.result?.error is PromiseRefusalError)
    if !isRefused { calls.append(call) }
  }

  private mutating func end(_ index: Int, _ isFailure: Bool?, with error: Bool) {
    log.append("end \(index) \(String(describing: isFailure))")
    let resolver = calls[index].probe.resolver
    switch isFailure {
    case true?: resolver.reject(with: Refusal.first)
    case false?: error ? resolver.reject(with: Refusal.second) : resolver.fulfill(with: 7)
    case nil: resolver.cancel()
    }
    calls[index].end = (now, isFailure)
    guard calls[index].phase == phase, let isFailure else { return }
    switch state {
    case .open: break
    case .halfOpen:
      if isFailure { return enter(.open) }
      if ofPhase.filter({ $0.end?.isFailure == false }).count == trials { enter(.closed) }
    case .closed:
      guard isFailure else { return }
      let counted = ofPhase.compactMap(\.end).filter { $0.isFailure != nil && $0.time > now - 10 }
      let failures = counted.filter { $0.isFailure == true }.count
      if counted.count >= minimum, 100 * failures >= rate * counted.count { enter(.open) }
    }
  }

  /// The difference between the breaker and the model.
  var fault: String? {
    if refusal.expected != refusal.actual { return "refused: \(refusal.actual)" }
    return breaker.state == state ? nil : "the state is \(breaker.state) instead of \(state)"
  }
}
