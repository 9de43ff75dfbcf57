import Overmorrow
import OvermorrowFlow
import Testing

@testable import OvermorrowEngine

/// A service in virtual time, whose clients send twice the load that it bears, and whose backend fails for a while.
@Suite(.heavy) struct OverloadSimulationTests {
  @Test("21.6 21.14 at twice the load, the parts together keep the goodput")
  func overload() {
    let (without, with) = (run { Plain($0) }, run { Protected($0) })
    // Before the failure of the backend, and after it.
    for phase in [0, 2] {
      #expect(without.goodput(in: phase) < 0.2, "\(without)")
      #expect(with.goodput(in: phase) > 0.95, "\(with)")
    }
    #expect(with.goodput(in: 1) < 0.05, "the backend fails: \(with)")
    #expect(without.retries > 0.4, "\(without)")
    #expect(with.retries < 0.1, "\(with)")
    #expect(with.calls(in: 1) < without.calls(in: 1) / 10, "\(with), \(without)")
    #expect(with.slowest < .seconds(2), "\(with)")
  }

  private func run(_ service: (Backend) -> any Answering) -> Statistics {
    let backend = Backend()
    let (service, clock, statistics) = (service(backend), backend.clock, Recorder<Answer>())
    var generator = SeededGenerator(seed: 43)
    let rate = 2 * Double(Backend.width) / (Backend.duration / .seconds(1))
    var time = 0.0
    while time < 3 * Double(Statistics.phase) {
      time += Double.random(in: 0...2, using: &generator) / rate
      clock.advance(by: .seconds(time) - clock.now.offset)
      backend.isFailing = Int(time) / Statistics.phase == 1
      let begin = clock.now.offset
      service.answer().whenResolved { result in
        let isGood = if case .value = result { true } else { false }
        statistics.record(Answer(begin: begin, end: clock.now.offset, isGood: isGood))
      }
    }
    clock.advance(by: .seconds(100))
    return Statistics(answers: statistics.entries, calls: backend.calls.entries, requests: statistics.entries.count)
  }

  private struct Answer {
    let begin: Duration
    let end: Duration
    let isGood: Bool
  }

  private struct Statistics: CustomStringConvertible {
    let answers: [Answer]
    /// The times of the calls of the backend, and whether each is a repetition.
    let calls: [(time: Duration, isRetry: Bool)]
    let requests: Int

    /// The seconds before the backend fails, while it fails, and after it.
    static let phase = 40

    /// The share of the capacity that was used for answers in time, in the second half of a phase.
    func goodput(in number: Int) -> Double {
      let end = Duration.seconds(Self.phase * (number + 1))
      let range = (end - .seconds(Self.phase / 2))..<end
      let good = answers.filter { $0.isGood && range.contains($0.end) }.count
      return Double(good) / (Double(Self.phase / 2) * Double(Backend.width) / (Backend.duration / .seconds(1)))
    }

    func calls(in number: Int) -> Int {
      calls.filter { Int($0.time.components.seconds) / Self.phase == number }.count
    }

    /// The share of repetitions in the calls of the backend.
    var retries: Double { Double(calls.filter(\.isRetry).count) / Double(calls.count) }

    /// The 99th percentile of the latency of good answers.
    var slowest: Duration {
      let times = answers.filter(\.isGood).map { $0.end - $0.begin }.sorted()
      return times.isEmpty ? .zero : times[times.count * 99 / 100]
    }

    var description: String {
      let shares = (0..<3).map { "\(goodput(in: $0))" }.joined(separator: ", ")
      return "goodput \(shares); retries \(retries); p99 \(slowest); \(calls.count) calls for \(requests) requests"
    }
  }
}

/// A backend that answers a number of calls at a time, and queues the others. It does not notice that its caller has
/// given up.
private final class Backend: Sendable {
  static let width = 4
  static let duration = Duration.milliseconds(100)

  private struct State {
    var running = 0
    var queue: [Promise<Void, any Error>.Resolver] = []
    var first = 0
    var isFailing = false
  }

  let clock = TestClock()
  let calls = Recorder<(time: Duration, isRetry: Bool)>()
  private let state = Guarded(State())

  var isFailing: Bool {
    get { state.withLock { $0.isFailing } }
    set { state.withLock { $0.isFailing = newValue } }
  }

  func answer(isRetry: Bool) -> Promise<Void, any Error> {
    calls.record((clock.now.offset, isRetry))
    if isFailing { return Promise(rejected: Refusal.first) }
    let (promise, resolver) = Promise<Void, any Error>.makeWithResolver()
    state.withLock { $0.queue.append(resolver) }
    serve()
    return promise
  }

  private func serve() {
    let next = state.withLock { state -> Promise<Void, any Error>.Resolver? in
      guard state.running < Self.width, state.first < state.queue.count else { return nil }
      state.running += 1
      state.first += 1
      return state.queue[state.first - 1]
    }
    guard let next else { return }
    _ = clock.schedule(at: clock.now.advanced(by: Self.duration)) { [self] in
      state.withLock { $0.running -= 1 }
      next.fulfill(with: ())
      serve()
    }
  }
}

private protocol Answering {
  func answer() -> Promise<Void, any Error>
}

/// Timeouts and retries, as they are often written.
private struct Plain: Answering {
  let backend: Backend

  init(_ backend: Backend) { self.backend = backend }

  func answer() -> Promise<Void, any Error> {
    let policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .constant(.milliseconds(100)))
    return Promise.retry(policy, on: .immediate, clock: backend.clock) { [backend] number in
      backend.answer(isRetry: number > 1).timeout(on: .immediate, .seconds(1), clock: backend.clock)
    }
  }
}

/// The same service with the parts of the guide *Surviving overload*.
private struct Protected: Answering {
  let backend: Backend
  let limiter: PromiseLimiter
  let breaker: PromiseCircuitBreaker
  let policy: PromiseRetryPolicy<any Error>

  init(_ backend: Backend) {
    self.backend = backend
    let clock = backend.clock
    limiter = PromiseLimiter(width: Backend.width, maxPending: 16, maxWait: .milliseconds(500), clock: clock)
    breaker = PromiseCircuitBreaker(clock: clock)
    var policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .constant(.milliseconds(100)))
      .onlyIf { !($0 is PromiseRefusalError) }
    policy.budget = PromiseRetryBudget(clock: clock)
    self.policy = policy
  }

  func answer() -> Promise<Void, any Error> {
    Promise.retry(policy, on: .immediate, clock: backend.clock) { [backend, limiter, breaker] number in
      limiter.run(on: .immediate) {
        breaker.run {
          backend.answer(isRetry: number > 1).timeout(on: .immediate, .seconds(1), clock: backend.clock)
        }
      }
    }
    .timeout(on: .immediate, .seconds(2), clock: backend.clock)
  }
}
