import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// A cache's capacity, its stale values, and its counters.
@Suite(.inTurn) struct CacheLimitsTests {
  private typealias Cache = PromiseCache<String, Int, Refusal>

  private let clock = TestClock()

  private func ask(_ cache: Cache, _ key: String, _ answer: Subject) -> PromiseResult<Int, Refusal>? {
    cache.promise(for: key, on: .immediate) { _ in answer }.result
  }

  // MARK: Capacity

  @Test("14.12 a key beyond the capacity evicts the least recently used key")
  func leastRecentlyUsed() {
    let cache = Cache(capacity: 2)
    for (number, key) in ["a", "b", "a", "c"].enumerated() { _ = ask(cache, key, Subject(fulfilled: number)) }
    #expect(cache.peek("a") == .value(0), "it was used after b")
    #expect(cache.peek("b") == nil)
    #expect(cache.peek("c") == .value(3))
    #expect(cache.count == 2)
    #expect(ask(cache, "b", Subject(fulfilled: 9)) == .value(9))
    #expect(cache.peek("a") == nil, "peek is no use")
  }

  @Test("14.12 14.6 an evicted load finishes for its waiting callers and is not kept")
  func evictedLoad() {
    let (cache, probe) = (Cache(capacity: 1), Probe())
    let waiting = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    _ = ask(cache, "b", Subject(fulfilled: 2))
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 1)
    #expect(waiting.result == .value(1))
    #expect((cache.peek("a"), cache.peek("b")) == (nil, .value(2)))
  }

  @Test("14.12 a cache retains as many keys as its capacity and nothing else")
  func bounded() {
    let tracker = Tracker()
    let cache = PromiseCache<Int, Tracker.Tracked, Never>(capacity: 10)
    for key in 0..<1000 { _ = cache.promise(for: key, on: .immediate) { _ in Promise(fulfilled: tracker.make()) } }
    #expect((cache.count, tracker.count) == (10, 10))
    #expect((990..<1000).allSatisfy { cache.peek($0) != nil })
    cache.removeAll()
    #expect((cache.count, tracker.count) == (0, 0))
  }

  @Test("14.12 15.12 a capacity below 1 counts as 1, and is reported")
  func tooSmall() async throws {
    let found = try await diagnostics {
      let cache = Cache(capacity: 0)
      _ = ask(cache, "a", Subject(fulfilled: 1))
      #expect(cache.peek("a") == .value(1))
    }
    #expect(found == [.invalidArgument("PromiseCache.capacity: 0 counts as 1")])
  }

  @Test("14.12 threads that fill a small cache leave no more keys than its capacity")
  func race() async {
    let cache = PromiseCache<Int, Int, Never>(capacity: 3)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<200 {
            let key = (number * (task + 1)) % 11
            // Another task may have started the load without having finished it.
            #expect(await cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }.finalResult == .value(key))
          }
        }
      }
    }
    #expect(cache.count <= 3)
  }

  // MARK: Stale values

  /// Makes a cache that has loaded the value 1 the given number of seconds ago. The value is stale after ten seconds,
  /// and may be returned for sixty more.
  private func cache(after seconds: Int, failureTimeToLive: Duration? = .zero) -> Cache {
    let cache = Cache(
      timeToLive: .seconds(10), failureTimeToLive: failureTimeToLive, staleTimeToLive: .seconds(60), clock: clock)
    #expect(ask(cache, "a", Subject(fulfilled: 1)) == .value(1))
    clock.advance(by: .seconds(seconds))
    return cache
  }

  @Test("14.13 a stale value is returned while one load runs, and is then replaced")
  func whileLoading() {
    let (cache, probe) = (cache(after: 10), Probe())
    let served = (0..<3).map { _ in cache.promise(for: "a", on: .immediate) { _ in probe.take() } }
    #expect(served.map(\.result) == [.value(1), .value(1), .value(1)])
    #expect(cache.counters.loads == 2)
    #expect(cache.peek("a") == .value(1))
    probe.resolver.fulfill(with: 2)
    #expect(ask(cache, "a", Subject(fulfilled: 9)) == .value(2))
    #expect((cache.count, cache.counters.loads) == (1, 2))
  }

  @Test("14.13 a stale value remains if its load fails or is cancelled")
  func whenFailing() {
    let cache = cache(after: 20)
    #expect(ask(cache, "a", Subject(rejected: .first)) == .value(1))
    #expect(ask(cache, "a", Subject(with: .cancelled)) == .value(1))
    #expect(ask(cache, "a", Subject(fulfilled: 2)) == .value(1))
    #expect(ask(cache, "a", Subject(fulfilled: 3)) == .value(2))
    #expect(cache.counters.loads == 4)
  }

  @Test("14.13 an error with a time to live prevents further loads meanwhile")
  func keptFailure() {
    let cache = cache(after: 20, failureTimeToLive: .seconds(5))
    for _ in 0..<3 { #expect(ask(cache, "a", Subject(rejected: .first)) == .value(1)) }
    #expect(cache.counters.loads == 2)
    clock.advance(by: .seconds(5))
    #expect(ask(cache, "a", Subject(rejected: .second)) == .value(1))
    #expect(cache.counters.loads == 3)
  }

  @Test(
    "14.2 14.13 with an unlimited stale time, a value is reloaded after its time to live", arguments: [false, true])
  func unlimitedStaleTime(isLate: Bool) {
    let (cache, probe) = (Cache(timeToLive: .seconds(10), staleTimeToLive: nil, clock: clock), Probe())
    _ = ask(cache, "a", isLate ? probe.take() : Subject(fulfilled: 1))
    if isLate { probe.resolver.fulfill(with: 1) }
    clock.advance(by: .seconds(9))
    #expect(ask(cache, "a", Subject(fulfilled: 2)) == .value(1))
    #expect(cache.counters.loads == 1)
    clock.advance(by: .seconds(1))
    #expect(ask(cache, "a", Subject(fulfilled: 3)) == .value(1))
    #expect(ask(cache, "a", Subject(fulfilled: 4)) == .value(3))
    #expect(cache.counters.loads == 2)
  }

  @Test("14.13 a value is not returned after its stale time to live")
  func end() {
    let (cache, probe) = (cache(after: 69), Probe())
    #expect(cache.promise(for: "a", on: .immediate) { _ in probe.take() }.result == .value(1))
    clock.advance(by: .seconds(1))
    let waiting = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    #expect((waiting.result, cache.peek("a")) == (nil, nil))
    probe.resolver.reject(with: .second)
    #expect(waiting.result == .error(.second))
    #expect(cache.count == 0)
  }

  @Test(
    "14.11 14.13 an expired value is released even if its reload hangs or has failed",
    arguments: [nil, Subject(rejected: .first)])
  func expiredBehindLoad(answer: Subject?) async {
    let (tracker, probe) = (Tracker(), CancelProbe<Tracker.Tracked, Refusal>())
    let cache = PromiseCache<String, Tracker.Tracked, Refusal>(
      timeToLive: .seconds(10), failureTimeToLive: nil, staleTimeToLive: .seconds(10), clock: clock)
    _ = cache.promise(for: "a", on: .immediate) { _ in Promise(fulfilled: tracker.make()) }
    await clock.advance(by: .seconds(10))
    let isServed =
      cache.promise(for: "a", on: .immediate) { _ in
        answer.map { $0.map(on: .immediate) { _ in tracker.make() } } ?? probe.take()
      }.result?.value != nil
    #expect((isServed, tracker.count) == (true, 1))
    await clock.advance(by: .seconds(10))
    #expect((tracker.count, clock.sleeperCount, cache.count) == (0, 0, 1))
  }

  @Test("14.13 every Duration is a valid time to live")
  func extremes() {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    let cache = Cache(timeToLive: longest, staleTimeToLive: longest, clock: TestClock())
    #expect(ask(cache, "a", Subject(fulfilled: 1)) == .value(1))
    #expect(ask(cache, "a", Subject(fulfilled: 2)) == .value(1))
    let none = Cache(timeToLive: .zero - longest, staleTimeToLive: .zero - longest, clock: TestClock())
    #expect(ask(none, "a", Subject(fulfilled: 1)) == .value(1))
    #expect(none.count == 0)
  }

  @Test("14.15 15.13 a failed load behind a returned stale value is counted but not reported")
  func failureIsHandled() {
    func findings(_ answer: @autoclosure () -> Subject, _ body: (Cache) -> Void = { _ in }) -> Int {
      let (used, found) = PromiseDiagnostics.checking {
        let cache = cache(after: 20)
        #expect(ask(cache, "a", answer()) == .value(1))
        body(cache)
        return cache
      }
      #expect(used.counters.failures == 1)
      return found.count
    }
    #expect(findings(Subject(rejected: .first)) == 0)
    let probe = Probe()
    let removed = findings(probe.take()) { cache in
      cache.removeAll()
      probe.resolver.reject(with: .first)
    }
    #expect(removed == 0)
    let ignored = findings(Subject(fulfilled: 2)) { cache in
      cache.promise(for: "b", on: .immediate) { _ in Subject(rejected: .first) }.then(on: .immediate) { _ in }
    }
    #expect(ignored == 1, "a caller waited, and did not look")
  }

  @Test("14.16 a cached result is not a pending promise for the checks of a scope")
  func timers() {
    let cache = Cache(timeToLive: .seconds(10), clock: TestClock())
    #expect(PromiseDiagnostics.checking { _ = ask(cache, "a", Subject(fulfilled: 1)) }.diagnostics == [])
    #expect(cache.count == 1)
  }

  // MARK: Counters

  @Test("14.14 a cache counts hits, misses, loads that have begun, and failed loads")
  func counters() {
    let (cache, probe, context) = (Cache(), Probe(), ManualContext())
    #expect(cache.counters == (0, 0, 0, 0))
    let first = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    let second = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    #expect(cache.counters == (1, 1, 1, 0))
    probe.resolver.fulfill(with: 1)
    #expect([first.result, second.result] == [.value(1), .value(1)])
    _ = ask(cache, "a", Subject(fulfilled: 2))
    _ = ask(cache, "b", Subject(rejected: .first))
    #expect(cache.counters == (2, 2, 2, 1))
    cache.promise(for: "c", on: context.context) { _ in Subject(fulfilled: 3) }.requestCancel()
    context.runAll()
    #expect(cache.counters == (2, 3, 2, 1), "that load never began")
  }

  @Test("14.14 the failure of an async load counts if a caller holds its promise", arguments: [false, true])
  func failureOfAsyncLoad(isHeld: Bool) async {
    let (cache, begun, asked, tracker) = (Cache(), Latch(), Latch(), Tracker())
    var promise: Subject? = cache.promise(for: "a") { [tracked = tracker.make()] _ async throws(Refusal) -> Int in
      begun.signal()
      await asked.wait(for: "the request to cancel")
      withExtendedLifetime(tracked) {}
      throw .first
    }
    await begun.wait(for: "the load to begin")
    promise?.requestCancel()
    if !isHeld { promise = nil }
    asked.signal()
    await until("the end of the load's task") { tracker.count == 0 }
    #expect(cache.counters.failures == (isHeld ? 1 : 0))
    #expect(promise?.result == (isHeld ? .error(.first) : nil))
  }
}
