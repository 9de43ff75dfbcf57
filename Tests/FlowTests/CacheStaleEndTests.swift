import OvermorrowEngine
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The ends of the waits of callers that have found a stale value: by the load, by a value that is set, by the end of
/// the key, and by the timer that the first caller starts.
@Suite(.inTurn) struct CacheStaleEndTests: StaleCacheSuite {
  let clock = TestClock()

  // MARK: Values that are set

  @Test("14.37 14.21 a value that is set while the load fails reaches the waiting callers", arguments: [false, true])
  func failureDuringChange(isTimer: Bool) {
    let hooks = HookClock(clock: clock)
    let (cache, probe) = (makeCache(on: hooks), Probe())
    let caller = ask(cache, probe)
    // The timer of the new value starts when the value is in the cache.
    hooks.onSchedule.value = { [clock] in
      if isTimer { clock.advance(by: .seconds(3)) } else { probe.resolver.reject(with: .first) }
    }
    cache.setValue(5, for: 1)
    #expect((caller.result, cache.peek(1)) == (.value(5), .value(5)))
  }

  @Test("14.37 14.21 a value that is set during the end of a wait reaches the callers", arguments: [false, true])
  func changeRace(isTimer: Bool) async {
    await TestSupport.race(
      rounds: 5000, within: .seconds(1),
      {
        let (clock, cache, probe) = Self.makeRound()
        let caller = cache.promise(for: 1, on: .immediate) { _ in probe.take() }
        return (clock: clock, cache: cache, probe: probe, caller: caller)
      },
      { if isTimer { $0.clock.advance(by: .seconds(3)) } else { $0.probe.resolver.reject(with: .first) } },
      { $0.cache.setValue(5, for: 1) },
      check: { round in
        let result = round.caller.result
        guard result == .value(1) || result == .value(5) else { return "\(String(describing: result))" }
        guard round.clock.sleeperCount == 0 else { return "a timer is left" }
        return round.cache.peek(1) == .value(5) ? nil : "the value is not kept"
      })
  }

  @Test("14.37 a call that finds the end of the load gets the new value")
  func joinAtEnd() {
    let hooks = HookClock(clock: clock)
    let (cache, probe, reads) = (makeCache(on: hooks), Probe(), Counter())
    _ = ask(cache, probe)
    hooks.onRead.value = { reads.increment() }
    _ = ask(cache, probe)
    // The last read of the time in a call comes just before the call joins the wait.
    let (count, again) = (reads.count, Counter())
    hooks.onRead.value = {
      again.increment()
      if again.count == count { probe.resolver.fulfill(with: 2) }
    }
    let late = ask(cache, probe)
    hooks.onRead.value = nil
    #expect((late.result, cache.peek(1)) == (.value(2), .value(2)))
  }

  // MARK: Keys that end

  @Test("14.38 14.4 after the end of a key, a load that all have left fails uncounted")
  func countersAfterLeaving() {
    let (cache, probe) = (makeCache(), Probe())
    do {
      let callers = [ask(cache, probe), ask(cache, probe)]
      cache.remove(1)
      for caller in callers { caller.requestCancel() }
    }
    #expect(probe.requestCount == 1)
    probe.resolver.reject(with: .first)
    #expect(cache.counters == (hits: 2, misses: 0, loads: 1, failures: 0))
  }

  /// A way in which a key loses its stale value.
  enum Removal: CaseIterable {
    case key, all, predicate, eviction, release
  }

  @Test("14.38 14.4 after the end of a key, its waiting callers have a vote", arguments: Removal.allCases)
  func votes(removal: Removal) {
    let probe = Probe()
    let callers = {
      let cache = makeCache(capacity: 1)
      let callers = [ask(cache, probe), ask(cache, probe)]
      switch removal {
      case .key: cache.remove(1)
      case .all: cache.removeAll()
      case .predicate: cache.removeAll { $0 == 1 }
      case .eviction: cache.setValue(7, for: 2)
      case .release: break
      }
      return callers
    }()
    #expect(clock.sleeperCount == 0)
    callers[0].requestCancel()
    #expect((callers[0].result, callers[1].result, probe.requestCount) == (.cancelled, nil, 0))
    callers[1].requestCancel()
    #expect((callers[1].result, probe.requestCount) == (.cancelled, 1))
  }

  @Test("14.39 15.18 after the end of a key, its callers wait for no soft timeout")
  func pending() async {
    // In its own process, because the list of pending promises is global.
    await #expect(processExitsWith: .success) {
      PromiseDiagnostics.level = .report
      let (clock, probe) = (TestClock(), Probe())
      let cache = Cache(timeToLive: .seconds(10), staleTimeToLive: nil, softTimeout: .seconds(3), clock: clock)
      cache.setValue(1, for: 1)
      await clock.advance(by: .seconds(10))
      let caller = cache.promise(for: 1, on: .immediate) { _ in probe.take() }
      let isWaiting = { PromiseDiagnostics.pending().entries.contains { $0.cause.contains("soft timeout") } }
      #expect(isWaiting())
      cache.remove(1)
      #expect(!isWaiting())
      probe.resolver.fulfill(with: 2)
      #expect(caller.result == .value(2))
    }
  }

  // MARK: Circles

  @Test("14.39 14.17 a circle of loads ends when a wait ends without a value", arguments: [false, true])
  func circle(isRemoval: Bool) async {
    #expect(await Self.closeCircle(isRemoval, clock) == 5)
  }

  @Test("14.39 14.17 a circle that the end of a wait closes is reported once")
  func report() async {
    // In its own process, because the handler is global.
    await #expect(processExitsWith: .success) {
      for isRemoval in [false, true] {
        let found = Recorder<PromiseDiagnostic>()
        PromiseDiagnostics.handler = { found.record($0.withoutPlace) }
        let value = await Self.closeCircle(isRemoval, TestClock())
        #expect(value == 5)
        #expect(found.entries == [.resolvedWithItself()])
      }
    }
  }

  @Test("14.39 14.17 a circle ends in the same way if the diagnostics are off", .enabled(if: isLevelUnset))
  func circleWithoutDiagnostics() async {
    // In its own process, because the level is global.
    await #expect(processExitsWith: .success) {
      PromiseDiagnostics.level = .off
      let value = await Self.closeCircle(false, TestClock())
      #expect(value == 5)
    }
  }

  /// Returns the value of a load that waits with a stale value for a load that waits for it, when the stale value ends.
  private static func closeCircle(_ isRemoval: Bool, _ clock: TestClock) async -> Int {
    let cache = Cache(
      timeToLive: .seconds(10), staleTimeToLive: isRemoval ? nil : .seconds(1), softTimeout: .seconds(3), clock: clock)
    cache.setValue(1, for: 1)
    await clock.advance(by: .seconds(10))
    let found = Holder<Int>()
    Task {
      found.value = try await cache.value(for: 2) { _ throws(Refusal) in
        let inner = try? await cache.value(for: 1) { _ throws(Refusal) in
          (try? await cache.value(for: 2) { _ in 0 }) ?? 0
        }
        return inner ?? 5
      }
    }
    await until("both loads to wait") { cache.counters.hits == 2 }
    if isRemoval { cache.remove(1) } else { await clock.advance(by: .seconds(3)) }
    await until("the end of the circle") { found.value != nil }
    return found.value ?? 0
  }

  @Test("14.39 a removed key closes no circle with a call that has ended")
  func endedCaller() async throws {
    let (cache, gate) = (makeCache(), Latch())
    let task = Task {
      try await cache.value(for: 2) { [cache] _ throws(Refusal) in
        cache.promise(for: 1) { _ throws(Refusal) in (try? await cache.value(for: 2) { _ in 0 }) ?? 0 }.requestCancel()
        await gate.wait(for: "the removal")
        return 5
      }
    }
    await until("the load to wait for the other") { cache.counters.hits == 2 }
    let found = PromiseDiagnostics.checking { cache.remove(1) }.diagnostics
    gate.signal()
    #expect((try await task.value, found) == (5, []))
  }

  // MARK: The first caller

  @Test("14.39 14.36 a load ahead has a timer only if callers find the value stale", arguments: [3, 5])
  func loadAhead(seconds: Int) {
    let cache = Cache(
      timeToLive: .seconds(100), staleTimeToLive: .seconds(100), softTimeout: .seconds(5), refreshAhead: 1,
      clock: clock)
    let (first, second) = (Probe(), Probe())
    _ = ask(cache, first)
    tick(clock, by: .seconds(4))
    first.resolver.fulfill(with: 1)
    tick(clock, by: .seconds(97))
    #expect((ask(cache, second).result, clock.sleeperCount) == (.value(1), 1))
    tick(clock, by: .seconds(seconds))
    let late = ask(cache, second)
    #expect((late.result, clock.sleeperCount) == (seconds == 3 ? nil : .value(1), seconds == 3 ? 2 : 1))
    tick(clock, by: .seconds(2))
    #expect((late.result, cache.counters.loads, clock.sleeperCount) == (.value(1), 2, 1))
  }

  @Test("14.39 a load of a handle has no timer before a caller waits", arguments: [nil, Duration.seconds(10)])
  func handle(timeToLive: Duration?) {
    let cache = Cache(timeToLive: timeToLive, staleTimeToLive: nil, softTimeout: .seconds(3), clock: clock)
    cache.setValue(1, for: 1)
    tick(clock, by: .seconds(10))
    let probe = Probe()
    let shown = cache.show(1, isReload: true, at: .library) { _ in probe.take() }
    #expect((shown.promise.result, clock.sleeperCount) == (nil, 0))
    let caller = ask(cache, Probe())
    #expect((caller.result, clock.sleeperCount) == (timeToLive == nil ? .value(1) : nil, timeToLive == nil ? 0 : 1))
    probe.resolver.fulfill(with: 2)
    #expect((ask(cache, Probe()).result, clock.sleeperCount) == (.value(2), 0))
  }

  private static func join(_ cache: Cache) -> Subject {
    cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 9) }
  }

  @Test("14.39 callers that join a load at the same time share one timer")
  func firstCallers() async {
    await TestSupport.race(
      rounds: 5000, within: .seconds(1),
      {
        let (clock, cache, probe) = Self.makeRound()
        let shown = cache.show(1, isReload: false, at: .library) { _ in probe.take() }
        return (clock: clock, cache: cache, probe: probe, shown: shown.promise, callers: Recorder<Subject>())
      },
      { $0.callers.record(Self.join($0.cache)) }, { $0.callers.record(Self.join($0.cache)) },
      check: { round in
        let callers = round.callers.entries
        guard callers.map(\.result) == [nil, nil] else { return "\(callers)" }
        guard round.clock.sleeperCount == 1 else { return "\(round.clock.sleeperCount) timers" }
        round.clock.advance(by: .seconds(3))
        return callers.map(\.result) == [.value(1), .value(1)] ? nil : "\(callers)"
      })
  }
}
