import Observation
import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

@MainActor @Suite(.checkedPromises) struct PromiseLoadTests {
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

  @Test("22.1 a load shows loading, then its value, and each reader is told once")
  func value() async {
    #expect(shown == .idle)
    #expect(changes(of: load) { load.load("a") } == ["isLoading", "phase"])
    #expect(shown == .loading(nil))
    server.answer("a", 1)
    await settle()
    #expect(shown == .value(1))
    #expect(changes(of: load) { load.load("b") } == ["isLoading", "phase"])
    #expect(shown == .loading(1))
    #expect(changes(of: load) { load.load("c") } == [])
    server.answer("c", 2)
    await settle()
    #expect(shown == .value(2) && load.value == 2 && !load.isLoading && load.error == nil)
  }

  @Test("22.1 the readers of the value are not told of an error")
  func error() async {
    load.load("a")
    server.answer("a", 1)
    await settle()
    load.load("b")
    let told = Recorder<String>()
    withObservationTracking {
      _ = load.value
    } onChange: {
      told.record("value")
    }
    withObservationTracking {
      _ = load.error
    } onChange: {
      told.record("error")
    }
    server.fail("b")
    await settle()
    #expect(told.entries == ["error"])
    #expect(shown == .failed("Offline", 1))
    #expect(changes(of: load) { load.load("c") } == ["error", "isLoading", "phase"])
    #expect(shown == .loading(1))
  }

  @Test("22.2 a result that is there already appears inside the call, without loading")
  func already() {
    let cached = PromiseLoad<Int, Int> { number in
      number < 0 ? Promise(rejected: Offline()) : Promise(fulfilled: number)
    }
    cached.keepsPreviousValue = true
    #expect(changes(of: cached) { cached.load(3) } == ["value", "phase"])
    #expect(Shown(cached.phase) == .value(3))
    #expect(changes(of: cached) { cached.load(-1) } == ["error", "phase"])
    #expect(Shown(cached.phase) == .failed("Offline", 3))
    let thrown = PromiseLoad<Void, Int> { () throws -> Promise<Int, any Error> in throw Offline() }
    thrown.load()
    #expect(Shown(thrown.phase) == .failed("Offline", nil))
  }

  @Test("22.2 the compiler infers the failure of a handle whose promises are fulfilled")
  func inferredFailure() {
    let untyped = PromiseLoad<Int, Int> { number in Promise(fulfilled: number) }
    let typed = PromiseLoad { (number: Int) in Promise<Int, Offline>(rejected: Offline()) }
    untyped.load(7)
    typed.load(7)
    #expect(Shown(untyped.phase) == .value(7))
    #expect(Shown(typed.phase) == .failed("Offline", nil))
  }

  @Test("22.3 a newer load replaces the older one, whose result never appears")
  func newest() async {
    load.load("a")
    load.load("b")
    await settle()
    #expect(server.cancelled == ["a"])
    server.answer("b", 2)
    server.answer("a", 1)
    await settle()
    #expect(shown == .value(2))
    // The result of the older load has been submitted when the newer load begins.
    load.load("c")
    server.answer("c", 3)
    load.load("d")
    await settle()
    #expect(shown == .loading(2))
  }

  @Test("22.3 a load that its own closure begins is the newest")
  func reentrant() async {
    let server = server
    weak var inner: PromiseLoad<String, Int>?
    let load = PromiseLoad<String, Int> { request in
      if request == "outer" { inner?.load("inner") }
      return server.send(request)
    }
    inner = load
    load.load("outer")
    await settle()
    #expect(server.cancelled == ["outer"])
    server.answer("inner", 1)
    await settle()
    #expect(Shown(load.phase) == .value(1))
    load.reload()
    #expect(server.requests == ["inner", "outer", "inner"])
  }

  @Test("22.4 a cancelled load returns to what was shown before it", arguments: ["call", "elsewhere", "thrown"])
  func cancelled(_ way: String) async {
    func cancelNext() async {
      load.load("next")
      switch way {
      case "call": load.cancel()
      case "elsewhere": server.cancel("next")
      default: server.fail("next", with: CancellationError())
      }
      await settle()
    }
    await cancelNext()
    #expect(shown == .idle)
    load.load("a")
    server.answer("a", 1)
    await settle()
    await cancelNext()
    #expect(shown == .value(1))
    load.load("b")
    server.fail("b")
    await settle()
    load.load("c")
    await cancelNext()
    #expect(shown == .failed("Offline", 1))
    #expect(changes(of: load) { load.cancel() } == [])
    load.reload()
    #expect(server.requests.last == "b")
  }

  @Test("22.4 a cancelled load of another input restores the value, but not an edited one")
  func cancelledAfterForgetting() async {
    load.keepsPreviousValue = false
    load.load("a")
    server.answer("a", 1)
    await settle()
    load.load("b")
    #expect(shown == .loading(nil))
    load.cancel()
    #expect(shown == .value(1))
    load.load("b")
    load.value = 5
    #expect(shown == .loading(5))
    load.cancel()
    #expect(shown == .value(5))
  }

  @Test("22.11 a load of another input forgets the value, unless the handle keeps it")
  func otherInput() async {
    load.keepsPreviousValue = false
    load.load("a")
    server.answer("a", 1)
    await settle()
    load.load("a")
    #expect(shown == .loading(1))
    load.load("b")
    #expect(shown == .loading(nil))
    server.fail("b")
    await settle()
    #expect(shown == .failed("Offline", nil))
    let unit = PromiseLoad<Void, Int> { [server] in server.send("unit") }
    unit.value = 3
    unit.load()
    #expect(Shown(unit.phase) == .loading(3))
    unit.cancel()
  }

  @Test("22.9 an observer that cancels or loads leaves a consistent state")
  func reentrantObservers() async {
    withObservationTracking {
      _ = load.isLoading
    } onChange: { [load] in
      MainActor.assumeIsolated { load.cancel() }
    }
    load.load("a")
    await settle()
    #expect(shown == .idle && server.cancelled == ["a"])
    load.load("b")
    withObservationTracking {
      _ = load.value
    } onChange: { [load] in
      MainActor.assumeIsolated { load.load("c") }
    }
    server.answer("b", 1)
    await settle()
    #expect(shown == .loading(nil) && server.requests == ["a", "b", "c"])
    server.answer("c", 2)
    await settle()
    #expect(shown == .value(2))
  }

  @Test("22.5 releasing the handle asks its load to cancel, unless others want it")
  func released() async {
    let shared = server.send("shared")
    var own: PromiseLoad<String, Int>? = PromiseLoad(server.send)
    var sharing: PromiseLoad<Void, Int>? = PromiseLoad { shared }
    own?.load("a")
    sharing?.load()
    weak let released = own
    (own, sharing) = (nil, nil)
    await settle()
    #expect(released == nil)
    #expect(server.cancelled == ["a"])
    server.answer("shared", 1)
    #expect(shared.result?.value == 1)
  }

  @Test("22.6 reload repeats the newest input, and does nothing without one")
  func reload() async {
    load.reload()
    #expect(server.requests.isEmpty)
    load.load("a")
    server.answer("a", 1)
    await settle()
    load.reload()
    #expect(server.requests == ["a", "a"] && shown == .loading(1))
    load.reset()
    #expect(shown == .idle)
    load.reload()
    #expect(server.requests == ["a", "a"] && shown == .idle)
    let count = Recorder<Int>()
    let unit = PromiseLoad<Void, Int> { () -> Promise<Int, Never> in
      count.record(1)
      return Promise(fulfilled: 1)
    }
    unit.reload()
    #expect(count.entries.count == 1)
  }

  @Test("22.7 refresh returns when the load has ended, and leaves it running when cancelled")
  func refresh() async {
    load.load("a")
    server.answer("a", 1)
    await settle()
    let refreshed = Task { await load.refresh() }
    await until("the second load") { shown == .loading(1) }
    server.answer("a", 2)
    await refreshed.value
    #expect(shown == .value(2))
    let cancelled = Task { await load.refresh() }
    await until("the third load") { shown == .loading(2) }
    cancelled.cancel()
    await cancelled.value
    #expect(shown == .loading(2) && server.cancelled.isEmpty)
    server.answer("a", 3)
    await settle()
    #expect(shown == .value(3))
  }

  @Test("22.7 run and refresh return when their loads are replaced")
  func replaced() async {
    let running = Task { await load.run("a") }
    await until("the first load") { server.requests == ["a"] }
    let refreshed = Task { await load.refresh() }
    await running.value
    await until("the second load") { server.requests == ["a", "a"] }
    load.load("b")
    await refreshed.value
    #expect(shown == .loading(nil))
  }

  @Test("22.7 the cancellation of a task cancels its run, but not a newer load")
  func run() async {
    let running = Task { await load.run("a") }
    await until("the load") { server.requests == ["a"] }
    running.cancel()
    await running.value
    await settle()
    #expect(server.cancelled == ["a"] && shown == .idle)
    let replaced = Task { await load.run("b") }
    await until("the next load") { server.requests == ["a", "b"] }
    load.load("c")
    replaced.cancel()
    await replaced.value
    await settle()
    #expect(server.cancelled == ["a", "b"] && shown == .loading(nil))
    await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      await load.run("d")
    }.value
    #expect(server.requests == ["a", "b", "c"])
  }

  @Test("22.8 the progress of a load appears while it is running")
  func progress() async {
    let (server, steps) = (server, Recorder<PromiseProgress>())
    let load = PromiseLoad<String, Int> { request in
      let progress = PromiseProgress(total: 10)
      steps.record(progress)
      return (server.send(request), progress)
    }
    load.load("a")
    await settle()
    #expect(load.progress?.fraction == 0)
    steps.entries[0].report(completed: 5)
    await settle()
    #expect(load.progress?.fraction == 0.5)
    load.load("b")
    steps.entries[0].report(completed: 9)
    await settle()
    #expect(load.progress?.fraction == 0)
    server.answer("b", 1)
    await settle()
    #expect(load.progress == nil && Shown(load.phase) == .value(1))
    for step in steps.entries { step.finish(isComplete: true) }
    await settle()
    #expect(load.progress == nil)
  }

  @Test("22.1 an async load shows its value, and a replaced one is cancelled")
  func async() async {
    let (clock, ended) = (clock, Recorder<String>())
    let load = PromiseLoad<String, Int> { text in
      do { try await clock.sleep(for: .milliseconds(300)) } catch {
        ended.record("\(text) cancelled")
        throw error
      }
      ended.record(text)
      return text.count
    }
    load.load("s")
    await until("the first delay") { clock.sleeperCount == 1 }
    await clock.advance(by: .milliseconds(299))
    load.load("swift")
    await until("the second delay") { ended.entries == ["s cancelled"] && clock.sleeperCount == 1 }
    await clock.advance(by: .milliseconds(300))
    await until("the value") { Shown(load.phase) == .value(5) }
    #expect(ended.entries == ["s cancelled", "swift"])
  }
}
