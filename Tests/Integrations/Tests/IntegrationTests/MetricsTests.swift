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
