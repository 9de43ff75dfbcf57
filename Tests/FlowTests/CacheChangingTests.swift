import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Values that code puts into a cache, and keys that it removes by a predicate.
@Suite(.inTurn) struct CacheChangingTests {
  private typealias Cache = PromiseCache<String, Int, Refusal>

  private let clock = TestClock()

  @Test("14.21 a value that was set is cached for its time to live")
  func setValue() async {
    let cache = Cache(timeToLive: .seconds(10), clock: clock)
    cache.setValue(1, for: "a")
    cache.setValue(2, for: "a")
    #expect(cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 3) }.result == .value(2))
    #expect(cache.counters == (1, 0, 0, 0))
    #expect((cache.count, clock.sleeperCount) == (1, 1))
    await clock.advance(by: .seconds(10))
    #expect(cache.peek("a") == nil)
  }

  @Test("14.21 a load in flight does not replace a value that was set")
  func setDuringLoad() {
    let (cache, probe) = (Cache(), Probe())
    let promise = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    cache.setValue(1, for: "a")
    #expect((probe.requestCount, promise.result) == (0, nil))
    probe.resolver.fulfill(with: 2)
    #expect((promise.result, cache.peek("a")) == (.value(2), .value(1)))
  }

  @Test("14.12 14.21 a value that was set counts for the capacity")
  func capacity() {
    let cache = Cache(capacity: 2)
    for (number, key) in ["a", "b", "c"].enumerated() { cache.setValue(number, for: key) }
    #expect((cache.count, cache.peek("a"), cache.peek("c")) == (2, nil, .value(2)))
  }

  @Test("14.21 with a time to live of zero, a value is not kept")
  func noLifetime() {
    let cache = Cache(timeToLive: .zero)
    cache.setValue(1, for: "a")
    #expect((cache.peek("a"), cache.count) == (nil, 0))
  }

  @Test("14.13 14.21 a value that was set is stale after its time to live")
  func stale() {
    let cache = Cache(timeToLive: .seconds(10), staleTimeToLive: nil, clock: clock)
    cache.setValue(1, for: "a")
    clock.advance(by: .seconds(10))
    #expect(cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }.result == .value(1))
    #expect((cache.peek("a"), cache.counters.loads) == (.value(2), 1))
  }

  @Test("14.13 14.21 a value that was set is served once its key is cached")
  func servedAtOnce() {
    typealias Cache = PromiseCache<String, Tracker.Tracked, Refusal>
    let cache = Cache(capacity: 1, timeToLive: .zero, staleTimeToLive: .seconds(60), clock: clock)
    let (tracker, served) = (Tracker(), Recorder<Bool>())
    // The value of the evicted key is released when the new key is already in the cache.
    let evicted = tracker.make { [weak cache] in
      guard let cache else { return }
      served.record(cache.peek("b") != nil)
      let promise = cache.promise(for: "b", on: .immediate) { _ in Promise(rejected: .first) }
      served.record(promise.result?.value != nil)
    }
    cache.setValue(consume evicted, for: "a")
    cache.setValue(tracker.make(), for: "b")
    #expect(served.entries == [true, true])
    #expect((cache.peek("b") != nil, cache.count, cache.counters.loads) == (true, 1, 1))
  }

  @Test("14.22 keys that satisfy a predicate are removed, and the predicate uses the cache")
  func removeWhere() {
    let (cache, probe) = (Cache(), Probe())
    for (number, key) in ["a", "ab", "abc"].enumerated() { cache.setValue(number, for: key) }
    let load = cache.promise(for: "abcd", on: .immediate) { _ in probe.take() }
    cache.removeAll { key in
      cache.remove("ab")
      return key.count.isMultiple(of: 2)
    }
    #expect((cache.peek("a"), cache.peek("abc"), cache.count) == (.value(0), .value(2), 2))
    probe.resolver.fulfill(with: 4)
    #expect((load.result, cache.peek("abcd")) == (.value(4), nil))
    #expect(throws: Refusal.third) { try cache.removeAll { _ throws(Refusal) in throw .third } }
    #expect(cache.count == 2)
  }

  @Test("14.22 a key whose value is replaced while the predicate runs is removed")
  func removeReplaced() {
    let cache = Cache()
    cache.setValue(1, for: "a")
    cache.removeAll { key in
      cache.setValue(2, for: key)
      return true
    }
    #expect((cache.peek("a"), cache.count) == (nil, 0))
  }
}
