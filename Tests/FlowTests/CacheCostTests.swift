import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// A limit of the sum of the costs of a cache's values. In most tests, the cost of a value is the value itself.
@Suite(.inTurn) struct CacheCostTests {
  private typealias Cache = PromiseCache<String, Int, Refusal>

  private let clock = TestClock()

  @discardableResult
  private func ask(_ cache: Cache, _ key: String, _ answer: Subject) -> PromiseResult<Int, Refusal>? {
    cache.promise(for: key, on: .immediate) { _ in answer }.result
  }

  private func keys(_ cache: Cache) -> String { "abcdef".filter { cache.peek(String($0)) != nil } }

  @Test("14.23 the least recently used values are removed until a new value fits")
  func leastRecentlyUsed() {
    let cache = Cache(totalCostLimit: 10) { $0 }
    ask(cache, "a", Subject(fulfilled: 4))
    ask(cache, "b", Subject(fulfilled: 3))
    cache.setValue(3, for: "c")
    #expect((keys(cache), cache.totalCost) == ("abc", 10))
    ask(cache, "a", Subject(fulfilled: 0))
    cache.setValue(5, for: "d")
    #expect((keys(cache), cache.totalCost, cache.count) == ("ad", 9, 2))
    cache.remove("a")
    #expect(cache.totalCost == 5)
    cache.setValue(1, for: "d")
    #expect(cache.totalCost == 1)
    cache.removeAll()
    #expect((cache.totalCost, cache.count) == (0, 0))
  }

  @Test("14.23 the arrival of a value adds its cost, and counts as a use")
  func arrival() {
    let (cache, probe) = (Cache(totalCostLimit: 10) { $0 }, Probe())
    let waiting = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    for key in ["b", "c"] { cache.setValue(5, for: key) }
    #expect((cache.count, cache.totalCost) == (3, 10))
    probe.resolver.fulfill(with: 5)
    #expect((waiting.result, keys(cache), cache.totalCost) == (.value(5), "ac", 10))
    cache.setValue(5, for: "d")
    #expect(keys(cache) == "ad")
  }

  @Test("14.23 loads in flight, errors and free values are not removed because of the limit")
  func free() {
    let (cache, probe) = (Cache(totalCostLimit: 10, failureTimeToLive: nil) { $0 }, Probe())
    let waiting = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    ask(cache, "b", Subject(rejected: .first))
    cache.setValue(0, for: "c")
    for number in 0..<20 { cache.setValue(10, for: "d\(number)") }
    #expect((keys(cache), cache.count, cache.totalCost) == ("bc", 4, 10))
    probe.resolver.fulfill(with: 10)
    #expect((waiting.result, keys(cache), cache.totalCost) == (.value(10), "abc", 10))
  }

  @Test("14.24 a value that exceeds the limit is passed on and not kept", arguments: [false, true])
  func tooCostly(isLate: Bool) {
    let (cache, probe) = (Cache(totalCostLimit: 10) { $0 }, Probe())
    cache.setValue(7, for: "b")
    let promise = cache.promise(for: "a", on: .immediate) { _ in
      isLate ? probe.take() : Subject(fulfilled: 11)
    }
    if isLate { probe.resolver.fulfill(with: 11) }
    #expect((promise.result, keys(cache), cache.count, cache.totalCost) == (.value(11), "b", 1, 7))
    cache.setValue(11, for: "b")
    #expect((keys(cache), cache.count, cache.totalCost) == ("", 0, 0))
  }

  @Test("14.23 14.24 the cost of a stale value counts until a new value replaces it")
  func stale() {
    let cache = Cache(
      totalCostLimit: 10, timeToLive: .seconds(1), staleTimeToLive: .seconds(9), clock: clock
    ) { $0 }
    ask(cache, "a", Subject(fulfilled: 6))
    clock.advance(by: .seconds(1))
    let probe = Probe()
    #expect(ask(cache, "a", probe.take()) == .value(6))
    #expect(cache.totalCost == 6)
    cache.setValue(4, for: "b")
    #expect(keys(cache) == "ab")
    // The load fails, so the stale value stays, and its cost.
    probe.resolver.reject(with: .first)
    #expect((keys(cache), cache.totalCost) == ("ab", 10))
    #expect(ask(cache, "a", Subject(fulfilled: 7)) == .value(6))
    #expect((keys(cache), cache.totalCost) == ("a", 7))
    clock.advance(by: .seconds(1))
    #expect(ask(cache, "a", Subject(fulfilled: 11)) == .value(7))
    #expect((keys(cache), cache.count, cache.totalCost) == ("", 0, 0))
  }

  @Test("14.23 the limit removes the stale value of a load, and not the load")
  func staleRemoved() {
    let cache = Cache(
      totalCostLimit: 10, timeToLive: .seconds(1), staleTimeToLive: .seconds(9), clock: clock
    ) { $0 }
    let probe = Probe()
    ask(cache, "a", Subject(fulfilled: 5))
    clock.advance(by: .seconds(1))
    ask(cache, "a", probe.take())
    cache.setValue(8, for: "b")
    #expect((keys(cache), cache.count, cache.totalCost) == ("b", 2, 8))
    let joined = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 0) }
    probe.resolver.fulfill(with: 1)
    #expect((joined.result, keys(cache), cache.totalCost) == (.value(1), "ab", 9))
  }

  @Test("14.23 a value that a load replaces while it arrives is charged")
  func replacedWhileArriving() {
    final class Item: Sendable {
      let cost: Int
      let onRelease: @Sendable () -> Void
      init(_ cost: Int, _ onRelease: @escaping @Sendable () -> Void = {}) {
        (self.cost, self.onRelease) = (cost, onRelease)
      }
      deinit { onRelease() }
    }
    let cache = PromiseCache<String, Item, Refusal>(
      totalCostLimit: 10, timeToLive: .zero, staleTimeToLive: nil, cost: \.cost)
    let (loading, resolver) = Promise<Item, Refusal>.makeWithResolver()
    // The eviction of "a" begins a load of "b", which replaces the value of "b" before it is charged.
    cache.setValue(Item(10) { _ = cache.promise(for: "b", on: .immediate) { _ in loading } }, for: "a")
    cache.setValue(Item(10), for: "b")
    #expect(cache.totalCost == 10)
    resolver.reject(with: .first)
    cache.setValue(Item(10), for: "c")
    #expect(["a", "b", "c"].map { cache.peek($0) != nil } == [false, false, true])
    #expect((cache.count, cache.totalCost) == (1, 10))
  }

  @Test("14.23 the arrival of a value counts as a use for the capacity, too")
  func arrivalBesideCapacity() {
    let (cache, probe) = (Cache(totalCostLimit: 100, capacity: 2) { $0 }, Probe())
    let waiting = cache.promise(for: "a", on: .immediate) { _ in probe.take() }
    cache.setValue(1, for: "b")
    probe.resolver.fulfill(with: 1)
    cache.setValue(1, for: "c")
    #expect((waiting.result, keys(cache)) == (.value(1), "ac"))
  }

  @Test("14.11 14.23 the end of a stale value ends its cost while its load continues")
  func staleEnd() async {
    let cache = Cache(
      totalCostLimit: 10, timeToLive: .seconds(1), staleTimeToLive: .seconds(9), clock: clock
    ) { $0 }
    let probe = Probe()
    ask(cache, "a", Subject(fulfilled: 6))
    await clock.advance(by: .seconds(1))
    ask(cache, "a", probe.take())
    await clock.advance(by: .seconds(9))
    #expect((cache.count, cache.totalCost) == (1, 0))
    probe.resolver.fulfill(with: 3)
    #expect((keys(cache), cache.totalCost) == ("a", 3))
  }

  @Test("14.23 one value replaces thousands of cheaper values")
  func many() {
    let (cache, count) = (PromiseCache<Int, Int, Never>(totalCostLimit: scaled(100_000)) { $0 }, scaled(100_000))
    for key in 0..<count { cache.setValue(1, for: key) }
    #expect((cache.count, cache.totalCost) == (count, count))
    cache.setValue(count - 1, for: -1)
    #expect((cache.count, cache.totalCost) == (2, count))
    #expect(cache.peek(count - 1) == .value(1))
  }

  @Test("14.23 14.24 15.12 negative limits and costs count as zero, and are reported")
  func negative() async throws {
    let found = try await diagnostics {
      let cache = Cache(totalCostLimit: -1) { $0 }
      cache.setValue(1, for: "a")
      cache.setValue(-2, for: "b")
      #expect((keys(cache), cache.totalCost) == ("b", 0))
    }
    let texts = ["PromiseCache.totalCostLimit: -1 counts as 0", "PromiseCache.cost: -2 counts as 0"]
    #expect(found == texts.map { .invalidArgument($0) })
    let largest = Cache(totalCostLimit: .max) { $0 }
    for key in ["a", "b"] { largest.setValue(.max, for: key) }
    #expect((keys(largest), largest.totalCost) == ("b", .max))
  }

  @Test("14.24 the cost of a value is asked for once, and may use the cache")
  func reentrant() {
    let (holder, calls) = (Holder<Cache>(), Counter())
    let cache = Cache(totalCostLimit: 10, capacity: 2) { value in
      calls.increment()
      if calls.count < 5 { holder.value?.setValue(value + 1, for: "b") }
      return value
    }
    holder.value = cache
    defer { holder.value = nil }
    ask(cache, "a", Subject(fulfilled: 1))
    #expect((keys(cache), cache.totalCost, calls.count) == ("ab", 3, 5))
    for _ in 0..<3 { ask(cache, "a", Subject(fulfilled: 1)) }
    #expect(calls.count == 5)
  }

  @Test("14.23 threads that fill a cache never exceed the limit of costs")
  func races() async {
    struct Round: Sendable {
      let cache = PromiseCache<Int, Int, Refusal>(
        totalCostLimit: 20, capacity: 6, timeToLive: .seconds(60), staleTimeToLive: nil
      ) { $0 }
      let sums = Recorder<Int>()

      func use(_ keys: some Sequence<Int>) {
        for key in keys {
          switch key % 4 {
          case 0: cache.setValue(key, for: key)
          case 1: cache.remove(key - 1)
          case 2:
            _ = cache.promise(for: key, on: .immediate) { key in
              cache.remove(key)
              return Promise(fulfilled: key)
            }
          default: _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }
          }
          sums.record(cache.totalCost)
        }
      }
    }
    await race(
      rounds: 1000, { Round() }, { $0.use(0..<12) }, { $0.use((0..<12).reversed()) },
      check: { round in
        let kept = (0..<12).compactMap { round.cache.peek($0)?.value }
        if kept.reduce(0, +) != round.cache.totalCost { return "\(kept), and not \(round.cache.totalCost)" }
        round.cache.removeAll()
        if round.cache.totalCost != 0 { return "a cost is left" }
        return round.sums.entries.allSatisfy { 0...20 ~= $0 } ? nil : "\(round.sums.entries)"
      })
  }
}
