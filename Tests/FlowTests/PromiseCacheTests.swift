import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

@Suite(.inTurn) struct PromiseCacheTests {
  private let cache = Cache()
  private let clock = TestClock()

  private typealias Cache = PromiseCache<String, Int, Refusal>

  // MARK: One load

  @Test("14.1 all callers of one key share one load and its result")
  func oneLoad() {
    let (cache, probe, calls) = (Cache(), Probe(), Recorder<String>())
    let promises = (0..<3).map { _ in
      cache.promise(for: "a", on: .immediate) { key in
        calls.record(key)
        return probe.take()
      }
    }
    #expect(promises.map(\.result) == [nil, nil, nil])
    #expect(Set(promises).count == 3)
    probe.resolver.fulfill(with: 7)
    #expect(promises.map(\.result) == [.value(7), .value(7), .value(7)])
    #expect(calls.entries == ["a"])
  }

  @Test("14.3 errors and cancellations are evicted at once, and the next caller loads again")
  func evictsFailures() {
    for ending in [Ending.error, .cancelled, .error] {
      let result = ending.result(1, Refusal.first)
      #expect(cache.promise(for: "a", on: .immediate) { _ in Subject(with: result) }.result == result)
      #expect(cache.count == 0)
    }
    #expect(cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }.result == .value(2))
  }

  @Test("14.3 a callback that receives an error may start a new load")
  func retriesFromCallback() {
    let (cache, again) = (Cache(), Holder<Subject>())
    let (load, resolver) = Subject.makeWithResolver()
    cache.promise(for: "a", on: .immediate) { _ in load }.catch(on: .immediate) { _ in
      again.value = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }
    }
    resolver.reject(with: .first)
    #expect(again.value?.result == .value(2))
  }

  @Test("14.8 a load that throws is rejected")
  func throwing() {
    let promise = Cache().promise(for: "a", on: .immediate) { _ throws(Refusal) in throw .third }
    #expect(promise.result == .error(.third))
  }

  @Test("14.1 a load may ask the cache for other keys")
  func nested() {
    let promise = cache.promise(for: "ab", on: .immediate) { _ in
      cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 1) }.map(on: .immediate) { $0 + 1 }
    }
    #expect(promise.result == .value(2))
    #expect(cache.peek("a") == .value(1))
  }

  @Test("1.7 14.10 a load that waits for its own key is cancelled instead of hanging")
  func itself() async throws {
    let found = try await diagnostics {
      let cache = Cache()
      @Sendable func load(_ key: String) -> Subject { cache.promise(for: key, on: .immediate, load: load) }
      #expect(load("a").result == .cancelled)
      #expect(cache.count == 0)
    }
    #expect(found == [.resolvedWithItself()])
  }

  // MARK: Memory

  @Test("14.1 a load closure is released without running if the value is cached")
  func notNeeded() {
    let tracker = Tracker()
    _ = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 1) }
    let promise = cache.promise(for: "a", on: .immediate, load: tracker.work { _ in Subject(fulfilled: 2) })
    #expect((promise.result, tracker.count) == (.value(1), 0))
  }

  @Test("14.9 a load continues for its callers after its cache is released")
  func cacheReleased() {
    let (load, resolver) = Subject.makeWithResolver()
    weak var weakCache: Cache?
    let promise = {
      let cache = Cache()
      weakCache = cache
      return cache.promise(for: "a", on: .immediate) { _ in load }
    }()
    #expect(weakCache == nil)
    resolver.fulfill(with: 1)
    #expect(promise.result == .value(1))
  }

  // MARK: Removal

  @Test("14.5 peek returns what is cached, and starts nothing")
  func peek() {
    let (cache, probe) = (Cache(failureTimeToLive: nil), Probe())
    #expect(cache.peek("a") == nil)
    let promise = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    #expect(cache.peek("a") == nil)
    probe.resolver.reject(with: .second)
    #expect(cache.peek("a") == .error(.second))
    #expect(promise.result == .error(.second))
  }

  @Test("14.6 a removed load finishes for its callers, and the key is loaded again", arguments: [false, true])
  func remove(all: Bool) {
    let (cache, probe, fresh) = (Cache(), Probe(), Probe())
    func remove(_ key: String) { all ? cache.removeAll() : cache.remove(key) }
    let old = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    remove("a")
    #expect((probe.requestCount, cache.count) == (0, 0))
    let new = cache.promise(for: "a", on: .immediate) { _ in fresh.take() }
    probe.resolver.fulfill(with: 1)
    #expect((old.result, new.result, cache.peek("a")) == (.value(1), nil, nil))
    fresh.resolver.fulfill(with: 2)
    #expect((new.result, cache.peek("a")) == (.value(2), .value(2)))
    remove("a")
    remove("b")
    #expect((cache.peek("a"), cache.count) == (nil, 0))
  }

  // MARK: Time to live

  @Test("14.2 a value is loaded again after its time to live, counted from its arrival")
  func timeToLive() async {
    let (cache, probe) = (Cache(timeToLive: .seconds(10), clock: clock), Probe())
    let promise = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    await clock.advance(by: .seconds(100))
    probe.resolver.fulfill(with: 1)
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }.result == .value(1))
    await clock.advance(by: .nanoseconds(1))
    #expect(cache.peek("a") == nil)
    #expect(cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }.result == .value(2))
    #expect(promise.result == .value(1))
  }

  @Test("14.11 an expired result is released even if no caller asks for it")
  func releasesExpired() async {
    let cache = PromiseCache<Int, Tracker.Tracked, Never>(timeToLive: .seconds(10), clock: clock)
    let (tracker, gone) = (Tracker(), Latch(2))
    @Sendable func load(_: Int) -> Promise<Tracker.Tracked, Never> {
      Promise(fulfilled: tracker.make { gone.signal() })
    }
    _ = cache.promise(for: 1, on: .immediate, load: load)
    await clock.advance(by: .seconds(6))
    cache.remove(1)
    #expect(clock.sleeperCount == 0)
    _ = cache.promise(for: 1, on: .immediate, load: load)
    await clock.advance(by: .seconds(6))
    #expect(cache.peek(1) != nil, "the timer of the value that was removed has nothing to do with this one")
    await clock.advance(by: .seconds(4))
    await gone.wait(for: "both values to go")
    #expect((cache.count, tracker.count) == (0, 0))
  }

  @Test(
    "14.2 with a time to live of zero or less, only loads are shared",
    arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func noTimeToLive(lifetime: Duration) {
    let (cache, probe) = (Cache(timeToLive: lifetime), Probe())
    let promises = (0..<2).map { _ in cache.promise(for: "a", on: .immediate) { _ in probe.take() } }
    probe.resolver.fulfill(with: 1)
    #expect(promises.map(\.result) == [.value(1), .value(1)])
    #expect((cache.peek("a"), cache.count) == (nil, 0))
  }

  @Test("14.3 errors are kept for their time to live, and cancellations never")
  func keepsFailures() async {
    let brief = Cache(timeToLive: nil, failureTimeToLive: .seconds(5), clock: clock)
    _ = brief.promise(for: "a", on: .immediate) { _ in Subject(rejected: .first) }
    await clock.advance(by: .seconds(4))
    #expect(brief.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 1) }.result == .error(.first))
    await clock.advance(by: .seconds(1))
    #expect(brief.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 1) }.result == .value(1))
    let lasting = Cache(failureTimeToLive: nil, clock: clock)
    _ = lasting.promise(for: "a", on: .immediate) { _ in Subject(rejected: .first) }
    _ = lasting.promise(for: "b", on: .immediate) { _ in Subject(with: .cancelled) }
    #expect((lasting.peek("a"), lasting.peek("b"), lasting.count) == (.error(.first), nil, 1))
  }

  @Test("6.3 14.9 a released cache leaves no timer behind")
  func noTimers() {
    do {
      let cache = PromiseCache<Int, Int, Never>(timeToLive: .seconds(3600), clock: clock)
      for key in 0..<10 { _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) } }
      #expect(clock.sleeperCount == 1)
      cache.remove(3)
      #expect(clock.sleeperCount == 1)
    }
    #expect(clock.sleeperCount == 0)
  }

  @Test("6.4 the continuous clock is the default")
  func continuousClock() async {
    let (gone, tracker) = (Latch(), Tracker())
    let cache = PromiseCache<Int, Tracker.Tracked, Never>(timeToLive: .milliseconds(5))
    _ = cache.promise(for: 1, on: .immediate) { _ in Promise(fulfilled: tracker.make { gone.signal() }) }
    await gone.wait(for: "the value to go")
    #expect(cache.count == 0)
  }
}
