import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The user code of a cache's keys and values, which must not run under a lock.
@Suite(.inTurn) struct CacheTableTests {
  /// A key that uses the cache whenever it is hashed, compared or deinitialized.
  private final class ReentrantKey: Hashable, Sendable {
    typealias Cache = PromiseCache<ReentrantKey, Tracker.Tracked, Never>
    let name: Int
    private let cache: Holder<Cache>

    init(_ name: Int, _ cache: Holder<Cache>) {
      self.name = name
      self.cache = cache
    }

    deinit { _ = cache.value?.count }

    static func == (left: ReentrantKey, right: ReentrantKey) -> Bool {
      _ = left.cache.value?.count
      return left.name == right.name
    }

    func hash(into hasher: inout Hasher) {
      _ = cache.value?.count
      hasher.combine(name)
    }
  }

  /// A key whose hash is that of all others.
  private struct SameHashKey: Hashable, Sendable {
    let name: Int

    func hash(into hasher: inout Hasher) {}
  }

  @Test("14.14 an absent key with the hash of a cached one is a miss", arguments: [false, true])
  func sameHash(isObserved: Bool) {
    let (cache, hits) = (PromiseCache<SameHashKey, Int, Never>(), Counter())
    if isObserved { cache.observeCounters { for _ in 0..<$0.hits { hits.increment() } } }
    func ask(_ name: Int) -> Int? {
      cache.promise(for: SameHashKey(name: name), on: .immediate) { Promise(fulfilled: $0.name) }.result?.value
    }
    #expect((ask(1), ask(2), ask(1), ask(2), ask(2)) == (1, 2, 1, 2, 2))
    #expect((cache.counters.hits, cache.counters.misses, cache.counters.loads) == (3, 2, 2))
    cache.remove(SameHashKey(name: 1))
    #expect((ask(2), ask(1)) == (2, 1))
    #expect((cache.counters.hits, cache.counters.misses) == (4, 3))
    #expect(hits.count == (isObserved ? 4 : 0))
    cache.removeAll()
    #expect(cache.counters.hits == 4)
  }

  @Test("14.7 a cache holds no lock while it hashes keys or releases entries")
  func reentrantKeys() async throws {
    let isDone = try await onOwnThread("keys and values that use their cache") {
      let (holder, tracker) = (Holder(ReentrantKey.Cache()), Tracker())
      guard let cache = holder.value else { return false }
      for _ in 0..<2 {
        for name in 0..<20 {
          _ = cache.promise(for: ReentrantKey(name, holder), on: .immediate) { _ in
            Promise(fulfilled: tracker.make { _ = holder.value?.count })
          }
        }
      }
      #expect((cache.count, tracker.count) == (20, 20))
      cache.remove(ReentrantKey(3, holder))
      #expect(cache.peek(ReentrantKey(3, holder)) == nil && tracker.count == 19)
      cache.removeAll()
      defer { holder.value = nil }
      return cache.count == 0 && tracker.count == 0
    }
    #expect(isDone)
  }

  /// A key that calls a closure when it is compared for the first time, that is, between the lookup and the start of a
  /// load. All keys have the same hash.
  private final class InterruptingKey: Hashable, Sendable {
    private let name: String
    private let comparisons = Counter()
    private let first: @Sendable () -> Void

    init(_ name: String = "a", _ first: @escaping @Sendable () -> Void = {}) {
      self.name = name
      self.first = first
    }

    static func == (left: InterruptingKey, right: InterruptingKey) -> Bool {
      if right.comparisons.increment() == 1 { right.first() }
      return left.name == right.name
    }

    func hash(into hasher: inout Hasher) {}
  }

  @Test("14.1 a caller overtaken between lookup and load shares the other caller's load")
  func overtaken() async throws {
    let found = try await diagnostics {
      let (cache, calls) = (PromiseCache<InterruptingKey, Int, Never>(), Recorder<Int>())
      @Sendable func ask(_ key: InterruptingKey, _ number: Int) -> Promise<Int, Never> {
        cache.promise(for: key, on: .immediate) { _ in
          calls.record(number)
          return Promise(fulfilled: number)
        }
      }
      // The key of this entry is compared with the other keys.
      _ = cache.promise(for: InterruptingKey("b"), on: .immediate) { _ in Promise(fulfilled: 0) }
      let promise = ask(InterruptingKey("a") { #expect(ask(InterruptingKey(), 2).result == .value(2)) }, 1)
      cache.remove(InterruptingKey("b"))
      #expect(promise.result == .value(2))
      #expect((calls.entries, cache.count) == ([2], 1))
    }
    #expect(found == [])
  }

  /// A key with the same hash as all others of its type.
  private struct Colliding: Hashable, Sendable {
    let name: Int
    func hash(into hasher: inout Hasher) {}
  }

  @Test("14.1 a key that is not equal to itself is loaded each time")
  func unequalKey() {
    let cache = PromiseCache<Double, Int, Refusal>()
    for number in 0..<3 {
      let promise = cache.promise(for: .nan, on: .immediate) { _ in Promise(fulfilled: number) }
      #expect(promise.result == .value(number))
    }
    _ = cache.promise(for: .nan, on: .immediate) { _ in Promise(rejected: .first) }
    cache.remove(.nan)
    #expect(cache.peek(.nan) == nil)
    #expect(cache.count == 3, "what failed is gone")
    cache.removeAll()
    #expect(cache.count == 0)
  }

  @Test("14.1 many keys with the same hash are loaded once each and removed separately")
  func races() async {
    struct Round: Sendable {
      let cache = PromiseCache<Colliding, Int, Never>()
      let calls = Counter()
      let promises = Recorder<(name: Int, promise: Promise<Int, Never>)>()

      func ask(_ names: some Sequence<Int>) {
        for name in names {
          let promise = cache.promise(for: Colliding(name: name), on: .immediate) { key in
            calls.increment()
            return Promise(fulfilled: key.name)
          }
          promises.record((name, promise))
        }
      }
    }
    await race(
      rounds: 1000, { Round() }, { $0.ask(0..<12) }, { $0.ask((0..<12).reversed()) },
      check: { round in
        for (name, promise) in round.promises.entries where promise.result != .value(name) {
          return "\(name): \(promise)"
        }
        if round.calls.count != 12 || round.cache.count != 12 { return "\(round.calls.count) loads" }
        round.cache.remove(Colliding(name: 4))
        let kept = (0..<12).filter { round.cache.peek(Colliding(name: $0)) == .value($0) }
        return round.cache.count == 11 && kept == (0..<12).filter { $0 != 4 } ? nil : "kept \(kept)"
      })
  }
}
