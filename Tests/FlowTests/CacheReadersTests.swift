import Testing

@testable import Overmorrow
@testable import OvermorrowEngine
@testable import OvermorrowFlow

/// Caches whose hits take no common lock, because threads have often met there.
@Suite(.heavy) struct CacheReadersTests {
  private typealias Cache = PromiseCache<Int, Int, Never>

  /// A cache, and the calls of all threads.
  private struct Round: Sendable {
    let cache: Cache
    let loads = Counter()
    /// The promises of calls that have joined a load of another thread, or that have a wrong value.
    let joined = Recorder<(key: Int, promise: Promise<Int, Never>)>()

    init(timeToLive: Duration? = nil) {
      cache = Cache(timeToLive: timeToLive)
      cache.core.state.openForReaders()
    }

    /// Asks for keys. The value of a key is the key, plus a multiple of 1000.
    func ask(_ keys: some Sequence<Int>) {
      for key in keys {
        let promise = cache.promise(for: key, on: .immediate) { key in
          loads.increment()
          return Promise(fulfilled: key)
        }
        if promise.result?.value.map({ $0 % 1000 }) != key { joined.record((key, promise)) }
      }
    }

    /// Returns what is wrong after a number of calls of ``ask(_:)``.
    func difference(calls: Int) -> String? {
      for (key, promise) in joined.entries where promise.result?.value.map({ $0 % 1000 }) != key {
        return "\(key): \(promise)"
      }
      let counters = cache.counters
      if counters.hits + counters.misses != calls { return "\(calls) calls, but \(counters)" }
      if (counters.misses, counters.loads) != (loads.count, loads.count) { return "\(loads.count) loads: \(counters)" }
      let lines = cache.core.lines.count
      return cache.count == lines ? nil : "\(cache.count) keys, but \(lines) entries"
    }
  }

  private static let keys = 0..<64

  @Test("14.1 14.14 threads that ask for many keys load each once and count each call", arguments: [nil, 600])
  func manyKeys(timeToLive: Int?) async {
    await race(
      rounds: 300, { Round(timeToLive: timeToLive.map { .seconds($0) }) },
      { round in
        round.ask(Self.keys)
        round.cache.core.state.openForReaders()
        round.ask(Self.keys)
      },
      { round in for _ in 0..<2 { round.ask(Self.keys.reversed()) } },
      { round in for _ in 0..<2 { round.ask(Self.keys) } },
      check: { round in
        if round.loads.count != Self.keys.count { return "\(round.loads.count) loads" }
        return round.difference(calls: 6 * Self.keys.count)
      })
  }

  @Test("14.1 14.14 threads that ask for one key load it once and count each call")
  func oneKey() async {
    let keys = Array(repeating: 1, count: 200)
    await race(
      rounds: 300, { Round() }, { $0.ask(keys) }, { $0.ask(keys) },
      { round in
        for _ in 0..<20 {
          round.cache.core.state.openForReaders()
          round.ask(keys.prefix(10))
        }
      },
      check: { round in round.loads.count == 1 ? round.difference(calls: 600) : "\(round.loads.count) loads" })
  }

  @Test("14.6 14.14 14.21 14.22 removals and set values beside hits lose neither a call nor an entry")
  func changes() async {
    await race(
      rounds: 300, { Round() },
      { round in for _ in 0..<3 { round.ask(Self.keys) } }, { round in for _ in 0..<3 { round.ask(Self.keys) } },
      { round in
        for key in Self.keys {
          switch key % 8 {
          case 0: round.cache.removeAll()
          case 1: round.cache.removeAll { $0 % 2 == 0 }
          case 2: round.cache.remove(key)
          case 3, 4: round.cache.setValue(1000 + key, for: key)
          default: round.cache.core.state.openForReaders()
          }
        }
        round.cache.setValue(5007, for: 7)
      },
      check: { round in
        if round.cache.peek(7) != .value(5007) { return "the value that was set last is lost" }
        if let difference = round.difference(calls: 6 * Self.keys.count) { return difference }
        round.cache.removeAll()
        return round.cache.count == 0 ? nil : "\(round.cache.count) keys after the removal of all"
      })
  }

  @Test("14.14 an observer set beside hits receives each later hit, and the counters contain all")
  func observed() async {
    struct Observed: Sendable {
      let round = Round()
      let hits = Counter()
      /// The hits that the observer received during the last calls of the thread that has set it.
      let ownHits = Counter()
    }
    await race(
      rounds: 300, { Observed() }, { $0.round.ask(Self.keys) }, { $0.round.ask(Self.keys) },
      { observed in
        observed.round.ask(Self.keys)
        observed.round.cache.observeCounters { for _ in 0..<$0.hits { observed.hits.increment() } }
        observed.round.cache.core.state.openForReaders()
        let before = observed.hits.count
        observed.round.ask(Self.keys)
        for _ in before..<observed.hits.count { observed.ownHits.increment() }
      },
      check: { observed in
        if observed.ownHits.count < Self.keys.count { return "\(observed.ownHits.count) hits of the thread observed" }
        let before = observed.hits.count
        observed.round.ask(Self.keys)
        if observed.hits.count - before != Self.keys.count { return "\(observed.hits.count - before) hits observed" }
        return observed.round.difference(calls: 5 * Self.keys.count)
      })
  }

  @Test("14.12 a cache with an order is never open for readers", arguments: [true, false])
  func ordered(hasCapacity: Bool) {
    let cache = hasCapacity ? Cache(capacity: 2) : Cache(totalCostLimit: 2) { _ in 1 }
    for key in [1, 2, 1, 3] {
      cache.core.state.openForReaders()
      let isOpen = cache.core.state.isOpenForReaders
      #expect(!isOpen)
      _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }
    }
    #expect(cache.peek(1) == .value(1) && cache.peek(2) == nil && cache.counters.hits == 1)
  }
}
