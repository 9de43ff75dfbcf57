import OvermorrowEngine
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The list of the entries whose lifetimes end, and the one timer of a cache.
@Suite(.inTurn) struct CacheExpiriesTests {
  private typealias Cache = PromiseCache<Int, Tracker.Tracked, Refusal>

  private let clock = TestClock()
  private let tracker = Tracker()

  private func ask(_ cache: Cache, _ key: Int) {
    _ = cache.promise(for: key, on: .immediate) { _ in Promise(fulfilled: tracker.make()) }
  }

  @Test("14.11 a cache has one timer, while a value with a lifetime is in it")
  func oneTimer() {
    let cache = Cache(timeToLive: .seconds(10), clock: clock)
    for key in 0..<100 {
      ask(cache, key)
      tick(clock, by: .milliseconds(10))
    }
    #expect((clock.sleeperCount, tracker.count) == (1, 100))
    for key in 1..<100 { cache.remove(key) }
    #expect((clock.sleeperCount, tracker.count) == (1, 1), "removed values are released at once")
    cache.remove(0)
    #expect((clock.sleeperCount, tracker.count) == (0, 0))
    ask(cache, 1)
    cache.removeAll()
    #expect((clock.sleeperCount, tracker.count) == (0, 0))
    ask(cache, 1)
    #expect(clock.sleeperCount == 1)
  }

  @Test("14.11 one timer releases any number of values whose lifetimes have ended", arguments: [64, 65, 1000])
  func manyAtOnce(count: Int) async {
    let cache = Cache(timeToLive: .seconds(10), clock: clock)
    for key in 0..<count { ask(cache, key) }
    await clock.advance(by: .seconds(5))
    ask(cache, count)
    await clock.advance(by: .seconds(5))
    await until("the end of the first lifetimes") { cache.count == 1 }
    await until("the timer of the last value") { clock.sleeperCount == 1 }
    await until("the release of the first values") { tracker.count == 1 }
    await clock.advance(by: .seconds(5))
    await until("the release of the last value") { tracker.count == 0 }
    #expect((cache.count, clock.sleeperCount) == (0, 0))
  }

  @Test("14.11 14.3 a shorter lifetime that begins later ends first")
  func shorterLifetime() async {
    let cache = Cache(timeToLive: .seconds(10), failureTimeToLive: .seconds(2), clock: clock)
    ask(cache, 1)
    await clock.advance(by: .seconds(1))
    _ = cache.promise(for: 2, on: .immediate) { _ in Promise(rejected: .first) }
    #expect((clock.sleeperCount, cache.count) == (1, 2))
    await clock.advance(by: .seconds(2))
    await until("the end of the error") { cache.count == 1 }
    #expect(tracker.count == 1)
    await until("the timer of the value") { clock.sleeperCount == 1 }
    await clock.advance(by: .seconds(7))
    await until("the release of the value") { tracker.count == 0 }
    #expect((cache.count, clock.sleeperCount) == (0, 0))
  }

  @Test("14.11 a value that is evicted or replaced leaves the list of lifetimes")
  func replacedValues() {
    let cache = Cache(capacity: 2, timeToLive: .seconds(10), staleTimeToLive: .seconds(10), clock: clock)
    for key in 0..<10 { ask(cache, key) }
    #expect(tracker.count == 2)
    for _ in 0..<10 { cache.setValue(tracker.make(), for: 9) }
    #expect(tracker.count == 2)
    tick(clock, by: .seconds(11))
    let probe = CancelProbe<Tracker.Tracked, Refusal>()
    let caller = cache.promise(for: 9, on: .immediate) { _ in probe.take() }
    #expect((caller.result?.value != nil, tracker.count) == (true, 2), "the old value is served")
    probe.resolver.fulfill(with: tracker.make())
    #expect((caller.result != nil, tracker.count) == (true, 3), "only the caller retains the old value")
    cache.removeAll()
    #expect(clock.sleeperCount == 0)
  }

  @Test("14.11 14.7 a cost that removes all values while a new value arrives leaves no timer")
  func removalDuringArrival() {
    let (holder, isRemoving) = (Holder<Cache>(nil), Holder<Bool>(nil))
    let cache = Cache(totalCostLimit: 10, timeToLive: .seconds(10), staleTimeToLive: .seconds(10), clock: clock) { _ in
      if isRemoving.value != nil { holder.value?.removeAll() }
      return 1
    }
    holder.value = cache
    cache.setValue(tracker.make(), for: 1)
    tick(clock, by: .seconds(11))
    let probe = CancelProbe<Tracker.Tracked, Refusal>()
    _ = cache.promise(for: 1, on: .immediate) { _ in probe.take() }
    isRemoving.value = true
    probe.resolver.fulfill(with: tracker.make())
    isRemoving.value = nil
    #expect((cache.count, clock.sleeperCount) == (0, 0))
    ask(cache, 2)
    #expect((cache.count, clock.sleeperCount) == (1, 1))
    holder.value = nil
  }

  @Test("14.11 an alarm from before the removal of all values does not count")
  func numbers() {
    var expiries = CacheExpiries()
    let lines = (0..<2).map { CacheLine(hash: $0, nil, after: nil, nil) }
    guard let first = expiries.insert(lines[0], at: .seconds(100)) else {
      Issue.record("the first entry sets no alarm")
      return
    }
    expiries = expiries.successor
    let second = expiries.insert(lines[1], at: .seconds(2))
    #expect(expiries.takeDue(first, at: .seconds(100)).lines.isEmpty)
    let late = Timer(after: .seconds(1000), on: clock) {}
    #expect(expiries.keep(late, of: first) != nil, "the timer of the earlier alarm is not kept")
    #expect(second.map { expiries.keep(late, of: $0) == nil } == true)
    #expect(second.map { expiries.takeDue($0, at: .seconds(2)).lines.count } == 1)
    late.cancel()
  }

  @Test("14.11 14.3 the longest time to live of an error does not overflow")
  func longestLifetime() {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    let cache = Cache(failureTimeToLive: longest + longest, clock: clock)
    tick(clock, by: .seconds(10))
    _ = cache.promise(for: 1, on: .immediate) { _ in Promise(rejected: .first) }
    #expect((cache.count, clock.sleeperCount) == (1, 1))
  }

  /// A clock whose timers belong to objects that use a cache when they are released.
  private struct ObjectClock: PromiseSchedulingClock {
    let clock: TestClock
    let cache: Holder<Cache>
    var now: TestClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func schedule(
      at deadline: TestClock.Instant, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
      let stop = clock.schedule(at: deadline, action)
      let object = Tracker().make { [cache] in _ = cache.value?.count }
      return { withExtendedLifetime(object) { stop() } }
    }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test("14.7 a timer that has fired is released without a lock")
  func releasedTimer() async {
    let holder = Holder<Cache>(nil)
    let cache = Cache(timeToLive: .seconds(10), clock: ObjectClock(clock: clock, cache: holder))
    holder.value = cache
    ask(cache, 1)
    await clock.advance(by: .seconds(10))
    await until("the release of the value") { tracker.count == 0 }
    ask(cache, 2)
    cache.remove(2)
    #expect((cache.count, clock.sleeperCount) == (0, 0))
    holder.value = nil
  }

  @Test("14.11 14.7 when results race with removals, nothing stays behind", arguments: [false, true])
  func race(isAll: Bool) async {
    await TestSupport.race(
      rounds: 3000, within: .seconds(1),
      {
        let (clock, tracker, probe) = (TestClock(), Tracker(), CancelProbe<Tracker.Tracked, Refusal>())
        let cache = Cache(timeToLive: .seconds(10), staleTimeToLive: .seconds(10), clock: clock)
        return (clock: clock, tracker: tracker, probe: probe, cache: cache)
      },
      {
        _ = $0.cache.promise(for: 1, on: .immediate) { [probe = $0.probe] _ in probe.take() }
        $0.probe.resolver.fulfill(with: $0.tracker.make())
      },
      { if isAll { $0.cache.removeAll() } else { $0.cache.remove(1) } },
      { $0.cache.setValue($0.tracker.make(), for: 1) },
      check: { round in
        guard round.clock.sleeperCount == (round.cache.count == 0 ? 0 : 1) else {
          return "\(round.clock.sleeperCount) timers for \(round.cache.count) values"
        }
        round.cache.remove(1)
        return round.clock.sleeperCount == 0 ? nil : "a timer is left"
      })
  }

  @Test("14.11 a random list of lifetimes behaves as a naive model says")
  func randomPrograms() {
    for seed in 0..<UInt64(scaled(2000)) {
      var (random, expiries) = (SeededGenerator(seed: seed), CacheExpiries())
      var (model, now): ([(line: CacheLine, end: Int)], Int) = ([], 0)
      var alarm: CacheExpiries.Alarm?
      for _ in 0..<100 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let (line, end) = (CacheLine(hash: 0, nil, after: nil, nil), now + Int.random(in: 1..<50, using: &random))
          model.append((line, end))
          alarm = expiries.insert(line, at: .seconds(end)) ?? alarm
        case 2:
          guard let index = model.indices.randomElement(using: &random) else { break }
          expiries.remove(model.remove(at: index).line)
        default: now += Int.random(in: 0..<10, using: &random)
        }
        guard let first = model.map(\.end).min() else { continue }
        #expect(alarm.map { $0.time <= .seconds(first) } == true, "seed \(seed)")
        while let fired = alarm, fired.time <= .seconds(now) {
          let due = expiries.takeDue(fired, at: .seconds(now))
          let expected = model.filter { $0.end <= now }
          #expect(Set(due.lines.map(ObjectIdentifier.init)) == Set(expected.map { ObjectIdentifier($0.line) }))
          #expect(due.lines.reversed().map(\.end) == expected.map { .seconds($0.end) }.sorted(), "seed \(seed)")
          #expect(due.next?.time == model.filter { $0.end > now }.map(\.end).min().map { .seconds($0) })
          model.removeAll { $0.end <= now }
          alarm = due.next
        }
      }
    }
  }
}
