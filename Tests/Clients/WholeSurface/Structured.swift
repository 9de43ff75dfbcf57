import Overmorrow
import OvermorrowFlow

/// Functions for async code, with values that are not `Sendable`.
func limitingTime(_ history: History, clock: any Clock<Duration>) async throws {
  var count = 0
  let same = try await withTimeout(.seconds(2), clock: clock) {
    history.entries.append("a")
    count += 1
    return history
  }
  try await withTimeout(.seconds(20)) { same.entries.append("b") }
  let again = try await withRetry(PromiseRetryPolicy<LoadError>(), clock: clock) { number throws(LoadError) in
    if number < 3 { throw .offline }
    count += 1
    return history
  }
  let polled = try await withRetry { _ in
    history
  } until: {
    $0.entries.count > count
  }
  print(again.entries, polled.entries)
}

/// The same in a class of the main actor, and in an actor.
@MainActor
final class TimedView {
  private let history = History()
  private var title = ""

  func show(_ service: Desk, generator: some RandomNumberGenerator) async throws {
    title = try await withTimeout(.seconds(20)) {
      history.entries.append("a")
      return try await withRetry(generator: generator) { number in
        title = "attempt \(number)"
        return try await service.title()
      }
    }
  }
}

actor Desk {
  private let history = History()

  func title() async throws -> String {
    try await withTimeout(.seconds(20)) {
      try await withRetry { _ in
        history.entries.append("b")
        return history
      }
    }.entries.joined()
  }
}

/// A gate for promises and async code.
func entering(_ history: History, _ promise: Promise<Int, any Error>, clock: any Clock<Duration>) async throws {
  let gate = PromiseGate()
  gate.run { promise }.then { print($0) }
  let same = try await gate.perform {
    history.entries.append("a")
    return history
  }
  print(same.entries, gate.isClosed, gate.runningCount)
  let end: Promise<Void, Never> = gate.close(cancellingAfter: .seconds(10), clock: clock)
  end.then { print("ended") }
  do {
    try await gate.close()
    try await gate.perform {}
  } catch let error as PromiseRefusalError {
    print(error == .gateClosed, error.description, error.retryAfter ?? .zero)
  }
}

/// A circuit breaker for promises and async code, and its states.
func breaking(_ history: History, _ promise: Promise<Int, any Error>, clock: any Clock<Duration>) async throws {
  let breaker = PromiseCircuitBreaker(
    failureRate: 0.3, minimumCalls: 5, window: .seconds(30), openDuration: .seconds(1), trialCalls: 3, clock: clock
  ) { !($0 is LoadError) }
  breaker.run { promise }.then { print($0) }
  do {
    let same = try await breaker.perform {
      history.entries.append("a")
      return history
    }
    print(same.entries)
  } catch PromiseRefusalError.circuitOpen(let wait) {
    print(wait ?? .zero)
  }
  let names: [PromiseCircuitBreaker.State: String] = [.closed: "closed", .open: "open", .halfOpen: "half-open"]
  for await state in breaker.states { print(names[state] ?? "", breaker.state) }
}

/// Limits of the rate of calls, for all and for each key.
func limitingRate(_ history: History, _ promise: Promise<Int, any Error>, clock: any Clock<Duration>) async throws {
  let limiter = PromiseRateLimiter(10, per: .seconds(1), burst: 20, maxWait: .seconds(1), clock: clock)
  limiter.run(on: .utility) { promise }.then { print($0) }
  let keyed = PromiseKeyedRateLimiter<String>(10, per: .seconds(1), maxKeys: 100)
  keyed.run(for: "a", on: .utility) { promise }.then { print($0) }
  do {
    let same = try await limiter.perform {
      history.entries.append("a")
      return history
    }
    try await keyed.perform(for: "a") { same.entries.append("b") }
  } catch PromiseRefusalError.rateExceeded(let wait) {
    print(wait)
  }
}

/// Retries that share a budget, and attempts beside slow ones.
func hedging(_ promise: Promise<Int, any Error>, clock: any Clock<Duration>) async throws {
  var policy = PromiseRetryPolicy<any Error>()
  policy.budget = PromiseRetryBudget(ratio: 0.2, minimum: 5, window: .seconds(30), clock: clock)
  print(policy.budget == nil)
  Promise.retry(policy, on: .utility) { _ in promise }.then { print($0) }
  Promise.hedge(after: .seconds(1), attempts: 3, on: .utility, clock: clock) { _ in promise }.then { print($0) }
  print(try await withHedging(after: .seconds(1), attempts: 3, clock: clock) { number in number })
}

/// A hedge in a class of the main actor.
@MainActor
final class HedgedView {
  private var title = ""

  func show(_ service: Desk) async throws {
    title = try await withHedging(after: .seconds(1)) { number in
      self.title = "attempt \(number)"
      return try await service.title()
    }
  }
}

/// Turns of a limiter with a bounded queue, and values of a cache.
func takingTurns(_ history: History, _ promise: Promise<Int, LoadError>, clock: any Clock<Duration>) async throws {
  let limiter = PromiseLimiter(width: 2, maxPending: 10, maxWait: .seconds(1), clock: clock)
  print(limiter.setPriority(1, of: limiter.run(on: .utility) { promise }))
  let same = try await limiter.perform(priority: 1) {
    history.entries.append("a")
    return history
  }
  let cache = PromiseCache<String, Int, LoadError>()
  cache.setValue(1, for: "a")
  print(same.entries, try await cache.value(for: "a") { _ throws(LoadError) in 2 })
  for await value in cache.values(for: "a") { print(value) }
  cache.removeAll { key in key == "a" }
}

/// The times of a limiter.
func measuring(_ earlier: PromiseHistogram) -> Duration? {
  let limiter = PromiseLimiter(width: 2, recordsTimes: true)
  var all = PromiseHistogram()
  all.merge(limiter.waitTimes.since(earlier))
  all.merge(limiter.runTimes)
  return all.count > 1 ? all.quantile(0.5) : nil
}

/// The reasons for a refusal.
func explaining(_ error: PromiseRefusalError) -> Bool {
  let reasons: [PromiseRefusalError] = [
    .circuitOpen(retryAfter: nil), .gateClosed, .queueFull(width: 2, maxPending: 10),
    .rateExceeded(retryAfter: .seconds(1)), .waitExpired(maxWait: .seconds(1), width: 2), .waitsForItself,
  ]
  return reasons.contains(error)
}
