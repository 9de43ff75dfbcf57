import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Programs without a deadlock, which no report may name.
@Suite(.heavy) struct DeadlockAlarmTests {
  private typealias Number = Promise<Int, any Error>
  private typealias Cache = PromiseCache<Int, Int, any Error>

  /// Work that waits for work of the next level only, so that no cycle is possible.
  private indirect enum Plan: Sendable {
    case leaf
    case job(Int, Plan)
    case asyncJob(Int, Plan)
    case turn(Int, Plan)
    case load(Int, Plan)
    case asyncLoad(Int, Plan)
    case gated(Plan)
    case all(Plan, Plan)
    case first(Plan, Plan)
    case timed(Plan)
    case blocking(Int, Plan)
    case bounded(Plan, Plan)

    init(level: Int, _ random: inout SeededGenerator) {
      func next() -> Plan { Plan(level: level + 1, &random) }
      guard level < 4 else {
        self = .leaf
        return
      }
      switch Int.random(in: 0..<13, using: &random) {
      case 0: self = .leaf
      case 1, 2: self = .job(level, next())
      case 3: self = .asyncJob(level, next())
      case 4: self = .turn(level, next())
      case 5: self = .load(level * 10 + Int.random(in: 0..<2, using: &random), next())
      case 6: self = .asyncLoad(level * 10 + Int.random(in: 0..<2, using: &random), next())
      case 7: self = .gated(next())
      case 8: self = .all(next(), next())
      case 9: self = .first(next(), next())
      case 10: self = .blocking(level, next())
      case 11: self = .bounded(next(), next())
      default: self = .timed(next())
      }
    }
  }

  /// The parts of one program.
  private struct Program: Sendable {
    let limiters: [PromiseLimiter]
    let queues = (0..<5).map { DispatchQueue(label: "level \($0)") }
    let cache = Cache()
    let gate = PromiseGate()

    func begin(_ plan: Plan) -> Number {
      switch plan {
      case .leaf: Number(on: .default) { $0.fulfill(with: 1) }
      case .job(let level, let plan): limiters[level].run(on: .immediate) { begin(plan).map(on: .default) { $0 } }
      case .asyncJob(let level, let plan): limiters[level].run { try await begin(plan).value }
      case .turn(let level, let plan):
        Number { try await limiters[level].perform { try await begin(plan).value } }
      case .load(let key, let plan): cache.promise(for: key, on: .default) { _ in begin(plan) }
      case .asyncLoad(let key, let plan): cache.promise(for: key) { _ in try await begin(plan).value }
      case .gated(let plan): gate.run { begin(plan) }
      case .all(let first, let second):
        when(fulfilled: [begin(first), begin(second)]).map(on: .immediate) { $0.reduce(0, +) }
      case .first(let first, let second): when(first: [begin(first), begin(second)])
      case .blocking(let level, let plan):
        Number(fulfilled: 1).map(on: .queue(queues[level])) { _ in
          try begin(plan).map(on: .queue(queues[level + 1])) { $0 }.wait()
        }
      case .bounded(let first, let second):
        when(fulfilled: [first, second], maxConcurrent: 1, on: .default) { begin($0) }
          .map(on: .immediate) { $0.reduce(0, +) }
      case .timed(let plan): begin(plan).timeout(on: .immediate, .seconds(100))
      }
    }
  }

  @Test("15.41 random programs without a deadlock end without a report")
  func random() async {
    await #expect(processExitsWith: .success) {
      let heard = cycles()
      for seed in 0..<UInt64(scaled(200)) {
        var random = SeededGenerator(seed: seed)
        let program = Program(
          limiters: (0..<4).map { _ in PromiseLimiter(width: Int.random(in: 1...2, using: &random)) })
        let plans = (0..<8).map { _ in Plan(level: 0, &random) }
        let promises = plans.map { program.begin($0) }
        for promise in promises { await until("program \(seed) to end") { promise.result != nil } }
        let end: Promise<Void, Never> = program.gate.close()
        await until("the gate of program \(seed) to end") { end.result != nil }
      }
      if !heard.entries.isEmpty { Issue.record("heard \(heard.entries)") }
    }
  }

  @Test("15.41 a job that waits for its own limiter with a timeout is not reported")
  func otherWays() async {
    await #expect(processExitsWith: .success) {
      let heard = cycles()
      let limiter = PromiseLimiter(width: 1)
      @Sendable func job() -> Number { limiter.run(on: .immediate) { Number(with: .value(1)) } }
      let ways: [@Sendable () -> Number] = [
        { job().timeout(on: .immediate, .milliseconds(2)) },
        { when(first: [job(), Number(with: .value(2)).delay(on: .immediate, .milliseconds(2))]) },
        {
          Number {
            try await withTimeout(.milliseconds(2)) { try await job().value }
          }
        },
      ]
      for way in ways {
        let promise = limiter.run(on: .immediate) { way() }
        await until("the job to end") { promise.result != nil }
      }
      let short = PromiseLimiter(width: 1, maxWait: .milliseconds(2))
      let promise = short.run(on: .immediate) { short.run(on: .immediate) { Number(with: .value(1)) } }
      await until("the job to be turned away") { promise.result != nil }
      let gate = PromiseGate()
      let closing = gate.run {
        Number {
          try await gate.close(cancellingAfter: .milliseconds(2))
          return 1
        }
      }
      await until("the gate to cancel its work") { closing.result != nil }
      if !heard.entries.isEmpty { Issue.record("heard \(heard.entries)") }
    }
  }
}

/// Returns the cycles that are reported from now on. Call this only in a process of its own.
private func cycles() -> Recorder<[String]> {
  let heard = Recorder<[String]>()
  PromiseDiagnostics.level = .report
  PromiseDiagnostics.handler = { if case .deadlock(_, let cycle) = $0 { heard.record(cycle) } }
  return heard
}

/// A random generator with a seed (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
