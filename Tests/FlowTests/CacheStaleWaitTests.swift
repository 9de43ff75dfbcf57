import OvermorrowEngine
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The callers of a cache that wait for a load although there is a stale value: their requests to cancel, their tasks,
/// and the loads that wait for themselves.
@Suite(.inTurn) struct CacheStaleWaitTests: StaleCacheSuite {
  let clock = TestClock()

  // MARK: Requests to cancel

  @Test("14.38 a caller that asks to cancel is cancelled at once, and the load continues")
  func cancelledCaller() {
    let (cache, probe) = (makeCache(), Probe())
    let callers = (0..<3).map { _ in ask(cache, probe) }
    callers[0].requestCancel()
    #expect(callers.map(\.result) == [.cancelled, nil, nil])
    callers[2].requestCancel()
    callers[1].requestCancel()
    #expect(callers.map(\.result) == [.cancelled, .cancelled, .cancelled])
    let last = ask(cache, probe)
    #expect((probe.requestCount, last.result) == (0, nil))
    probe.resolver.fulfill(with: 2)
    #expect((callers[0].result, last.result, cache.peek(1)) == (.cancelled, .value(2), .value(2)))
  }

  @Test("14.38 callers that have asked to cancel leave nothing behind during the load")
  func releasedCallers() {
    let (cache, probe, tracker) = (makeCache(), Probe(), Tracker())
    for _ in 0..<1000 {
      let caller = ask(cache, probe)
      caller.tap(on: .immediate, tracker.callback())
      caller.requestCancel()
    }
    #expect((tracker.count, clock.sleeperCount) == (0, 2))
    probe.resolver.fulfill(with: 2)
  }

  @Test("14.38 a load goes on after all its callers have asked to cancel")
  func allCancelled() {
    let (cache, probe) = (makeCache(), Probe())
    for _ in 0..<3 { ask(cache, probe).requestCancel() }
    tick(clock, by: .seconds(30))
    #expect((probe.requestCount, cache.peek(1)) == (0, nil))
    probe.resolver.fulfill(with: 2)
    #expect(cache.peek(1) == .value(2))
  }

  @Test("14.38 after the end of the stale value, its callers have a vote", arguments: [false, true])
  func votes(isOther: Bool) {
    let (cache, probe) = (makeCache(after: 29), Probe())
    let waiting = [ask(cache, probe), ask(cache, probe)]
    tick(clock, by: .seconds(1))
    let late = ask(cache, probe)
    late.requestCancel()
    #expect(probe.requestCount == 0, "callers wait for the end of the soft timeout")
    tick(clock, by: .seconds(2))
    let other = isOther ? ask(cache, probe) : nil
    waiting[0].requestCancel()
    #expect((waiting[0].result, waiting[1].result, probe.requestCount) == (.cancelled, nil, 0))
    waiting[1].requestCancel()
    #expect((waiting[1].result, probe.requestCount, cache.count) == (.cancelled, isOther ? 0 : 1, isOther ? 1 : 0))
    other?.requestCancel()
    #expect((probe.requestCount, cache.count) == (1, 0))
  }

  @Test("14.38 3.2 a step of a waiting caller that is asked to cancel withdraws its vote")
  func cancelledStep() {
    let (cache, probe) = (makeCache(), Probe())
    let step = ask(cache, probe).map(on: .immediate) { $0 + 1 }
    let other = ask(cache, probe).map(on: .immediate) { $0 + 2 }
    step.requestCancel()
    #expect((step.result, other.result, probe.requestCount) == (.cancelled, nil, 0))
    tick(clock, by: .seconds(3))
    #expect(other.result == .value(3))
  }

  // MARK: Handles

  @Test("14.37 a load that a handle has started gives later callers the new value")
  func handle() {
    let (cache, probe) = (makeCache(), Probe())
    let shown = cache.show(1, isReload: false, at: .library) { _ in probe.take() }
    let caller = ask(cache, Probe())
    #expect((shown.old?.value, shown.promise.result, caller.result) == (1, nil, nil))
    shown.promise.requestCancel()
    #expect(probe.requestCount == 0, "a caller waits for the load")
    tick(clock, by: .seconds(3))
    #expect((caller.result, probe.requestCount) == (.value(1), 1), "nothing waits for the load any more")
  }

  @Test("14.37 a load of a handle without callers is asked to cancel at once")
  func handleAlone() {
    let (cache, probe) = (makeCache(), Probe())
    cache.show(1, isReload: false, at: .library) { _ in probe.take() }.promise.requestCancel()
    #expect((probe.requestCount, cache.peek(1), clock.sleeperCount) == (1, .value(1), 1))
  }

  // MARK: Cycles and diagnostics

  @Test("14.39 14.10 a load that returns the promise of its own key ends")
  func ownPromise() {
    let (used, found) = PromiseDiagnostics.checking {
      let cache = makeCache()
      let inner = Recorder<Subject>()
      let caller = cache.promise(for: 1, on: .immediate) { _ in
        let again = cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 9) }.map(on: .immediate) { $0 + 1 }
        inner.record(again)
        return again
      }
      #expect(caller.result == nil)
      tick(clock, by: .seconds(3))
      #expect((caller.result, inner.entries.first?.result, cache.peek(1)) == (.value(1), .value(2), .value(2)))
      return cache.count
    }
    #expect((used, found) == (1, []))
  }

  @Test("14.39 15.18 the promise of a waiting caller tells what it waits for")
  func pending() {
    _ = PromiseDiagnostics.checking {
      let (cache, probe) = (makeCache(), Probe())
      let caller = ask(cache, probe)
      let entries = PromiseDiagnostics.pending().entries
      #expect(entries.contains { $0.cause == "a load, or the end of its soft timeout" && $0.detail == "key \"1\"" })
      probe.resolver.fulfill(with: 2)
      #expect(caller.result == .value(2))
    }
  }

  @Test("14.39 14.16 the timer of a soft timeout is no pending promise in a scope")
  func timer() {
    let cache = makeCache()
    let probe = Probe()
    let caller = ask(cache, probe)
    #expect(PromiseDiagnostics.checking { _ = cache.peek(1) }.diagnostics == [])
    clock.run()
    #expect((caller.result, clock.now.offset) == (.value(1), .seconds(13)), "callers depend on this timer")
  }

  // MARK: Tasks

  @Test("14.37 14.18 a task that waits gets the new value or the stale one", arguments: [false, true])
  func task(isSlow: Bool) async throws {
    let (cache, begun, end) = (makeCache(), Latch(), Latch())
    let tasks = (0..<3).map { _ in
      Task {
        try await cache.value(for: 1) { _ in
          begun.signal()
          await end.wait(for: "the end of the load")
          return 2
        }
      }
    }
    await begun.wait(for: "the load")
    await until("all callers") { cache.counters.hits == 3 }
    if isSlow { await clock.advance(by: .seconds(3)) } else { end.signal() }
    for task in tasks { #expect(try await task.value == (isSlow ? 1 : 2)) }
    end.signal()
    await until("the new value") { cache.peek(1) == .value(2) }
    #expect((cache.counters.hits, cache.counters.loads) == (3, 1))
  }

  @Test("14.37 14.15 a task gets the stale value if the load throws")
  func throwingLoad() async throws {
    let (cache, begun, end, found) = (makeCache(), Latch(), Latch(), Holder<Int>())
    let task = Task {
      found.value = try await cache.value(for: 1) { _ throws(Refusal) in
        begun.signal()
        await end.wait(for: "the end of the load")
        throw Refusal.first
      }
    }
    await begun.wait(for: "the load")
    #expect((found.value, cache.counters.failures, clock.sleeperCount) == (nil, 0, 2), "the soft timeout is running")
    end.signal()
    try await task.value
    #expect((found.value, cache.counters.failures) == (1, 1))
  }

  @Test("14.38 14.18 a waiting task that is cancelled throws at once, and the load continues")
  func cancelledTask() async throws {
    let (cache, begun, end) = (makeCache(), Latch(), Latch())
    let task = Task {
      try await cache.value(for: 1) { _ in
        begun.signal()
        await end.wait(for: "the end of the load")
        return Task.isCancelled ? 3 : 2
      }
    }
    await begun.wait(for: "the load")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    end.signal()
    await until("the new value") { cache.peek(1) == .value(2) }
  }

  @Test("14.37 14.18 a task that is cancelled already gets the stale value without a load")
  func cancelledBefore() async throws {
    let cache = makeCache()
    let task = Task {
      cancelCurrentTask()
      return try await cache.value(for: 1) { _ in 2 }
    }
    #expect(try await task.value == 1)
    #expect((cache.counters.hits, cache.counters.loads) == (1, 0))
  }

  @Test("14.37 14.34 a task that waits with a stale value raises the load to its priority")
  func priority() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (cache, gate, begun, priorities) = (makeCache(), Latch(), Latch(), Recorder<TaskPriority>())
    Task.detached(priority: .background) {
      try await cache.value(for: 1) { _ in
        await withTaskPriorityEscalationHandler {
          begun.signal()
          await gate.wait(for: "the second caller")
          return 2
        } onPriorityEscalated: { _, new in
          priorities.record(new)
        }
      }
    }
    await begun.wait(for: "the load")
    let second = Task.detached(priority: .high) { try await cache.value(for: 1) { _ in 0 } }
    await until("the higher priority") { priorities.entries == [.high] }
    gate.signal()
    #expect(try await second.value == 2)
  }

  @Test("14.37 14.38 tasks wait in the same way if the diagnostics are off", .enabled(if: isLevelUnset))
  func withoutDiagnostics() async {
    // In its own process, because the level is global.
    await #expect(processExitsWith: .success) {
      PromiseDiagnostics.level = .off
      let clock = TestClock()
      let cache = Cache(timeToLive: .zero, staleTimeToLive: nil, softTimeout: .seconds(3), clock: clock)
      for round in 1...scaled(2000) / 10 {
        cache.setValue(round, for: 1)
        let (begun, end) = (Latch(), Latch())
        let tasks = (0..<3).map { _ in
          Task {
            try await cache.value(for: 1) { _ in
              begun.signal()
              await end.wait(for: "the end of the load")
              return -round
            }
          }
        }
        await begun.wait(for: "the load")
        await until("all callers") { cache.counters.hits == 3 * round }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        if round % 2 == 0 { await clock.advance(by: .seconds(3)) } else { end.signal() }
        for task in tasks.dropFirst() {
          let value = try await task.value
          #expect(value == (round % 2 == 0 ? round : -round))
        }
        end.signal()
        await until("the new value") { cache.peek(1) == .value(-round) }
      }
    }
  }

  // MARK: Cycles of loads

  @Test("14.39 14.17 a load that asks for its own key gets the stale value at once", arguments: [false, true])
  func ownKey(isTask: Bool) async throws {
    let cache = makeCache()
    let value = try await cache.value(for: 1) { [cache] _ throws(Refusal) in
      let ask = { @Sendable in
        isTask
          ? try? await cache.value(for: 1) { _ in 7 } : await cache.promise(for: 1) { _ in 7 }.outcome()?.value
      }
      return await ask() == 1 ? 2 : 0
    }
    #expect((value, cache.counters.loads) == (2, 1))
  }

  @Test("14.39 14.17 a load that another load waits for gets the stale value at once")
  func otherKey() async throws {
    let cache = makeCache()
    let value = try await cache.value(for: 1) { [cache] _ throws(Refusal) in
      let inner = try? await cache.value(for: 2) { _ throws(Refusal) in
        (try? await cache.value(for: 1) { _ in 7 }) == 1 ? 3 : 0
      }
      return inner ?? -1
    }
    #expect((value, cache.counters.loads) == (3, 2))
  }

  @Test("14.39 14.19 loads that wait for each other end at a soft timeout, unreported")
  func laterCycle() async {
    // In its own process, because the handler is global.
    await #expect(processExitsWith: .success) {
      let found = Recorder<PromiseDiagnostic>()
      PromiseDiagnostics.level = .report
      PromiseDiagnostics.handler = { found.record($0) }
      let clock = TestClock()
      let cache = Cache(timeToLive: .seconds(10), staleTimeToLive: nil, softTimeout: .seconds(3), clock: clock)
      cache.setValue(1, for: 1)
      await clock.advance(by: .seconds(10))
      let task = Task {
        try await cache.value(for: 2) { _ throws(Refusal) in
          let stale = try? await cache.value(for: 1) { _ throws(Refusal) in
            ((try? await cache.value(for: 2) { _ in 0 }) ?? 0) + 5
          }
          return (stale ?? 0) + 1
        }
      }
      await until("both loads to wait") { cache.counters.hits == 2 }
      await clock.advance(by: .seconds(3))
      let value = try await task.value
      #expect(value == 2)
      await until("the end of the other load") { cache.peek(1) == .value(7) }
      #expect(found.entries.isEmpty)
    }
  }

  @Test("14.39 14.32 a closure with a turn waits for a load that waits for the turn")
  func turn() async throws {
    let (cache, limiter) = (makeCache(), PromiseLimiter(width: 1))
    let ask = { @Sendable in
      try await cache.value(for: 1) { _ throws(Refusal) in (try? await limiter.perform { 2 }) ?? 0 }
    }
    let (value, other) = try await limiter.perform { [clock] in
      let other = Task.detached { try await ask() }
      await until("the load to wait for its turn") { limiter.pendingCount == 1 }
      async let value = ask()
      await until("the closure to wait for the load") { cache.counters.hits == 2 }
      #expect(clock.sleeperCount == 2, "the soft timeout is running")
      tick(clock, by: .seconds(3))
      return (try await value, other)
    }
    #expect((value, try await other.value) == (1, 1))
    await until("the new value") { cache.peek(1) == .value(2) }
  }

  // MARK: Races

  @Test("14.38 a caller that asks to cancel at the soft timeout has one result")
  func cancellationRace() async {
    await TestSupport.race(
      rounds: 5000, within: .seconds(1),
      {
        let (clock, cache, probe) = Self.makeRound()
        let callers = (0..<2).map { _ in cache.promise(for: 1, on: .immediate) { _ in probe.take() } }
        let results = Recorder<PromiseResult<Int, Refusal>>()
        callers[0].tap(on: .immediate) { results.record($0) }
        let isWaiting = results.entries.isEmpty
        return (clock: clock, cache: cache, probe: probe, callers: callers, results: results, isWaiting: isWaiting)
      },
      { $0.clock.advance(by: .seconds(3)) }, { $0.callers[0].requestCancel() },
      check: { round in
        guard round.isWaiting else { return "the caller has not waited" }
        if round.callers[1].result != .value(1) { return "the other caller has \(round.callers[1])" }
        if round.probe.requestCount > 0 { return "the load was asked to cancel" }
        round.probe.resolver.cancel()
        let results = round.results.entries
        return results == [.value(1)] || results == [.cancelled] ? nil : "\(results)"
      })
  }
}
