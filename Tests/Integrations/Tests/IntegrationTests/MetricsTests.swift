import MetricsTestKit
import Overmorrow
import OvermorrowFlow
import OvermorrowMetrics
import OvermorrowTesting
import Testing

@Suite struct MetricsTests {
  private let metrics = TestMetrics()

  @Test("19.4 the meters of a limiter show its running and its waiting jobs")
  func limiter() throws {
    let limiter = PromiseLimiter(width: 2)
    limiter.recordMetrics(label: "jobs", factory: metrics)
    let (running, pending) = (try metrics.expectMeter("jobs.running"), try metrics.expectMeter("jobs.pending"))
    let jobs = (0..<4).map { _ in Work<Int, any Error>() }
    let results = jobs.map { job in limiter.run(on: .immediate) { job.promise } }
    #expect(running.lastValue == 2 && pending.lastValue == 2)
    jobs[0].resolver.fulfill(with: 0)
    #expect(running.lastValue == 2 && pending.lastValue == 1)
    limiter.width = 1
    jobs[1].resolver.reject(with: Fault())
    #expect(running.lastValue == 1 && pending.lastValue == 1)
    limiter.cancelAll()
    #expect(pending.lastValue == 0)
    jobs[2].resolver.cancel()
    #expect(running.lastValue == 0 && limiter.runningCount == 0)
    withExtendedLifetime(results) {}
  }

  @Test("19.4 the timers of a limiter receive its times of waiting and running")
  func limiterTimes() throws {
    let clock = TestClock()
    let limiter = PromiseLimiter(width: 1, recordsTimes: true, clock: clock)
    limiter.recordMetrics(label: "jobs", factory: metrics)
    let (wait, run) = (try metrics.expectTimer("jobs.wait"), try metrics.expectTimer("jobs.run"))
    let jobs = (0..<2).map { _ in Work<Int, any Error>() }
    let results = jobs.map { job in limiter.run(on: .immediate) { job.promise } }
    clock.advance(by: .seconds(3))
    jobs[0].resolver.fulfill(with: 0)
    clock.advance(by: .seconds(4))
    jobs[1].resolver.fulfill(with: 0)
    #expect(wait.values == [0, 3_000_000_000])
    #expect(run.values == [3_000_000_000, 4_000_000_000])
    withExtendedLifetime(results) {}
  }

  @Test("19.4 many threads that use a limiter leave its meters at zero")
  func busyLimiter() async throws {
    let limiter = PromiseLimiter(width: 3)
    limiter.recordMetrics(label: "jobs", factory: metrics)
    let all = when(
      fulfilled: (0..<1000).map { number in limiter.run(on: .utility) { Promise<Int, any Error>(fulfilled: number) } })
    await expectFulfilled(all, within: waitLimit)
    let (running, pending) = (try metrics.expectMeter("jobs.running"), try metrics.expectMeter("jobs.pending"))
    #expect(running.lastValue == 0 && pending.lastValue == 0)
  }

  @Test("19.4 the metrics counters of a cache match its own counters")
  func cache() throws {
    let cache = PromiseCache<Int, Int, any Error>()
    cache.recordMetrics(label: "images", dimensions: [("kind", "small")], factory: metrics)
    for key in [1, 1, 2] { _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) } }
    _ = cache.promise(for: 3, on: .immediate) { _ in Promise(rejected: Fault()) }
    let dimensions = [("kind", "small")]
    let totals = ["hits", "misses", "loads", "failures"].map {
      metrics.counterTotal(label: "images.\($0)", dimensions: dimensions)
    }
    #expect(totals == [1, 3, 3, 1])
    #expect(cache.counters == (1, 3, 3, 1))
  }

  @Test("19.4 a policy counts the attempts that begin again, and those refused", arguments: [false, true])
  func retriesAndRefusals(isAsync: Bool) async throws {
    let clock = TestClock()
    var policy = PromiseRetryPolicy<any Error>(attempts: 3)
    policy.budget = PromiseRetryBudget(minimum: 3, clock: clock)
    policy.budget?.recordMetrics(label: "budget", factory: metrics)
    policy = policy.recordingMetrics(label: "pages", factory: metrics).onlyIf { ($0 as? Fault) != nil }
    func run(_ policy: PromiseRetryPolicy<any Error>, _ error: any Error = Fault()) async {
      if isAsync {
        await #expect(throws: (any Error).self) {
          try await withRetry(policy, clock: clock) { (_: Int) -> Int in throw error }
        }
      } else {
        await expectRejected(
          Promise<Int, any Error>.retry(policy, on: .immediate, clock: clock) { _ in Promise(rejected: error) },
          within: waitLimit)
      }
    }
    func totals(_ label: String) -> [Int64] {
      ["retries", "refused"].map { metrics.counterTotal(label: "\(label).\($0)") }
    }
    await run(policy, PromiseRefusalError.gateClosed)
    #expect(totals("pages") == [0, 0], "a condition is no refusal")
    await run(policy)
    #expect(totals("pages") == [2, 0], "the last attempt is no refusal")
    await run(policy)
    #expect((totals("pages"), totals("budget")) == ([3, 1], [3, 1]), "the budget is used up")
    policy.deadline = .zero
    await run(policy)
    #expect((totals("pages"), totals("budget")) == ([3, 2], [3, 1]), "the deadline has passed")
  }

  @Test("19.4 the metrics of a gate show its running work and its refusals")
  func gate() async throws {
    let gate = PromiseGate()
    gate.recordMetrics(label: "requests", factory: metrics)
    let (running, work) = (try metrics.expectMeter("requests.running"), Work<Int, any Error>())
    let promise = gate.run { work.promise }
    try await gate.perform { #expect(running.lastValue == 2) }
    #expect(running.lastValue == 1)
    work.resolver.fulfill(with: 1)
    #expect(running.lastValue == 0)
    gate.close().always(on: .immediate) { _ in }
    await #expect(throws: PromiseRefusalError.gateClosed) { try await gate.perform {} }
    #expect(metrics.counterTotal(label: "requests.refused") == 1)
    withExtendedLifetime(promise) {}
  }

  @Test("19.4 the counters of a breaker count successes, failures, refusals and openings")
  func breaker() async {
    let breaker = PromiseCircuitBreaker(minimumCalls: 2)
    breaker.recordMetrics(label: "service", factory: metrics)
    for _ in 0..<2 { _ = try? await breaker.perform {} }
    for _ in 0..<4 { _ = try? await breaker.perform { throw Fault() } }
    let totals = ["successes", "failures", "refused", "openings"].map {
      metrics.counterTotal(label: "service.\($0)")
    }
    #expect(totals == [2, 2, 2, 1])
  }

  @Test("19.4 the metrics of a rate limiter count its calls", arguments: [false, true])
  func rate(isKeyed: Bool) throws {
    let clock = TestClock()
    let plain = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(2), clock: clock)
    let keyed = PromiseKeyedRateLimiter<Int>(1, per: .seconds(1), maxWait: .seconds(2), clock: clock)
    plain.recordMetrics(label: "false", factory: metrics)
    keyed.recordMetrics(label: "true", factory: metrics)
    let pending = try metrics.expectMeter("\(isKeyed).pending")
    let calls = (0..<5).map { number in
      let work: @Sendable () -> Promise<Int, any Error> = { Promise(fulfilled: number) }
      return isKeyed ? keyed.run(for: 1, on: .immediate, work) : plain.run(on: .immediate, work)
    }
    func totals() -> [Int64] { ["admitted", "refused"].map { metrics.counterTotal(label: "\(isKeyed).\($0)") } }
    #expect(totals() == [1, 2] && pending.lastValue == 2)
    calls[1].requestCancel()
    #expect(totals() == [1, 2] && pending.lastValue == 1)
    clock.advance(by: .seconds(1))
    #expect(totals() == [2, 2] && pending.lastValue == 0)
  }

  @Test("19.4 a policy counts the errors that are followed by another attempt")
  func retries() async {
    let policy = PromiseRetryPolicy(attempts: 3).recordingMetrics(label: "pages", factory: metrics)
    let page = Promise<Int, any Error>.retry(policy, on: .immediate) { _ in Promise(rejected: Fault()) }
    await expectRejected(page, within: waitLimit)
    #expect(metrics.counterTotal(label: "pages.retries") == 2)
  }

  @Test("the guide's limiter, cache and policy work as before when they are measured")
  func guide() async {
    let limiter = PromiseLimiter(width: 1)
    let images = PromiseCache<Int, Int, any Error>()
    limiter.recordMetrics(label: "downloads")
    images.recordMetrics(label: "images")
    let policy = PromiseRetryPolicy(attempts: 4).recordingMetrics(label: "pages")
    let image = images.promise(for: 1, on: .immediate) { key in
      limiter.run(on: .immediate) { Promise.retry(policy, on: .immediate) { _ in Promise(fulfilled: key) } }
    }
    #expect(await expectFulfilled(image, within: waitLimit) == 1)
  }
}
