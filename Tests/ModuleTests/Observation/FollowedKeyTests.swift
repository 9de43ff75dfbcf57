import Observation
import Overmorrow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

@testable import OvermorrowFlow

/// Handles over a cache whose key is changed by others.
@MainActor @Suite(.checkedPromises) struct FollowedKeyTests {
  private typealias Cache = PromiseCache<String, Int, any Error>

  private let clock = TestClock()
  private let server = Server()
  private let cache: Cache
  private let load: PromiseLoad<String, Int>
  private let other: PromiseLoad<String, Int>

  init() {
    cache = Cache(capacity: 2, timeToLive: .seconds(10), staleTimeToLive: .seconds(10), clock: clock)
    load = PromiseLoad(from: cache, load: server.send)
    other = PromiseLoad(from: cache, load: server.send)
  }

  private var shown: Shown { Shown(load.phase) }
  private var watcherCount: Int { cache.core.allWatchers.count }

  private func settle() async { await clock.advance(by: .zero) }

  /// Loads a value into both handles.
  private func loadBoth(_ key: String, _ value: Int) async {
    load.load(key)
    other.load(key)
    server.answer(key, value)
    await settle()
    #expect([shown, Shown(other.phase)] == [.value(value), .value(value)])
  }

  @Test("22.12 a handle shows the value of another handle's reload, but not its loading")
  func reload() async {
    await loadBoth("a", 1)
    let told = ValueReader(load)
    other.reload()
    await settle()
    #expect(shown == .value(1) && Shown(other.phase) == .loading(1))
    server.answer("a", 2)
    await settle()
    #expect(shown == .value(2) && told.count == 1 && Shown(other.phase) == .value(2))
    #expect(server.requests == ["a", "a"])
  }

  @Test("22.12 a handle shows a value that is set, and removes its error")
  func set() async {
    load.load("a")
    server.fail("a")
    await settle()
    #expect(shown == .failed("Offline", nil))
    cache.setValue(7, for: "b")
    cache.setValue(1, for: "a")
    await settle()
    #expect(shown == .value(1))
  }

  @Test("22.12 errors of others, removals, evictions and ends of lifetimes leave the value")
  func silent() async {
    await loadBoth("a", 1)
    let told = ValueReader(load)
    other.reload()
    server.fail("a")
    await settle()
    #expect(Shown(other.phase) == .failed("Offline", 1))
    cache.remove("a")
    await settle()
    cache.setValue(1, for: "a")
    await settle()
    #expect(told.count == 1)
    for key in ["b", "c"] { cache.setValue(0, for: key) }
    await clock.advance(by: .seconds(30))
    #expect(shown == .value(1) && told.count == 1 && cache.count == 0 && server.requests == ["a", "a"])
    cache.setValue(2, for: "a")
    await settle()
    #expect(shown == .value(2) && told.count == 2)
  }

  @Test("22.12 a change of a key with the same hash tells no reader")
  func sameHash() async {
    struct Key: Hashable {
      let name: String

      func hash(into hasher: inout Hasher) {}
    }
    let cache = PromiseCache<Key, Int, Never>()
    let load = PromiseLoad(from: cache) { _ in Promise<Int, Never>(fulfilled: 1) }
    load.load(Key(name: "a"))
    await settle()
    let told = ValueReader(load)
    cache.setValue(2, for: Key(name: "b"))
    await settle()
    #expect(Shown(load.phase) == .value(1) && told.count == 0)
  }

  @Test("22.13 the value of a load is told once", arguments: [false, true])
  func once(isCached: Bool) async {
    if isCached { cache.setValue(1, for: "a") }
    await settle()
    let told = ValueReader(load)
    load.load("a")
    server.answer("a", 1)
    await settle()
    #expect(shown == .value(1) && told.count == 1)
    load.load("a")
    await settle()
    #expect(shown == .value(1) && told.count == 1)
  }

  @Test("22.13 the end of a load and its value are told together")
  func together() async {
    load.load("a")
    await settle()
    let before = Recorder<Shown>()
    withObservationTracking {
      _ = load.isLoading
    } onChange: { [load] in
      MainActor.assumeIsolated { before.record(Shown(load.phase)) }
    }
    server.answer("a", 1)
    await settle()
    #expect(before.entries == [.loading(nil)] && shown == .value(1))
  }

  @Test("22.13 a value that is set ends the running load, whose result never appears")
  func overtaken() async {
    await loadBoth("a", 1)
    let refreshed = Task { await load.refresh() }
    await until("the load") { shown == .loading(1) }
    cache.setValue(9, for: "a")
    await refreshed.value
    #expect(shown == .value(9))
    await settle()
    #expect(server.cancelled == ["a"])
    load.reload()
    other.reload()
    cache.setValue(10, for: "a")
    load.cancel()
    #expect(server.requests == ["a", "a", "a"])
    #expect(shown == .value(10))
    server.answer("a", 2)
    await settle()
    #expect([shown, Shown(other.phase)] == [.value(10), .value(10)] && cache.peek("a")?.value == 10)
  }

  @Test("22.13 a newer load of a removed key ends the older load")
  func removed() async {
    let newer = Server()
    let other = PromiseLoad(from: cache, load: newer.send)
    load.load("a")
    cache.remove("a")
    other.load("a")
    newer.answer("a", 2)
    await settle()
    #expect([shown, Shown(other.phase)] == [.value(2), .value(2)] && server.cancelled == ["a"])
  }

  @Test("22.13 a reload after a set value is not ended by this value")
  func setThenReload() async {
    await loadBoth("a", 1)
    cache.setValue(2, for: "a")
    load.reload()
    #expect(shown == .loading(2))
    await settle()
    #expect(shown == .loading(2))
    server.answer("a", 3)
    await settle()
    #expect([shown, Shown(other.phase)] == [.value(3), .value(3)])
  }

  @Test("22.14 a handle follows only the key of its input, until it is reset")
  func otherInput() async {
    await loadBoth("a", 1)
    load.load("b")
    #expect(watcherCount == 3)
    cache.setValue(2, for: "a")
    await settle()
    #expect(shown == .loading(nil))
    server.answer("b", 3)
    await settle()
    #expect(shown == .value(3) && watcherCount == 2)
    cache.setValue(4, for: "a")
    await settle()
    #expect(shown == .value(3) && Shown(other.phase) == .value(4))
    cache.setValue(5, for: "b")
    load.reset()
    await settle()
    #expect(shown == .idle && watcherCount == 1)
    cache.setValue(6, for: "b")
    await settle()
    #expect(shown == .idle)
  }

  @Test("22.14 after a cancelled load, a handle follows the key before it", arguments: ["call", "elsewhere"])
  func cancelled(_ way: String) async {
    await loadBoth("a", 1)
    load.load("b")
    cache.setValue(2, for: "a")
    await settle()
    #expect(shown == .loading(nil))
    let told = ValueReader(load)
    if way == "call" { load.cancel() } else { server.cancel("b") }
    await settle()
    #expect(shown == .value(2))
    #expect(told.count == 1)
    load.cancel()
    cache.setValue(3, for: "a")
    await settle()
    #expect(shown == .value(3) && watcherCount == 2)
  }

  @Test("22.14 a cancelled reload follows the load that others wait for")
  func cancelledReload() async {
    await loadBoth("a", 1)
    load.reload()
    other.reload()
    load.cancel()
    #expect(shown == .value(1))
    server.answer("a", 2)
    await settle()
    #expect(shown == .value(2))
  }

  @Test("22.15 an edited value stays until the key has a newer value")
  func edited() async {
    await loadBoth("a", 1)
    load.value = 5
    load.load("a")
    await settle()
    #expect(shown == .value(5))
    load.reload()
    #expect(shown == .loading(5))
    server.fail("a")
    await settle()
    #expect(shown == .failed("Offline", 5) && Shown(other.phase) == .value(1))
    other.reload()
    server.answer("a", 2)
    await settle()
    #expect(shown == .value(2))
  }

  @Test("22.15 a value that was set to nil stays until a load has ended")
  func editedToNil() async {
    await loadBoth("a", 1)
    load.value = nil
    await settle()
    #expect(shown == .idle)
    load.load("a")
    #expect(shown == .value(1))
  }

  @Test("22.16 a released handle leaves nothing in the cache, and a handle retains no entry")
  func released() async {
    let (cache, tracker) = (PromiseCache<String, Tracker.Tracked, Never>(), Tracker())
    var load: PromiseLoad<String, Tracker.Tracked>? = PromiseLoad(from: cache) { _ in
      Promise<Tracker.Tracked, Never>(fulfilled: tracker.make())
    }
    for key in ["a", "b", "c"] { load?.load(key) }
    #expect(cache.core.allWatchers.count == 1)
    cache.removeAll()
    await settle()
    #expect(tracker.count == 1)
    weak let released = load
    cache.setValue(tracker.make(), for: "c")
    load = nil
    #expect(released == nil && cache.core.allWatchers.isEmpty)
    cache.removeAll()
    await settle()
    #expect(tracker.count == 0)
  }

  @Test("22.16 several changes in one turn of the main queue are told once")
  func coalesced() async {
    await loadBoth("a", 1)
    let told = ValueReader(load)
    for number in 2...100 { cache.setValue(number, for: "a") }
    #expect(shown == .value(1))
    await settle()
    #expect(shown == .value(100) && told.count == 1)
  }

  @Test("22.16 a value that an observer sets while it is told of another one appears")
  func setByObserver() async {
    await loadBoth("a", 1)
    withObservationTracking {
      _ = load.value
    } onChange: { [cache] in
      cache.setValue(3, for: "a")
    }
    cache.setValue(2, for: "a")
    await settle()
    #expect([shown, Shown(other.phase)] == [.value(3), .value(3)])
  }
}

/// A reader of the value of a handle. It counts how often it is told.
@MainActor private final class ValueReader<Input> {
  private(set) var count = 0
  private let load: PromiseLoad<Input, Int>

  init(_ load: PromiseLoad<Input, Int>) {
    self.load = load
    read()
  }

  private func read() {
    withObservationTracking {
      _ = load.value
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        self?.count += 1
        self?.read()
      }
    }
  }
}
