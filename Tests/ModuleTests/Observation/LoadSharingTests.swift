import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

/// Loads that several tasks wait for, and values that change during a load.
@MainActor @Suite(.checkedPromises) struct LoadSharingTests {
  private let clock = TestClock()
  private let server = Server()
  private let load: PromiseLoad<String, Int>

  init() {
    load = PromiseLoad(server.send)
    load.keepsPreviousValue = true
  }

  private var shown: Shown { Shown(load.phase) }

  /// Runs the callbacks that have been submitted.
  private func settle() async { await clock.advance(by: .zero) }

  @Test("22.17 a load lasts as long as one of the tasks that wait for it")
  func shared() async {
    let (first, second) = (Task { await load.run("a") }, Task { await load.run("a") })
    await settle()
    #expect(server.requests == ["a"])
    first.cancel()
    await first.value
    await settle()
    #expect(shown == .loading(nil) && server.cancelled.isEmpty)
    server.answer("a", 1)
    await second.value
    #expect(shown == .value(1))
    // The last task that leaves cancels the load, unless a call without a task has started it.
    let both = [Task { await load.run("b") }, Task { await load.run("b") }]
    await settle()
    for task in both { task.cancel() }
    for task in both { await task.value }
    await settle()
    #expect(shown == .value(1) && server.cancelled == ["b"])
    load.load("c")
    let joined = Task { await load.run("c") }
    await settle()
    joined.cancel()
    await joined.value
    #expect(shown == .loading(1) && server.requests == ["a", "b", "c"])
    load.reset()
  }

  @Test("22.18 an edit during a load also changes the value that the load brings")
  func edited() async {
    load.edit { $0 += 1 }
    #expect(shown == .idle)
    load.load("a")
    load.edit { $0 += 10 }
    #expect(changes(of: load) { server.answer("a", 1) } == [])
    await settle()
    #expect(shown == .value(11))
    #expect(changes(of: load) { load.edit { $0 += 100 } } == ["value", "phase"])
    load.load("b")
    load.edit { $0 += 1000 }
    #expect(shown == .loading(1111))
    load.cancel()
    #expect(shown == .value(1111))
    load.load("c")
    server.answer("c", 5)
    await settle()
    #expect(shown == .value(5))
  }

  @Test("22.18 an edit stays when a load of a cache arrives through the followed key")
  func editedOverCache() async {
    let (server, cache) = (server, PromiseCache<String, Int, any Error>())
    let load = PromiseLoad(from: cache) { request in server.send(request) }
    load.load("a")
    server.answer("a", 1)
    await settle()
    load.reload()
    load.edit { $0 = -7 }
    server.answer("a", 2)
    await settle()
    #expect(Shown(load.phase) == .value(-7))
    cache.setValue(3, for: "a")
    await settle()
    #expect(Shown(load.phase) == .value(3))
  }

  @Test("2.16 22.2 inside many nested callbacks, a resolved promise appears inside the call")
  func nestedCallbacks() {
    let told = Recorder<Set<String>>()
    @Sendable func nest(_ depth: Int) {
      if depth > 0 {
        Promise<Int, Never>(fulfilled: depth).then(on: .immediate) { _ in nest(depth - 1) }
      } else {
        MainActor.assumeIsolated {
          let cached = PromiseLoad<Int, Int> { Promise<Int, Never>(fulfilled: $0) }
          told.record(changes(of: cached) { cached.load(3) })
        }
      }
    }
    for depth in [1, 23, 24, 25, 100] { nest(depth) }
    #expect(told.entries == Array(repeating: ["value", "phase"], count: 5))
  }
}
