import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The values of one key as they change.
@Suite(.inTurn) struct CacheObservingTests {
  private typealias Cache = PromiseCache<String, Int, Refusal>

  private let clock = TestClock()

  /// Returns the elements that a sequence has until its cache is released.
  private func rest(_ values: AsyncStream<Int>) async -> [Int] {
    await values.reduce(into: []) { $0.append($1) }
  }

  @Test("14.29 14.31 an observer gets the cached value, each later one, and the end")
  func values() async {
    var cache: Cache? = Cache()
    cache?.setValue(1, for: "a")
    guard let values = cache?.values(for: "a") else { return }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    cache?.setValue(7, for: "b")
    cache?.setValue(2, for: "a")
    #expect(await iterator.next() == 2)
    cache?.remove("a")
    let probe = Probe()
    _ = cache?.promise(for: "a", on: .immediate) { _ in probe.take() }
    probe.resolver.fulfill(with: 3)
    #expect(await iterator.next() == 3)
    cache?.removeAll()
    _ = cache?.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 4) }
    #expect(await iterator.next() == 4)
    cache = nil
    #expect(await iterator.next() == nil)
  }

  /// A key with the hash of all other keys. The comparison of two keys "a" runs a closure of the test.
  private struct Key: Hashable {
    static let onComparison = Holder<@Sendable () -> Void>()
    let name: String

    func hash(into hasher: inout Hasher) {}

    static func == (one: Key, other: Key) -> Bool {
      if one.name == "a", other.name == "a" { onComparison.value?() }
      return one.name == other.name
    }
  }

  /// Whether the code runs inside the call that the test makes. A queue does not inherit the value.
  @TaskLocal private static var isCaller = false

  @Test("14.29 14.30 a caller leaves the changes that others make meanwhile to a queue")
  func manyChanges() async {
    let (cache, calls) = (PromiseCache<Key, Int, Never>(), Recorder<Bool>())
    cache.setValue(0, for: Key(name: "a"))
    let values = cache.values(for: Key(name: "a"))
    // An observer looks for its key after a change of any key with the hash. Each time, there is another change.
    Key.onComparison.value = {
      let number = calls.entries.count
      if number == 1000 { return }
      calls.record(Self.isCaller)
      cache.setValue(number, for: Key(name: "b"))
    }
    Self.$isCaller.withValue(true) { cache.setValue(-1, for: Key(name: "b")) }
    await until("the last change") { calls.entries.count == 1000 }
    Key.onComparison.value = nil
    #expect(calls.entries.prefix { $0 }.count == 100)
    #expect(!calls.entries.dropFirst(100).contains(true))
    withExtendedLifetime(values) {}
  }

  @Test("14.29 an observer that does not read keeps only the newest value")
  func newest() async {
    var cache: Cache? = Cache()
    let lists = cache.map { cache in [cache.values(for: "a"), cache.values(for: "b"), cache.values(for: "a")] } ?? []
    for number in 0..<100 { cache?.setValue(number, for: "a") }
    cache?.remove("a")
    #expect(cache?.counters.hits == 0)
    cache = nil
    var found: [[Int]] = []
    for list in lists { found.append(await rest(list)) }
    #expect(found == [[99], [], [99]])
  }

  @Test("14.29 errors, ends of lifetimes and values that are not kept add nothing")
  func silent() async {
    var cache: Cache? = Cache(
      totalCostLimit: 10, timeToLive: .seconds(1), failureTimeToLive: nil, staleTimeToLive: .seconds(9), clock: clock
    ) { $0 }
    let (values, probe) = (cache?.values(for: "a"), Probe())
    cache?.setValue(5, for: "a")
    var iterator = values?.makeAsyncIterator()
    #expect(await iterator?.next() == 5)
    await clock.advance(by: .seconds(1))
    // The old value is returned, and the load fails.
    #expect(cache?.promise(for: "a", on: .immediate) { _ in probe.take() }.result == .value(5))
    probe.resolver.reject(with: .first)
    await clock.advance(by: .seconds(9))
    #expect(cache?.peek("a") == .error(.first))
    cache?.setValue(11, for: "a")
    #expect(cache?.count == 0)
    cache?.setValue(6, for: "a")
    #expect(await iterator?.next() == 6)
    cache = nil
    #expect(await iterator?.next() == nil)
  }

  @Test("14.31 an observer that has ended leaves nothing behind", arguments: [false, true])
  func ended(isIterated: Bool) async {
    let (cache, tracker) = (PromiseCache<String, Tracker.Tracked, Refusal>(), Tracker())
    let begun = Latch()
    var values: AsyncStream<Tracker.Tracked>? = cache.values(for: "a")
    #expect(cache.core.watcherCount == 1)
    if isIterated, let stream = values {
      cache.setValue(tracker.make(), for: "a")
      let task = Task {
        for await _ in stream { begun.signal() }
      }
      await begun.wait(for: "the first value")
      task.cancel()
      await task.value
    }
    values = nil
    cache.setValue(tracker.make(), for: "a")
    #expect((cache.core.watcherCount, tracker.count) == (0, 1))
    cache.removeAll()
    #expect((tracker.count, values == nil) == (0, true))
  }

  @Test("14.30 after a race of values, each observer has the cached value last")
  func races() async {
    struct Round: Sendable {
      let cache = PromiseCache<Int, Int, Refusal>(timeToLive: .seconds(60), staleTimeToLive: nil)
      let streams: [AsyncStream<Int>]

      init() { streams = [cache.values(for: 1), cache.values(for: 1)] }

      func set(_ numbers: Range<Int>) {
        for number in numbers {
          if number % 3 == 0 { cache.remove(1) }
          if number.isMultiple(of: 2) {
            cache.setValue(number, for: 1)
          } else {
            _ = cache.promise(for: 1, on: .immediate) { _ in Promise(fulfilled: number) }
          }
        }
      }
    }
    for _ in 0..<scaled(20_000) / 20 {
      let streams: [AsyncStream<Int>]
      let last: Int?
      do {
        let round = Round()
        async let left: Void = round.set(0..<5)
        async let right: Void = round.set(5..<11)
        _ = await (left, right)
        (streams, last) = (round.streams, round.cache.peek(1)?.value)
      }
      for stream in streams {
        let found = await rest(stream)
        guard found == [last] else {
          Issue.record("the observer has \(found), and the cache \(last as Int?)")
          return
        }
      }
    }
  }
}

extension CacheCore {
  /// The number of observers.
  fileprivate var watcherCount: Int { allWatchers.count }
}
