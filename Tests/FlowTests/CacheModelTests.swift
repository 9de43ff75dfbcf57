import Testing

@testable import Overmorrow
@testable import OvermorrowEngine
@testable import OvermorrowFlow

/// Random programs for a cache, each compared with `CacheModel` after every call.
@Suite(.heavy) struct CacheModelTests {
  private typealias Cache = PromiseCache<Int, Int, Refusal>
  private typealias Outcome = CacheModel.Outcome

  /// A clock that a program advances. Its timers never fire, because the program ends the lifetimes itself: a timer
  /// would do so on another thread, at no particular time.
  private final class Seconds: PromiseHousekeepingClock {
    typealias Instant = TestClock.Instant

    private let time = Recorder<Void>()

    var now: Instant { Instant(offset: .seconds(time.entries.count)) }
    var minimumResolution: Duration { .seconds(1) }

    func advance() { time.record(()) }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    func schedule(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
    func scheduleHousekeeping(
      at deadline: Instant, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void { {} }
  }

  /// A cache and its model, which get the same calls.
  private struct Program {
    static let keys = 0..<5

    private var random: SeededGenerator
    private let clock = Seconds()
    private let cache: Cache
    /// Whether each call finds a cache whose hits take no common lock.
    private let isOpen: Bool
    private var model: CacheModel
    private var probes: [Int: Probe] = [:]
    private var callers: [(promise: Subject, answer: CacheModel.Answer)] = []
    private(set) var lines: [String] = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      func pick(_ choices: Int?...) -> Int? { choices.randomElement(using: &random) ?? nil }
      let settings = CacheModel.Settings(
        capacity: pick(nil, nil, 1, 2, 3), costLimit: pick(nil, 0, 6, 9), timeToLive: pick(nil, 0, 1, 2, 3),
        failureTimeToLive: pick(nil, 0, 0, 1, 2), staleTimeToLive: pick(nil, 0, 1, 2),
        softTimeout: pick(0, 0, 1, 2) ?? 0)
      isOpen = Bool.random(using: &random)
      self.random = random
      model = CacheModel(settings)
      let (fresh, failure, stale) = (
        settings.timeToLive.map { Duration.seconds($0) }, settings.failureTimeToLive.map { Duration.seconds($0) },
        settings.staleTimeToLive.map { Duration.seconds($0) }
      )
      let soft = Duration.seconds(settings.softTimeout)
      if let limit = settings.costLimit {
        cache = Cache(
          totalCostLimit: limit, capacity: settings.capacity, timeToLive: fresh, failureTimeToLive: failure,
          staleTimeToLive: stale, softTimeout: soft, clock: clock
        ) { $0 }
      } else {
        cache = Cache(
          capacity: settings.capacity, timeToLive: fresh, failureTimeToLive: failure, staleTimeToLive: stale,
          softTimeout: soft, clock: clock)
      }
      lines.append("\(settings)\(isOpen ? ", open for readers" : "")")
    }

    /// Makes a random call, and returns the difference between the cache and the model, or `nil` if there is none.
    mutating func step() -> String? {
      // A change ends it. A cache with an order ignores it.
      if isOpen { cache.core.state.openForReaders() }
      let key = Int.random(in: Self.keys, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8: ask(key)
      case 8..<11: end()
      case 11..<13: withdraw()
      case 13..<15:
        let value = Int.random(in: 0..<8, using: &random)
        lines.append("set \(value) for \(key)")
        cache.setValue(value, for: key)
        model.set(value, for: key)
      case 15:
        lines.append("remove \(key)")
        cache.remove(key)
        model.remove(key)
      case 16:
        let isAll = Bool.random(using: &random)
        lines.append("remove \(isAll ? "all" : "even keys")")
        if isAll { cache.removeAll() } else { cache.removeAll { $0 % 2 == 0 } }
        for key in Self.keys where isAll || key % 2 == 0 { model.remove(key) }
      default: tick()
      }
      return difference()
    }

    private mutating func ask(_ key: Int) {
      let outcomes: [Outcome?] = [.value(Int.random(in: 0..<8, using: &random)), .error, nil, nil]
      let (outcome, load) = (outcomes.randomElement(using: &random) ?? nil, model.loads.count)
      lines.append("ask \(key), load \(load): \(outcome.map { "\($0)" } ?? "later")")
      let probe = outcome == nil ? Probe() : nil
      let promise = cache.promise(for: key, on: .immediate) { _ in
        switch outcome {
        case .value(let value)?: Subject(fulfilled: value)
        case .error?: Subject(rejected: .first)
        default: probe?.take() ?? Subject(with: .cancelled)
        }
      }
      callers.append((promise, model.ask(key, outcome)))
      if model.loads.count > load { probes[load] = probe }
    }

    private mutating func end() {
      guard let (load, probe) = probes.min(by: { $0.key < $1.key }) else { return }
      probes[load] = nil
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        lines.append("reject \(load)")
        probe.resolver.reject(with: .first)
        model.end(load, .error)
      case 1:
        lines.append("cancel \(load)")
        probe.resolver.cancel()
        model.end(load, .cancelled)
      default:
        let value = Int.random(in: 0..<8, using: &random)
        lines.append("fulfill \(load) with \(value)")
        probe.resolver.fulfill(with: value)
        model.end(load, .value(value))
      }
    }

    private mutating func withdraw() {
      guard let index = callers.indices.randomElement(using: &random) else { return }
      let caller = callers.remove(at: index)
      switch caller.answer {
      case .outcome: break
      case .load(let load):
        lines.append("withdraw from \(load)")
        caller.promise.requestCancel()
        model.withdraw(from: load)
      case .wait(let load):
        lines.append("leave the wait for \(load)")
        caller.promise.requestCancel()
        model.leaveWait(for: load)
      }
    }

    private mutating func tick() {
      lines.append("tick")
      clock.advance()
      let expiring = model.tick()
      for key in expiring { cache.place(of: key).entry?.load?.endSoftTimeout() }
      // Does what the timers do, in the order of the keys.
      let entries = cache.core.lines.compactMap { $0 as? CacheEntry<Int, Int, Refusal> }
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        if let previous = entry.previous { cache.core.dropIfExpired(previous) }
        guard let result = entry.promise?.result else { continue }
        let lifetime = entry.hasValue ? cache.core.servingTime : cache.lifetime(of: result)
        if !cache.core.isFresh(entry, lifetime) { cache.core.drop(entry) }
      }
    }

    private func difference() -> String? {
      for key in Self.keys {
        let found = cache.peek(key).map(Outcome.init)
        if found != model.peek(key) { return "\(key): \(found as Any), and not \(model.peek(key) as Any)" }
      }
      let sizes = [cache.count, cache.totalCost, cache.core.lines.count]
      let expected = [model.entries.count, model.totalCost, model.entries.count]
      if sizes != expected { return "count and cost: \(sizes), and not \(expected)" }
      if cache.counters != model.counters { return "\(cache.counters), and not \(model.counters)" }
      for (load, probe) in probes where (probe.requestCount > 0) != model.loads[load].wasAsked {
        return "load \(load) was asked to cancel \(probe.requestCount) times"
      }
      for (promise, answer) in callers {
        let expected: Outcome? =
          switch answer {
          case .outcome(let outcome): outcome
          case .load(let load): model.loads[load].outcome
          case .wait(let load): model.outcome(ofWaitFor: load)
          }
        if promise.result.map(Outcome.init) != expected { return "\(promise), and not \(expected as Any)" }
      }
      return nil
    }
  }

  @Test("14.1 14.3 14.4 14.6 14.12 14.13 14.14 14.21 14.23 14.24 in random programs, a cache equals its model")
  func randomPrograms() {
    let count = scaled(100_000) == 100_000 ? 100_000 : 1000
    for seed in 0..<UInt64(count) {
      var program = Program(seed: seed)
      for _ in 0..<25 {
        guard let difference = program.step() else { continue }
        Issue.record("seed \(seed): \(difference)\n\(program.lines.joined(separator: "\n"))")
        return
      }
    }
  }
}

extension CacheModel.Outcome {
  fileprivate init(_ result: PromiseResult<Int, Refusal>) {
    switch result {
    case .value(let value): self = .value(value)
    case .error: self = .error
    case .cancelled: self = .cancelled
    }
  }
}
