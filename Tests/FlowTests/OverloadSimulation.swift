import Overmorrow
import OvermorrowFlow

@testable import OvermorrowEngine

/// A service in virtual time, whose 200 clients send twice the load that its backend bears. Meanwhile, the backend
/// works, slows down, fails and works again, for a minute each.
struct OverloadSimulation {
  /// The parts that protect the service.
  struct Parts: OptionSet {
    let rawValue: Int

    static let limiter = Parts(rawValue: 1)
    static let breaker = Parts(rawValue: 2)
    static let budget = Parts(rawValue: 4)
    static let attemptLimit = Parts(rawValue: 8)
    static let requestLimit = Parts(rawValue: 16)
    static let all: Parts = [.limiter, .breaker, .budget, .attemptLimit, .requestLimit]
  }

  static let clients = 200
  /// The length of each of the four phases.
  static let phase = Duration.seconds(60)
  /// The time after which an answer is useless to the client.
  static let patience = Duration.seconds(2)
  /// The number of calls that the backend can answer in a second while it works.
  static let capacity = Double(Backend.width * 1000 / Backend.milliseconds)

  let parts: Parts
  private let backend: Backend
  private let service: ProtectedService
  private let load: Load
  private let answers = Recorder<OverloadStatistics.Answer>()

  init(_ parts: Parts, seed: UInt64 = 43) {
    self.parts = parts
    backend = Backend()
    service = ProtectedService(parts, backend)
    load = Load(seed)
  }

  /// Runs all phases once.
  func runStorm() -> OverloadStatistics {
    let clock = backend.clock
    let begin = clock.now.offset
    load.rate = 2 * OverloadSimulation.capacity
    load.isOver = false
    for _ in 0..<OverloadSimulation.clients { scheduleRequest() }
    for weather in [Backend.Weather.fair, .slow, .failing, .fair] {
      backend.weather = weather
      clock.advance(by: OverloadSimulation.phase)
    }
    return takeStatistics(since: begin)
  }

  /// Runs a quiet time, in which the clients send a tenth of the load that the backend bears.
  func runQuietTime(_ duration: Duration) -> OverloadStatistics {
    let begin = backend.clock.now.offset
    load.rate = OverloadSimulation.capacity / 10
    load.isOver = false
    for _ in 0..<OverloadSimulation.clients { scheduleRequest() }
    backend.clock.advance(by: duration)
    return takeStatistics(since: begin)
  }

  /// Waits for the end of all requests.
  private func takeStatistics(since begin: Duration) -> OverloadStatistics {
    load.isOver = true
    backend.clock.advance(by: .seconds(600))
    return OverloadStatistics(begin: begin, answers: answers.takeAll(), calls: backend.calls.takeAll())
  }

  /// Lets a client send its next request after a random time, whether its previous requests have ended or not.
  private func scheduleRequest() {
    let clock = backend.clock
    _ = clock.schedule(at: clock.now.advanced(by: load.pause())) {
      guard !load.isOver else { return }
      let begin = clock.now.offset
      service.answer().always(on: .immediate) { result in
        answers.record(.init(begin: begin, end: clock.now.offset, isValue: result.value != nil))
      }
      scheduleRequest()
    }
  }
}

/// The load that the clients send.
private final class Load: Sendable {
  private struct State {
    var generator: SeededGenerator
    var rate = 1.0
    var isOver = false
  }

  private let state: Guarded<State>

  init(_ seed: UInt64) { state = Guarded(State(generator: SeededGenerator(seed: seed))) }

  /// The number of requests in a second, by all clients.
  var rate: Double {
    get { state.withLock { $0.rate } }
    set { state.withLock { $0.rate = newValue } }
  }

  var isOver: Bool {
    get { state.withLock { $0.isOver } }
    set { state.withLock { $0.isOver = newValue } }
  }

  /// Returns the time between two requests of a client.
  func pause() -> Duration {
    state.withLock { state in
      // A whole number of microseconds, so that the result does not depend on how a processor rounds.
      let mean = Int(Double(OverloadSimulation.clients) / state.rate * 1_000_000)
      return .microseconds(Int.random(in: 1...(2 * mean), using: &state.generator))
    }
  }
}

/// A backend that answers a number of calls at a time, and queues the others. It does not notice that its caller has
/// given up.
private final class Backend: Sendable {
  typealias Resolver = Promise<Void, any Error>.Resolver

  enum Weather {
    case fair
    /// Each call takes three times as long, and two of five answers get lost.
    case slow
    /// All calls fail at once.
    case failing
  }

  static let width = 4
  /// The time that a call takes while the backend works.
  static let milliseconds = 200
  static let duration = Duration.milliseconds(milliseconds)

  private struct State {
    var running = 0
    /// The waiting calls from `first` on.
    var queue: [Resolver] = []
    var first = 0
    var count = 0
    var weather = Weather.fair

    /// Removes the first waiting call if there is room for it.
    mutating func takeNext() -> Resolver? {
      guard running < Backend.width, first < queue.count else { return nil }
      running += 1
      first += 1
      defer { if first == queue.count { (queue, first) = ([], 0) } }
      return queue[first - 1]
    }
  }

  let clock = TestClock()
  let calls = Recorder<OverloadStatistics.Call>()
  private let state = Guarded(State())

  /// When the backend begins to fail, it loses the waiting calls.
  var weather: Weather {
    get { state.withLock { $0.weather } }
    set {
      let lost = state.withLock { state in
        state.weather = newValue
        guard newValue == .failing else { return ArraySlice<Resolver>() }
        defer { (state.queue, state.first) = ([], 0) }
        return state.queue[state.first...]
      }
      for each in lost { each.reject(with: Refusal.first) }
    }
  }

  func answer(isRetry: Bool) -> Promise<Void, any Error> {
    calls.record(.init(time: clock.now.offset, isRetry: isRetry))
    if weather == .failing { return Promise(rejected: Refusal.first) }
    let (promise, resolver) = Promise<Void, any Error>.makeWithResolver()
    state.withLock { $0.queue.append(resolver) }
    serve()
    return promise
  }

  private func serve() {
    let (next, isSlow, isLost) = state.withLock { state in
      let next = state.takeNext()
      if next != nil { state.count += 1 }
      return (next, state.weather == .slow, state.weather == .slow && [1, 3].contains(state.count % 5))
    }
    guard let next else { return }
    _ = clock.schedule(at: clock.now.advanced(by: Backend.duration * (isSlow ? 3 : 1))) { [self] in
      state.withLock { $0.running -= 1 }
      // Nobody waits for a lost answer after ten minutes.
      if isLost {
        _ = clock.schedule(at: clock.now.advanced(by: .seconds(500))) { next.reject(with: Refusal.first) }
      } else {
        next.fulfill(with: ())
      }
      serve()
    }
  }
}

/// A service with some of the parts of the guide *Surviving overload*, in the guide's order.
private struct ProtectedService {
  let parts: OverloadSimulation.Parts
  let backend: Backend
  let limiter: PromiseLimiter
  let breaker: PromiseCircuitBreaker
  let policy: PromiseRetryPolicy<any Error>

  init(_ parts: OverloadSimulation.Parts, _ backend: Backend) {
    self.parts = parts
    self.backend = backend
    let clock = backend.clock
    limiter = PromiseLimiter(width: Backend.width, maxPending: 16, maxWait: .milliseconds(500), clock: clock)
    breaker = PromiseCircuitBreaker(clock: clock)
    var policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .constant(.milliseconds(100)))
      .onlyIf { !($0 is PromiseRefusalError) }
    if parts.contains(.budget) { policy.budget = PromiseRetryBudget(minimum: 2, clock: clock) }
    self.policy = policy
  }

  func answer() -> Promise<Void, any Error> {
    let answer = Promise.retry(policy, on: .immediate, clock: backend.clock) { number in
      parts.contains(.limiter)
        ? limiter.run(on: .immediate) { call(isRetry: number > 1) } : call(isRetry: number > 1)
    }
    return parts.contains(.requestLimit)
      ? answer.timeout(on: .immediate, .seconds(2), clock: backend.clock) : answer
  }

  private func call(isRetry: Bool) -> Promise<Void, any Error> {
    parts.contains(.breaker) ? breaker.run { attempt(isRetry: isRetry) } : attempt(isRetry: isRetry)
  }

  private func attempt(isRetry: Bool) -> Promise<Void, any Error> {
    let answer = backend.answer(isRetry: isRetry)
    return parts.contains(.attemptLimit) ? answer.timeout(on: .immediate, .seconds(1), clock: backend.clock) : answer
  }
}
