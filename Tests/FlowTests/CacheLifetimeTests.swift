import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Lifetimes that differ, and values that are loaded again before their end.
@Suite(.inTurn) struct CacheLifetimeTests {
  private typealias Cache = PromiseCache<Int, Int, Refusal>

  private let clock = TestClock()

  private func ask(_ cache: Cache, _ key: Int, _ value: Int = 1) -> Int? {
    cache.promise(for: key, on: .immediate) { _ in Promise(fulfilled: value) }.result?.value
  }

  // MARK: Jitter

  @Test("14.35 with jitter, each value has a lifetime in the range", arguments: [Duration.zero, .seconds(50)])
  func jitter(staleTimeToLive: Duration) {
    let cache = Cache(
      timeToLive: .seconds(100), jitter: 0.5...1.5, staleTimeToLive: staleTimeToLive, clock: clock)
    for key in 0..<500 { _ = ask(cache, key) }
    for key in 500..<1000 { cache.setValue(1, for: key) }
    func freshCount() -> Int { (0..<1000).count { ask(cache, $0, 2) == 1 && cache.counters.loads == loads } }
    var loads = cache.counters.loads
    clock.advance(by: .seconds(49))
    #expect(freshCount() == 1000, "no lifetime is shorter than half of the time to live")
    clock.advance(by: .seconds(51))
    let expired = (0..<1000).count { key in
      loads = cache.counters.loads
      _ = ask(cache, key, 2)
      return cache.counters.loads > loads
    }
    #expect((350..<650).contains(expired), "\(expired) of 1000 values have expired at the time to live")
    clock.advance(by: .seconds(151))
    loads = cache.counters.loads
    for key in 0..<1000 { _ = ask(cache, key, 3) }
    #expect(cache.counters.loads == loads + 1000, "no lifetime is longer than one and a half times the time to live")
  }

  @Test("14.35 14.11 values with jitter are released at their own ends")
  func release() async {
    let cache = Cache(timeToLive: .seconds(100), jitter: 0.5...1.5, clock: clock)
    for key in 0..<1000 { _ = ask(cache, key) }
    await clock.advance(by: .seconds(100))
    await until("the release of about half of the values") { (350..<650).contains(cache.count) }
    await clock.advance(by: .seconds(51))
    await until("the release of all values") { cache.count == 0 }
  }

  @Test("14.35 bounds of the jitter that are no factors are replaced and reported")
  func invalidJitter() async throws {
    let found = try await diagnostics {
      let cache = Cache(timeToLive: .seconds(100), jitter: -2...1, refreshAhead: -1, clock: clock)
      _ = ask(cache, 1)
      clock.advance(by: .seconds(101))
      #expect(ask(cache, 1, 2) == 2)
    }
    #expect(
      found == [
        .invalidArgument("PromiseCache.jitter: -2.0...1.0 counts as 0.0...1.0"),
        .invalidArgument("PromiseCache.refreshAhead: -1.0 counts as 0.0"),
      ])
  }

  /// Keys that have all been loaded at the same time, and are asked for every three seconds. Returns the largest
  /// number of loads in three seconds after that, and the mean.
  private func loadsAfterMassLoad(jitter: ClosedRange<Double>) -> (peak: Int, mean: Double) {
    let keys = 10_000
    let cache = PromiseCache<Int, Int, Never>(timeToLive: .seconds(30), jitter: jitter, clock: clock)
    for key in 0..<keys { _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) } }
    var peak = 0
    for _ in 0..<30 {
      clock.advance(by: .seconds(3))
      let loads = cache.counters.loads
      for key in 0..<keys { _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) } }
      peak = max(peak, cache.counters.loads - loads)
    }
    return (peak, Double(cache.counters.loads - keys) / 30)
  }

  @Test("14.35 with jitter, 10,000 keys that were loaded together are not loaded together again")
  func massExpiry() {
    let (together, _) = loadsAfterMassLoad(jitter: 1...1)
    #expect(together == 10_000, "without jitter, all keys expire together")
    let (peak, mean) = loadsAfterMassLoad(jitter: 0.5...1.5)
    #expect(Double(peak) < 2 * mean, "at most \(peak) loads in three seconds, \(mean) in the mean")
  }

  // MARK: Refreshing ahead

  /// A cache with a value that a load of some seconds has brought.
  private func makeCache(loadTime: Int, refreshAhead: Double = 1) -> Cache {
    let cache = Cache(timeToLive: .seconds(100), refreshAhead: refreshAhead, clock: clock)
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    _ = cache.promise(for: 1, on: .immediate) { _ in promise }
    clock.advance(by: .seconds(loadTime))
    resolver.fulfill(with: 1)
    return cache
  }

  @Test("14.36 near its end, a value is served while one load replaces it")
  func refreshAhead() {
    let cache = makeCache(loadTime: 4)
    clock.advance(by: .seconds(91))
    #expect(ask(cache, 1, 2) == 1)
    #expect(cache.counters.loads == 1, "its end is more than twice the time of its load away")
    clock.advance(by: .seconds(6))
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    for _ in 0..<10 {
      #expect(cache.promise(for: 1, on: .immediate) { _ in promise }.result == .value(1))
    }
    #expect(cache.counters.loads == 2)
    #expect(cache.peek(1) == .value(1))
    clock.advance(by: .seconds(1))
    resolver.fulfill(with: 2)
    clock.advance(by: .seconds(90))
    #expect(ask(cache, 1, 3) == 2)
    #expect(cache.counters.hits == 12)
  }

  @Test("14.36 without refreshAhead, and for a value that was set, no load is early", arguments: [false, true])
  func noRefresh(isSet: Bool) {
    let cache = makeCache(loadTime: 40, refreshAhead: isSet ? 1 : 0)
    if isSet { cache.setValue(1, for: 1) }
    clock.advance(by: .seconds(99))
    #expect(ask(cache, 1, 2) == 1)
    #expect(cache.counters.loads == 1)
  }

  @Test("14.36 a value is not loaded again in the first half of its lifetime")
  func earliestRefresh() {
    let cache = makeCache(loadTime: 1000, refreshAhead: .infinity)
    clock.advance(by: .seconds(49))
    #expect(ask(cache, 1, 2) == 1)
    #expect(cache.counters.loads == 1)
    clock.advance(by: .seconds(2))
    #expect(ask(cache, 1, 2) == 1)
    #expect(cache.counters.loads == 2)
    #expect(ask(cache, 1, 3) == 2)
  }

  @Test("14.36 14.15 if a load ahead of the end fails, the value is still served")
  func failedRefresh() {
    let cache = makeCache(loadTime: 10)
    clock.advance(by: .seconds(91))
    for _ in 0..<100 {
      let asked = cache.promise(for: 1, on: .immediate) { _ in Promise(rejected: Refusal.first) }
      #expect(asked.result == .value(1))
    }
    #expect((cache.counters.loads, cache.counters.failures) == (2, 1), "one of 100 calls starts a load")
    clock.advance(by: .seconds(5))
    let failing = cache.promise(for: 1, on: .immediate) { _ in Promise(rejected: Refusal.first) }
    #expect(failing.result == .value(1))
    #expect((cache.counters.loads, cache.counters.failures) == (3, 2))
    clock.advance(by: .seconds(4))
    #expect(ask(cache, 1, 3) == 3)
  }

  @Test("14.35 14.36 with jitter, no value is due in the first half of its lifetime")
  func jitterAndRefresh() {
    let cache = Cache(timeToLive: .seconds(100), jitter: 0.2...0.2, refreshAhead: 1, clock: clock)
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    _ = cache.promise(for: 1, on: .immediate) { _ in promise }
    clock.advance(by: .seconds(60))
    resolver.fulfill(with: 1)
    clock.advance(by: .seconds(9))
    #expect(ask(cache, 1, 2) == 1)
    #expect(cache.counters.loads == 1)
    clock.advance(by: .seconds(2))
    #expect(ask(cache, 1, 2) == 1)
    #expect(cache.counters.loads == 2)
  }

  @Test("14.36 14.18 a cancelled task gets a value that is due to be loaded again")
  func cancelledTask() async throws {
    let cache = makeCache(loadTime: 4)
    await clock.advance(by: .seconds(97))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await cache.value(for: 1) { _ in 2 }
    }
    #expect(try await task.value == 1)
    #expect((cache.counters.hits, cache.counters.loads) == (1, 1))
  }

  @Test("14.36 an async load near the end of a value does not delay its callers")
  func asyncRefresh() async throws {
    let cache = makeCache(loadTime: 4)
    await clock.advance(by: .seconds(97))
    let (begun, end) = (Latch(), Latch())
    for _ in 0..<3 {
      let value = try await cache.value(for: 1) { _ in
        begun.signal()
        await end.wait(for: "the end of the load")
        return 2
      }
      #expect(value == 1)
    }
    await begun.wait(for: "the load")
    end.signal()
    await until("the new value") { cache.peek(1) == .value(2) }
    #expect(cache.counters.loads == 2)
  }
}
