import OvermorrowFlow
import Testing

@testable import Overmorrow

/// A gate, and the end of the work behind it.
@Suite(.heavy) struct PromiseGateTests {
  private typealias Probe = CancelProbe<Int, any Error>

  private let gate = PromiseGate()
  private let clock = TestClock()

  private final class Notes {
    var lines: [String] = []
  }

  private actor Desk {
    private let notes = Notes()

    func write(_ gate: PromiseGate) async throws -> Int {
      var count = 0
      let same = try await gate.perform {
        self.preconditionIsolated()
        notes.lines.append("a")
        await Task.yield()
        count += 1
        return notes
      }
      return same.lines.count + count
    }
  }

  @Test("21.1 an open gate starts work inside the call and returns its promise")
  func open() async throws {
    let probe = Probe()
    let promise = gate.run { probe.take() }
    #expect((gate.runningCount, gate.isClosed) == (1, false))
    probe.resolver.fulfill(with: 7)
    #expect(promise.result?.value == 7)
    #expect(gate.runningCount == 0)
    #expect(try await gate.perform { 8 } == 8)
    await #expect(throws: Refusal.first) { try await gate.perform { throw Refusal.first } }
    #expect(gate.runningCount == 0)
  }

  @Test("21.1 an async closure runs on the caller's actor, with non-Sendable values")
  func isolation() async throws {
    #expect(try await Desk().write(gate) == 2)
  }

  @Test("21.2 a closed gate refuses work without calling it")
  func closed() async {
    let calls = Counter()
    #expect(gate.close().result?.value != nil, "no work is running")
    let promise = gate.run {
      calls.increment()
      return Promise<Int, any Error>(fulfilled: 7)
    }
    #expect(promise.result?.error as? PromiseRefusalError == .gateClosed)
    await #expect(throws: PromiseRefusalError.gateClosed) { try await gate.perform { _ = calls.increment() } }
    #expect((calls.count, gate.isClosed, gate.runningCount) == (0, true, 0))
    #expect("\(PromiseRefusalError.gateClosed)" == "the gate is closed")
  }

  @Test("21.3 the promise of close is fulfilled when the last work has ended")
  func end() async throws {
    let (probe, latch) = (Probe(), Promise<Void, Never>.makeWithResolver())
    let promise = gate.run { probe.take() }
    async let performed: Void = gate.perform { [latch] in _ = await latch.0.finalResult }
    await until("the closure to run") { gate.runningCount == 2 }
    let (end, same): (Promise<Void, Never>, Promise<Void, Never>) = (gate.close(), gate.close())
    #expect(end == same)
    end.requestCancel()
    #expect(probe.requestCount == 0)
    probe.resolver.reject(with: Refusal.first)
    #expect(promise.result?.error as? Refusal == .first)
    #expect(end.result == nil)
    latch.1.fulfill(with: ())
    try await performed
    #expect(await end.outcome()?.value != nil)
    #expect(gate.runningCount == 0)
  }

  @Test("21.4 at the deadline, the running work is asked to cancel and awaited")
  func deadline() async {
    let (probe, asked) = (Probe(), Latch())
    let promise = gate.run { probe.promise }
    let task = Task { [gate] in
      try await gate.perform {
        let (never, resolver) = Promise<Void, any Error>.makeWithResolver()
        defer { resolver.cancel() }
        try await withTaskCancellationHandler {
          try await never.value
        } onCancel: {
          asked.signal()
        }
      }
      return Task.isCancelled
    }
    await until("the closure to run") { gate.runningCount == 2 }
    let end: Promise<Void, Never> = gate.close(cancellingAfter: .seconds(10), clock: clock)
    tick(clock, by: .seconds(9))
    #expect((probe.requestCount, asked.isOpen) == (0, false))
    tick(clock, by: .seconds(1))
    await asked.wait(for: "the request to cancel")
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((probe.requestCount, end.result == nil, gate.runningCount) == (1, true, 1))
    probe.resolver.cancel()
    #expect((promise.result?.isCancelled, end.isResolved) == (true, true))
  }

  @Test("15.3 21.1 a gate does not count as a reader of an error")
  func unreadError() {
    let found = PromiseDiagnostics.checking {
      _ = gate.run { Promise<Int, any Error>(rejected: PromiseRefusalError.gateClosed) }
    }.diagnostics
    #expect(found.count == 1)
  }

  @Test("21.4 work that closes its gate with a deadline of zero is cancelled at once")
  func closingFromInside() async throws {
    let isCancelled = try await gate.perform { [gate] in
      let end: Promise<Void, Never> = gate.close(cancellingAfter: .zero)
      return Task.isCancelled && !end.isResolved
    }
    #expect(isCancelled)
    try await gate.close()
  }

  @Test("21.18 in async code, close waits for the end of the work")
  func asyncClose() async throws {
    let (probe, log) = (Probe(), Recorder<String>())
    _ = gate.run { probe.promise }
    let closing = Task { [gate] in
      try await gate.close()
      log.record("closed")
    }
    await until("the gate to be closed") { gate.isClosed }
    for _ in 0..<100 { await Task.yield() }
    log.record("work ends")
    probe.resolver.fulfill(with: 1)
    try await closing.value
    #expect(log.entries == ["work ends", "closed"])
  }

  @Test("21.18 a cancelled task that closes a gate throws without waiting")
  func cancelledClose() async {
    let probe = Probe()
    _ = gate.run { probe.promise }
    let closing = Task { [gate] in try await gate.close() }
    await until("the gate to be closed") { gate.isClosed }
    closing.cancel()
    await #expect(throws: CancellationError.self) { try await closing.value }
    #expect((gate.runningCount, probe.requestCount) == (1, 0))
    probe.resolver.fulfill(with: 1)
  }

  @Test("21.4 a deadline of zero asks at once, and finished work leaves no timer")
  func deadlines() {
    let (probe, other) = (Probe(complying: true), PromiseGate())
    _ = gate.run { probe.promise }
    #expect(gate.close(cancellingAfter: .zero).isResolved)
    #expect(probe.requestCount == 1)
    let second = Probe()
    _ = other.run { second.promise }
    let end = other.close(cancellingAfter: .seconds(1), clock: clock)
    second.resolver.fulfill(with: 1)
    #expect((end.isResolved, clock.sleeperCount) == (true, 0))
  }

  @Test("21.1 21.2 21.3 21.4 a gate behaves as a model says, in random programs")
  func model() {
    var generator = SeededGenerator(seed: 21)
    for round in 0..<modelPrograms {
      var program = GateProgram()
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        program.step(using: &generator)
        guard let fault = program.fault else { continue }
        Issue.record("round \(round): \(program.log.joined(separator: ", ")): \(fault)")
        return
      }
    }
  }

  @Test("21.3 a closing that races with starts and ends fulfils its promise at the end")
  func races() async {
    let contestants: [@Sendable (Closing) -> Void] = [
      { round in
        for probe in round.probes { _ = round.gate.run { probe.promise } }
      },
      { round in round.end.value = round.gate.close(cancellingAfter: .zero) },
      { round in
        for probe in round.probes { probe.resolver.fulfill(with: 7) }
      },
    ]
    await race(
      rounds: 2000, { Closing() }, contestants,
      check: { round in
        guard round.end.value?.isResolved == true else { return "the gate has not ended" }
        return round.gate.runningCount == 0 ? nil : "\(round.gate.runningCount) are running"
      })
  }

  private struct Closing {
    let gate = PromiseGate()
    let probes = (0..<2).map { _ in Probe() }
    let end = Holder<Promise<Void, Never>>()
  }
}

/// A random program of a gate, and its model.
private struct GateProgram {
  private let gate = PromiseGate()
  private let clock = TestClock()
  private var end: Promise<Void, Never>?
  private var work: [(probe: CancelProbe<Int, any Error>, isAdmitted: Bool, isOver: Bool, isAsked: Bool)] = []
  private var deadlines: [Duration] = []
  private(set) var log: [String] = []

  mutating func step(using generator: inout SeededGenerator) {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0...2:
      let probe = CancelProbe<Int, any Error>()
      _ = gate.run { probe.promise }
      // The model: an open gate admits the work.
      work.append((probe, end == nil, false, false))
      log.append("start")
    case 3...5:
      guard let index = work.indices.randomElement(using: &generator) else { return }
      work[index].probe.resolver.fulfill(with: 7)
      work[index].isOver = true
      log.append("end \(index)")
    case 6:
      let deadline = [nil, Duration.zero, .seconds(1), .seconds(2)].randomElement(using: &generator) ?? nil
      end = gate.close(cancellingAfter: deadline, clock: clock)
      if let deadline, running > 0 { deadlines.append(clock.now.offset + deadline) }
      log.append("close \(String(describing: deadline))")
    default:
      clock.advance(by: .seconds(1))
      log.append("wait")
    }
    // The model: a deadline that has passed asks all running work.
    if running > 0, deadlines.contains(where: { $0 <= clock.now.offset }) {
      for index in work.indices where work[index].isAdmitted && !work[index].isOver { work[index].isAsked = true }
    }
  }

  private var running: Int { work.filter { $0.isAdmitted && !$0.isOver }.count }

  /// The difference between the gate and the model.
  var fault: String? {
    if gate.runningCount != running { return "\(gate.runningCount) instead of \(running) are running" }
    if gate.isClosed != (end != nil) { return "isClosed is \(gate.isClosed)" }
    if let end, end.isResolved != (running == 0) { return "the end is \(end)" }
    for (index, item) in work.enumerated() where (item.probe.requestCount > 0) != item.isAsked {
      return "\(index) was asked \(item.probe.requestCount) times"
    }
    return nil
  }
}
