import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The soft timeout of a cache: callers that find a stale value wait for its load for a limited time.
@Suite(.inTurn) struct CacheSoftTimeoutTests: StaleCacheSuite {
  let clock = TestClock()

  // MARK: The end of the wait

  @Test("14.37 a load that is fast enough gives its callers the new value")
  func fastLoad() {
    let (cache, probe) = (makeCache(), Probe())
    let callers = (0..<3).map { _ in ask(cache, probe) }
    tick(clock, by: .milliseconds(2999))
    #expect(callers.map(\.result) == [nil, nil, nil])
    #expect((cache.counters.hits, cache.counters.loads, clock.sleeperCount) == (3, 1, 2), "one timer for the callers")
    probe.resolver.fulfill(with: 2)
    #expect(callers.map(\.result) == [.value(2), .value(2), .value(2)])
    #expect(ask(cache, Probe()).result == .value(2))
    #expect((cache.counters.hits, cache.counters.loads, clock.sleeperCount) == (4, 1, 1))
  }

  @Test("14.37 a load inside the call gives its caller the new value at once")
  func loadInsideCall() {
    let cache = makeCache()
    #expect(cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 2) }.result == .value(2))
    #expect((cache.counters.hits, cache.counters.misses, clock.sleeperCount) == (1, 0, 1))
  }

  @Test("14.37 callers of a slow load get the stale value together, counted from its start")
  func slowLoad() {
    let (cache, probe) = (makeCache(), Probe())
    let first = ask(cache, probe)
    tick(clock, by: .seconds(2))
    let second = ask(cache, probe)
    tick(clock, by: .milliseconds(999))
    #expect((first.result, second.result) == (nil, nil))
    tick(clock, by: .milliseconds(1))
    #expect((first.result, second.result) == (.value(1), .value(1)))
    #expect(ask(cache, probe).result == .value(1), "the soft timeout of this load has ended")
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 2)
    #expect(ask(cache, Probe()).result == .value(2))
    #expect((cache.counters.hits, cache.counters.loads) == (4, 1))
  }

  @Test("14.37 the soft timeout includes the time before its load begins")
  func busyContext() {
    let (cache, context) = (makeCache(), ManualContext())
    let caller = cache.promise(for: 1, on: context.context) { _ in Subject(fulfilled: 2) }
    tick(clock, by: .milliseconds(2999))
    #expect(caller.result == nil)
    tick(clock, by: .milliseconds(1))
    #expect(caller.result == .value(1))
    context.runAll()
    #expect(cache.peek(1) == .value(2))
  }

  @Test("14.37 on the continuous clock, callers of a load that hangs get the stale value")
  func continuousClock() async {
    let cache = Cache(timeToLive: .zero, staleTimeToLive: nil, softTimeout: .milliseconds(50))
    let (probe, begin) = (Probe(), ContinuousClock.now)
    cache.setValue(1, for: 1)
    #expect(await ask(cache, probe).outcome() == .value(1))
    #expect(ContinuousClock.now - begin >= .milliseconds(49), "the caller has waited")
  }

  @Test(
    "14.37 14.15 callers of a load that fails or is cancelled get the stale value then",
    arguments: [Duration.zero, .seconds(5)], [PromiseResult<Int, Refusal>.error(.first), .cancelled])
  func failure(failureTimeToLive: Duration, result: PromiseResult<Int, Refusal>) {
    let (values, found) = PromiseDiagnostics.checking { [clock] in
      let (cache, probe) = (makeCache(failureTimeToLive: failureTimeToLive), Probe())
      let callers = [ask(cache, probe), ask(cache, probe)]
      tick(clock, by: .seconds(1))
      #expect(callers.map(\.result) == [nil, nil])
      probe.resolver.resolve(with: result)
      #expect(cache.counters.failures == (result.error == nil ? 0 : 1))
      return callers.map { $0.result }
    }
    #expect(values == [.value(1), .value(1)])
    #expect(found == [], "the failure is not reported")
  }

  @Test("14.37 14.13 while an error is kept, callers get the stale value at once")
  func keptError() {
    let cache = makeCache(failureTimeToLive: .seconds(5))
    #expect(cache.promise(for: 1, on: .immediate) { _ in Subject(rejected: .first) }.result == .value(1))
    #expect(ask(cache, Probe()).result == .value(1))
    #expect(cache.counters.loads == 1)
    tick(clock, by: .seconds(5))
    let probe = Probe()
    #expect(ask(cache, probe).result == nil)
    #expect(cache.counters.loads == 2)
  }

  @Test(
    "14.37 if the stale value ends meanwhile, callers get the result of the load",
    arguments: [PromiseResult<Int, Refusal>.value(2), .error(.first), .cancelled], [1, 5])
  func endedValue(result: PromiseResult<Int, Refusal>, seconds: Int) {
    let (cache, probe) = (makeCache(after: 29), Probe())
    let caller = ask(cache, probe)
    tick(clock, by: .seconds(seconds))
    let late = ask(cache, probe)
    #expect((caller.result, late.result, cache.peek(1)) == (nil, nil, nil))
    probe.resolver.resolve(with: result)
    #expect((caller.result, late.result) == (result, result))
  }

  @Test("14.37 14.36 a value that is due but fresh is returned at once")
  func dueValue() {
    let cache = Cache(
      timeToLive: .seconds(100), staleTimeToLive: .seconds(100), softTimeout: .seconds(5), refreshAhead: 1,
      clock: clock)
    let (first, second) = (Probe(), Probe())
    _ = ask(cache, first)
    tick(clock, by: .seconds(4))
    first.resolver.fulfill(with: 1)
    tick(clock, by: .seconds(97))
    #expect(ask(cache, second).result == .value(1))
    tick(clock, by: .seconds(2))
    #expect((cache.counters.loads, ask(cache, second).result) == (2, .value(1)))
    tick(clock, by: .seconds(1))
    let late = ask(cache, second)
    #expect(late.result == nil, "the value is stale now")
    tick(clock, by: .seconds(2))
    #expect(late.result == .value(1), "the load has run for five seconds")
  }

  @Test("14.37 with a soft timeout of zero, or without stale values, no caller waits")
  func zero() {
    let cache = makeCache(softTimeout: .zero)
    let first = Probe()
    #expect((ask(cache, first).result, clock.sleeperCount) == (.value(1), 1))
    let unstale = Cache(timeToLive: .seconds(10), softTimeout: .seconds(3), clock: clock)
    unstale.setValue(1, for: 1)
    tick(clock, by: .seconds(10))
    let (probe, count) = (Probe(), clock.sleeperCount)
    let caller = ask(unstale, probe)
    #expect(clock.sleeperCount == count)
    probe.resolver.reject(with: .first)
    #expect(caller.result == .error(.first))
  }

  @Test("14.37 a negative soft timeout is replaced and reported")
  func invalid() async throws {
    let probe = Probe()
    let found = try await diagnostics {
      #expect(ask(makeCache(softTimeout: .seconds(-1)), probe).result == .value(1))
    }
    #expect(found == [.invalidArgument("PromiseCache.softTimeout: -1.0 seconds counts as 0.0 seconds")])
  }

  @Test("14.37 a cache with a cost limit has a soft timeout")
  func costs() {
    let cache = Cache(
      totalCostLimit: 5, timeToLive: .seconds(10), staleTimeToLive: .seconds(20), softTimeout: .seconds(3),
      clock: clock
    ) { $0 }
    let probe = Probe()
    cache.setValue(1, for: 1)
    tick(clock, by: .seconds(10))
    let caller = ask(cache, probe)
    probe.resolver.fulfill(with: 9)
    #expect((caller.result, cache.count) == (.value(9), 0), "callers get a value that is not kept")
  }

  // MARK: Changes during the wait

  /// A way in which a key loses its stale value.
  enum Removal: CaseIterable {
    case key, all, predicate, eviction
  }

  @Test("14.37 14.6 if the key is removed, waiting callers get the load's result", arguments: Removal.allCases)
  func removal(removal: Removal) {
    let (cache, probe) = (makeCache(capacity: 1), Probe())
    let callers = [ask(cache, probe), ask(cache, probe)]
    switch removal {
    case .key: cache.remove(1)
    case .all: cache.removeAll()
    case .predicate: cache.removeAll { $0 == 1 }
    case .eviction: cache.setValue(7, for: 2)
    }
    tick(clock, by: .seconds(3))
    #expect(callers.map(\.result) == [nil, nil])
    probe.resolver.reject(with: .first)
    #expect(callers.map(\.result) == [.error(.first), .error(.first)])
    #expect((probe.requestCount, cache.peek(1)) == (0, nil))
  }

  @Test("14.37 14.21 waiting callers get a value that is set at once")
  func setValue() {
    let (cache, probe) = (makeCache(), Probe())
    let caller = ask(cache, probe)
    cache.setValue(5, for: 1)
    #expect((caller.result, clock.sleeperCount, probe.requestCount) == (.value(5), 1, 0))
    probe.resolver.fulfill(with: 2)
    #expect((caller.result, cache.peek(1)) == (.value(5), .value(5)))
  }

  @Test("14.37 peek and values(for:) give the stale value during a wait")
  func peek() async {
    let (cache, probe) = (makeCache(), Probe())
    let caller = ask(cache, probe)
    #expect(cache.peek(1) == .value(1))
    var values = cache.values(for: 1).makeAsyncIterator()
    #expect(await values.next() == 1)
    probe.resolver.fulfill(with: 2)
    #expect(await values.next() == 2)
    #expect(caller.result == .value(2))
  }

  @Test("14.37 14.9 a released cache leaves no timer, and its load continues")
  func releasedCache() {
    let probe = Probe()
    let caller = { ask(makeCache(), probe) }()
    #expect((clock.sleeperCount, caller.result) == (0, nil))
    probe.resolver.fulfill(with: 2)
    #expect(caller.result == .value(2))
  }

  // MARK: Races

  @Test("14.37 a load that ends at its soft timeout gives all callers one result")
  func race() async {
    let tracker = Tracker()
    await TestSupport.race(
      rounds: 5000, within: .seconds(1),
      {
        let (clock, probe) = (TestClock(), CancelProbe<Tracker.Tracked, Refusal>())
        let cache = PromiseCache<Int, Tracker.Tracked, Refusal>(
          timeToLive: .seconds(1), staleTimeToLive: nil, softTimeout: .seconds(3), clock: clock)
        cache.setValue(tracker.make(), for: 1)
        clock.advance(by: .seconds(1))
        let results = Recorder<PromiseResult<Tracker.Tracked, Refusal>>()
        for _ in 0..<3 {
          cache.promise(for: 1, on: .immediate) { _ in probe.take() }.tap(on: .immediate) { results.record($0) }
        }
        return (clock: clock, cache: cache, probe: probe, results: results)
      },
      { $0.clock.advance(by: .seconds(3)) }, { $0.probe.resolver.fulfill(with: tracker.make()) },
      check: { round in
        let values = round.results.entries.compactMap(\.value)
        guard values.count == 3 else { return "\(round.results.entries.count) results" }
        guard values.allSatisfy({ $0 === values[0] }) else { return "callers of one load have got different values" }
        guard round.cache.peek(1)?.value != nil else { return "no value is kept" }
        return round.clock.sleeperCount == 0 ? nil : "a timer is left"
      })
    await until("the release of all values") { tracker.count == 0 }
  }
}
