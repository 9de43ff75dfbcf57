import Overmorrow
import Testing

@testable import OvermorrowFlow

/// The debug descriptions and the mirrors of the parts.
@Suite(.inTurn) struct FlowDescribingTests {
  private typealias Work = Promise<Int, any Error>

  private let clock = TestClock()

  /// Returns the mirror's children, one text for each.
  private func children(_ part: Any) -> [String] {
    Mirror(reflecting: part).children.map { "\($0.label ?? ""): \($0.value)" }
  }

  @Test("15.37 a pause describes its state, its waiting callbacks and its attached work")
  func pause() {
    let outer = PromisePause()
    let pause = PromisePause(within: outer)
    let (work, resolver) = Work.makeWithResolver()
    #expect(String(reflecting: pause) == "PromisePause(not suspended, 0 callbacks waiting)")
    outer.suspend()
    #expect(String(reflecting: pause) == "PromisePause(suspended by its outer pause, 0 callbacks waiting)")
    pause.suspend()
    let steps = (0..<3).map { Work(fulfilled: $0).map(on: .immediate.paused(by: pause)) { $0 } }
    pause.attach(Suspendable(), until: work)
    #expect(String(reflecting: pause) == "PromisePause(suspended, 3 callbacks waiting, 1 attached)")
    #expect(children(pause) == ["state: suspended", "waitingCount: 3", "attachedCount: 1"])
    outer.resume()
    pause.resume()
    #expect(steps.map(\.result?.value) == [0, 1, 2])
    resolver.cancel()
  }

  @Test("15.37 a gate describes whether it is closed, and its running work")
  func gate() {
    let gate = PromiseGate()
    let (work, resolver) = Work.makeWithResolver()
    let promise = gate.run { work }
    #expect(String(reflecting: gate) == "PromiseGate(open, 1 running)")
    gate.close()
    #expect(String(reflecting: gate) == "PromiseGate(closed, 1 running)")
    gate.close(cancellingAfter: .zero)
    #expect(String(reflecting: gate) == "PromiseGate(closed, its work is asked to cancel, 1 running)")
    #expect(children(gate) == ["state: closed, its work is asked to cancel", "runningCount: 1"])
    resolver.cancel()
    #expect(String(reflecting: gate) == "PromiseGate(closed, 0 running)")
    withExtendedLifetime(promise) {}
  }

  @Test("15.37 a breaker describes its counts, its open time and its trial calls")
  func breaker() {
    let breaker = PromiseCircuitBreaker(minimumCalls: 3, clock: clock)
    _ = breaker.run { Work(fulfilled: 1) }
    breaker.run { Work(rejected: Refusal.first) }.catch(on: .immediate) { _ in }
    #expect(String(reflecting: breaker) == "PromiseCircuitBreaker(closed, 1 failure in 2 calls)")
    breaker.run { Work(rejected: Refusal.first) }.catch(on: .immediate) { _ in }
    tick(clock, by: .seconds(2))
    #expect(String(reflecting: breaker) == "PromiseCircuitBreaker(open, a trial call is admitted in 3.0 seconds)")
    tick(clock, by: .seconds(3))
    #expect(String(reflecting: breaker) == "PromiseCircuitBreaker(open, the next call is a trial call)")
    let (work, resolver) = Work.makeWithResolver()
    let trial = breaker.run { work }
    #expect(String(reflecting: breaker) == "PromiseCircuitBreaker(half-open, 1 trial call running, 0 succeeded)")
    #expect(children(breaker) == ["state: halfOpen", "situation: half-open, 1 trial call running, 0 succeeded"])
    resolver.fulfill(with: 1)
    #expect(String(reflecting: breaker) == "PromiseCircuitBreaker(closed, 0 failures in 0 calls)")
    withExtendedLifetime(trial) {}
  }

  @Test("15.37 rate limiters describe their tokens, their rates and their keys")
  func rates() {
    let limiter = PromiseRateLimiter(2, per: .seconds(1), burst: 3, maxWait: .seconds(5), clock: clock)
    #expect(String(reflecting: limiter) == "PromiseRateLimiter(3 of 3 tokens, one in 0.5 seconds)")
    let promises = (0..<4).map { number in limiter.run(on: .immediate) { Work(fulfilled: number) } }
    #expect(
      String(reflecting: limiter)
        == "PromiseRateLimiter(0 of 3 tokens, one in 0.5 seconds, a call waits for 1.0 seconds)")
    #expect(children(limiter) == ["tokens: 0", "burst: 3", "interval: 0.5 seconds", "wait: 1.0 seconds"])
    tick(clock, by: .seconds(1))
    #expect(promises.map(\.result?.value) == [0, 1, 2, 3])
    #expect(children(limiter).first == "tokens: 1")
    let keyed = PromiseKeyedRateLimiter<String>(2, per: .seconds(1), clock: clock)
    _ = keyed.run(for: "a", on: .immediate) { Work(fulfilled: 1) }
    #expect(
      String(reflecting: keyed) == "PromiseKeyedRateLimiter<String>(1 key, each at most 2 tokens, one in 0.5 seconds)")
    #expect(children(keyed) == ["keyCount: 1", "burst: 2", "interval: 0.5 seconds"])
  }

  @Test("15.37 a rate limiter with extreme arguments describes itself")
  func extremes() {
    let limiter = PromiseRateLimiter(.max, per: .seconds(Int64.max), burst: .max, maxWait: .seconds(Int64.max))
    #expect(String(reflecting: limiter).hasPrefix("PromiseRateLimiter("))
    #expect(children(PromiseRateLimiter(.max, per: .nanoseconds(1), burst: .max)).count == 4)
    #expect(
      String(reflecting: PromiseRetryBudget(ratio: 1e308, minimum: .max)).hasPrefix("PromiseRetryBudget(0 of"))
  }

  @Test("15.37 a batcher describes its latest batch and the calls that wait")
  func batcher() {
    let turns = ManualContext()
    let (loading, resolver) = Promise<[Int: String], any Error>.makeWithResolver()
    let batcher = PromiseBatcher<Int, String>(on: turns.context) { _ in loading }
    let text = { (state: String) in "PromiseBatcher<Int, String>(latest batch: \(state) waiting)" }
    #expect(String(reflecting: batcher) == text("none, 0 calls"))
    let promises = [1, 2].map { batcher.promise(for: $0) }
    #expect(String(reflecting: batcher) == text("open, 2 calls"))
    turns.runAll()
    #expect(String(reflecting: batcher) == text("closed, loading, 2 calls"))
    promises[0].requestCancel()
    #expect(children(batcher) == ["state: closed, loading", "waitingCount: 1"])
    resolver.fulfill(with: [2: "b"])
    #expect(String(reflecting: batcher) == text("ended, 0 calls"))
  }

  @Test("15.37 a policy and its parts describe the attempts, the delays and the budget")
  func policy() {
    let backoff = PromiseRetryBackoff.exponential(.seconds(1)).capped(at: .seconds(10)).jittered(0.5...1)
    var policy = PromiseRetryPolicy<any Error>(attempts: 5, backoff: backoff, deadline: .seconds(30))
      .onlyIf { _ in true }.retryAfter { _ in nil }
    policy.budget = PromiseRetryBudget(ratio: 0.1, minimum: 10, clock: clock)
    let delays = "delays from 1.0 seconds with a factor of 2.0, capped at 10.0 seconds, jittered by 0.5...1.0"
    #expect(String(reflecting: backoff) == "PromiseRetryBackoff(\(delays))")
    let budget = "PromiseRetryBudget(0 of 10 retries used, after 0 successful attempts)"
    #expect(
      String(reflecting: policy)
        == "PromiseRetryPolicy<Error>(at most 5 attempts, \(delays), none begins after 30.0 seconds, 1 condition, "
        + "1 closure for the delay, \(budget))")
    #expect(policy.budget.map(children) == ["retries: 0", "successes: 0", "allowed: 10"])
    #expect(
      [PromiseRetryBackoff.none, .constant(.seconds(2)), PromiseRetryBackoff { _ in .zero }].map { "\($0)" } == [
        "PromiseRetryBackoff(no delays)", "PromiseRetryBackoff(delays of 2.0 seconds)",
        "PromiseRetryBackoff(delays from a closure)",
      ])
  }

  @Test("15.37 a histogram describes its count and its quantiles")
  func histogram() {
    #expect(String(reflecting: PromiseHistogram()) == "PromiseHistogram(0 durations)")
    var histogram = PromiseHistogram()
    for nanoseconds in 1...4 { histogram.record(.nanoseconds(nanoseconds)) }
    #expect(
      children(histogram) == [
        "count: 4", "shortest: 1e-09 seconds", "median: 2e-09 seconds", "q99: 4e-09 seconds", "longest: 4e-09 seconds",
      ])
    #expect(String(reflecting: histogram).hasPrefix("PromiseHistogram(4 durations, shortest 1e-09 seconds, median "))
  }

  @Test("15.37 a progress describes its units, its end and its observers")
  func progress() {
    let progress = PromiseProgress()
    progress.onProgress(on: .immediate) { _ in }
    progress.report(completed: 3)
    #expect(String(reflecting: progress) == "PromiseProgress(3 of an unknown number, 1 observer)")
    progress.report(completed: 4, of: 10)
    #expect(children(progress).last == "observerCount: 1")
    progress.finish(isComplete: true)
    #expect(String(reflecting: progress) == "PromiseProgress(10 of 10, ended)")
  }
}

/// Work that a pause suspends.
private final class Suspendable: PromiseSuspendable {
  func suspend() {}
  func resume() {}
}
