import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

@MainActor @Suite(.checkedPromises) struct CachedLoadTests {
  private let clock = TestClock()
  private let server = Server()
  private let cache: PromiseCache<String, Int, any Error>
  private let load: PromiseLoad<String, Int>

  init() {
    cache = PromiseCache(timeToLive: .seconds(10), staleTimeToLive: .seconds(10), clock: clock)
    load = PromiseLoad(from: cache, load: server.send)
  }

  private var shown: Shown { Shown(load.phase) }

  private func settle() async { await clock.advance(by: .zero) }

  @Test("22.10 a cached value appears inside the call, without a load")
  func fresh() async {
    cache.setValue(1, for: "a")
    #expect(changes(of: load) { load.load("a") } == ["value", "phase"])
    #expect(shown == .value(1) && server.requests.isEmpty)
  }

  @Test("22.10 a stale value appears at once, and the fresh value replaces it")
  func stale() async {
    cache.setValue(1, for: "a")
    await clock.advance(by: .seconds(11))
    load.load("a")
    #expect(shown == .loading(1))
    await settle()
    server.answer("a", 2)
    await settle()
    #expect(shown == .value(2))
    #expect(cache.peek("a")?.value == 2)
  }

  @Test("22.10 a failed load leaves the stale value")
  func failed() async {
    cache.setValue(1, for: "a")
    await clock.advance(by: .seconds(11))
    load.load("a")
    await settle()
    server.fail("a")
    await settle()
    #expect(shown == .failed("Offline", 1))
  }

  @Test("22.10 two handles share a load, which ends with the last of them")
  func shared() async {
    let other = PromiseLoad(from: cache, load: server.send)
    load.load("a")
    other.load("a")
    await settle()
    #expect(server.requests == ["a"])
    load.cancel()
    await settle()
    #expect(server.cancelled.isEmpty && Shown(other.phase) == .loading(nil))
    other.cancel()
    await settle()
    #expect(server.cancelled == ["a"])
  }

  @Test("22.10 reload loads a fresh value again, and the cache keeps the old one meanwhile")
  func reload() async {
    cache.setValue(1, for: "a")
    load.load("a")
    load.reload()
    #expect(server.requests == ["a"] && shown == .loading(1))
    #expect(cache.peek("a")?.value == 1)
    server.answer("a", 2)
    await settle()
    #expect(shown == .value(2) && cache.peek("a")?.value == 2)
    load.reload()
    server.fail("a")
    await settle()
    #expect(shown == .failed("Offline", 2) && cache.peek("a")?.value == 2)
  }

  @Test("22.10 reload joins a load in flight")
  func joins() async {
    let other = PromiseLoad(from: cache, load: server.send)
    other.load("a")
    load.load("a")
    load.reload()
    await settle()
    #expect(server.requests == ["a"])
    server.answer("a", 1)
    await settle()
    #expect(shown == .value(1))
  }

  @Test("22.5 22.10 a reload of the only handle does not cancel the load in between")
  func reloadInFlight() async {
    load.load("a")
    load.reload()
    await settle()
    #expect(server.requests == ["a"] && server.cancelled.isEmpty && shown == .loading(nil))
  }

  @Test("22.10 two reloads of a key send one request, and later callers join it")
  func twoReloads() async {
    let other = PromiseLoad(from: cache, load: server.send)
    cache.setValue(1, for: "a")
    load.load("a")
    other.load("a")
    load.reload()
    other.reload()
    await settle()
    #expect(server.requests == ["a"])
    server.answer("a", 2)
    await settle()
    #expect([shown, Shown(other.phase)] == [.value(2), .value(2)] && cache.counters.loads == 1)
  }

  @Test("22.10 the value of a reload is not kept after the key was removed")
  func removedWhileReloading() async {
    cache.setValue(1, for: "a")
    load.load("a")
    load.reload()
    cache.removeAll()
    server.answer("a", 2)
    await settle()
    #expect(shown == .value(2) && cache.peek("a") == nil)
  }

  @Test("22.4 a load that is cancelled after its stale value shows what was shown before")
  func cancelledAfterStale() async {
    cache.setValue(1, for: "a")
    await clock.advance(by: .seconds(11))
    load.load("a")
    #expect(shown == .loading(1))
    load.cancel()
    await settle()
    #expect(shown == .idle && server.cancelled == ["a"] && cache.peek("a")?.value == 1)
  }

  @Test("22.10 a kept error appears beside the stale value, without a load")
  func keptError() async {
    let cache = PromiseCache<String, Int, any Error>(
      timeToLive: .seconds(10), failureTimeToLive: .seconds(5), staleTimeToLive: .seconds(60), clock: clock)
    let load = PromiseLoad(from: cache, load: server.send)
    cache.setValue(1, for: "a")
    await clock.advance(by: .seconds(11))
    load.load("a")
    server.fail("a")
    await settle()
    #expect(Shown(load.phase) == .failed("Offline", 1))
    load.load("a")
    #expect(Shown(load.phase) == .failed("Offline", 1) && server.requests == ["a"])
    load.reload()
    #expect(Shown(load.phase) == .loading(1) && server.requests == ["a", "a"])
  }

  @Test("22.10 a cache that keeps no values shares only loads in flight")
  func zeroLifetime() async {
    let cache = PromiseCache<String, Int, any Error>(timeToLive: .zero, clock: clock)
    let loads = (0..<2).map { _ in PromiseLoad(from: cache, load: server.send) }
    for load in loads { load.load("a") }
    server.answer("a", 1)
    await settle()
    #expect(loads.map { Shown($0.phase) } == [.value(1), .value(1)])
    loads[0].load("a")
    #expect(Shown(loads[0].phase) == .loading(1) && server.requests == ["a", "a"])
  }

  @Test("22.2 22.10 a promise that is already resolved appears inside the call")
  func resolved() {
    let load = PromiseLoad<Int, Int>(from: PromiseCache<Int, Int, any Error>()) { key in Promise(fulfilled: key) }
    #expect(changes(of: load) { load.load(3) } == ["value", "phase"])
    #expect(Shown(load.phase) == .value(3))
  }

  @Test("22.10 an async load of a cache is shared by its handles")
  func async() async {
    let (server, cache) = (server, cache)
    let loads = (0..<2).map { _ in PromiseLoad(from: cache) { key in try await server.send(key).value } }
    for load in loads { load.load("a") }
    await until("the first request") { server.requests == ["a"] }
    server.answer("a", 1)
    await until("its value") { loads.map { Shown($0.phase) } == [.value(1), .value(1)] }
    loads[0].reload()
    await until("the second request") { server.requests == ["a", "a"] }
    server.answer("a", 2)
    await until("the new value") { Shown(loads[0].phase) == .value(2) }
    #expect(cache.peek("a")?.value == 2)
  }
}
