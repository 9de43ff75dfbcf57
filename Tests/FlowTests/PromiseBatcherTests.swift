import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Batches of keys that are loaded together.
@Suite(.inTurn) struct PromiseBatcherTests {
  private typealias Batcher = PromiseBatcher<Int, String>
  private typealias Loading = Promise<[Int: String], any Error>

  private let clock = TestClock()
  private let turns = ManualContext()
  private let calls = Recorder<[Int]>()

  /// Returns a batcher whose loads are recorded, and fulfilled at once.
  private func batcher(maxSize: Int? = nil, window: Duration = .zero, on context: PromiseContext? = nil) -> Batcher {
    Batcher(maxSize: maxSize, window: window, clock: clock, on: context ?? turns.context) { [calls] keys in
      calls.record(keys)
      return Loading(fulfilled: Dictionary(uniqueKeysWithValues: keys.map { ($0, "\($0)") }))
    }
  }

  @Test("14.25 14.26 calls before the turn of the context share a load, each key once")
  func turn() {
    let batcher = batcher()
    let promises = [3, 1, 3, 2].map { batcher.promise(for: $0) }
    #expect((calls.entries, promises[0].result == nil, turns.count) == ([], true, 1))
    turns.runAll()
    #expect(promises.map(\.result?.value) == ["3", "1", "3", "2"])
    let next = batcher.promise(for: 1)
    turns.runAll()
    #expect((calls.entries, next.result?.value) == ([[3, 1, 2], [1]], "1"))
  }

  @Test("14.25 without a turn, each call is its own batch")
  func immediate() {
    let batcher = batcher(on: .immediate)
    #expect((0..<2).map { batcher.promise(for: $0).result?.value } == ["0", "1"])
    #expect(calls.entries == [[0], [1]])
  }

  @Test("14.25 a window begins with the first call of a batch")
  func window() {
    let batcher = batcher(window: .milliseconds(10))
    let first = batcher.promise(for: 1)
    clock.advance(by: .milliseconds(9))
    let second = batcher.promise(for: 2)
    #expect(turns.count == 0)
    clock.advance(by: .milliseconds(1))
    #expect((turns.count, calls.entries) == (1, []))
    turns.runAll()
    let third = batcher.promise(for: 3)
    #expect((first.result?.value, second.result?.value, third.result == nil) == ("1", "2", true))
    clock.advance(by: .milliseconds(10))
    turns.runAll()
    #expect((calls.entries, third.result?.value) == ([[1, 2], [3]], "3"))
  }

  @Test("14.25 calls join a batch whose window has ended while its context is busy", arguments: [nil, 6])
  func busy(maxSize: Int?) {
    let batcher = batcher(maxSize: maxSize, window: .milliseconds(2))
    let promises = (0..<6).map { key in
      // The window of the first call ends at the second call, and the context runs nothing meanwhile.
      defer { clock.advance(by: .milliseconds(2)) }
      return batcher.promise(for: key)
    }
    #expect(turns.count == 1)
    turns.runAll()
    #expect((calls.entries, promises.count { $0.result?.value != nil }) == ([[0, 1, 2, 3, 4, 5]], 6))
  }

  @TaskLocal private static var request = 0

  @Test("14.33 8.13 a batch's async load has the values and the priority of its first call", arguments: [0, 10])
  func caller(window: Int) async {
    let found = Recorder<[Int]>()
    let batcher = Batcher(window: .milliseconds(window), clock: clock) { keys in
      found.record([Self.request, Int(Task.currentPriority.rawValue)])
      return Dictionary(uniqueKeysWithValues: keys.map { ($0, "\($0)") })
    }
    let (promises, begun) = (Recorder<Promise<String, any Error>>(), Latch())
    // Nothing awaits the task, so its priority does not rise.
    Task.detached(priority: .low) {
      for key in 1...2 { Self.$request.withValue(6 + key) { promises.record(batcher.promise(for: key)) } }
      begun.signal()
    }
    await begun.wait(for: "the two calls")
    tick(clock, by: .milliseconds(10))
    await until("the values") { promises.entries.map(\.result?.value) == ["1", "2"] }
    #expect(found.entries.first == [7, Int(TaskPriority.low.rawValue)])
  }

  @Test("14.25 a batch starts on the inner context of `.nowOr`", arguments: [0, 10])
  func inner(window: Int) {
    let batcher = batcher(window: .milliseconds(window), on: .nowOr(turns.context))
    let promises = (0..<2).map { batcher.promise(for: $0) }
    clock.advance(by: .milliseconds(10))
    #expect((turns.count, calls.entries) == (1, []))
    turns.runAll()
    #expect((calls.entries, promises.map(\.result?.value)) == ([[0, 1]], ["0", "1"]))
  }

  @Test("14.25 a full batch starts at once, before the end of its window", arguments: [0, 10])
  func full(window: Int) {
    let batcher = batcher(maxSize: 2, window: .milliseconds(window))
    let promises = (0..<5).map { batcher.promise(for: $0) }
    turns.runAll()
    #expect(calls.entries == (window == 0 ? [[0, 1], [2, 3], [4]] : [[0, 1], [2, 3]]))
    clock.advance(by: .milliseconds(10))
    turns.runAll()
    #expect((calls.entries, turns.count) == ([[0, 1], [2, 3], [4]], 0))
    #expect(promises.map(\.result?.value) == ["0", "1", "2", "3", "4"])
  }

  @Test("14.25 15.12 a size below 1 counts as 1, and is reported")
  func tooSmall() async throws {
    let found = try await diagnostics {
      let batcher = batcher(maxSize: 0, window: .seconds(1))
      let promises = (0..<2).map { batcher.promise(for: $0) }
      turns.runAll()
      #expect(promises.map(\.result?.value) == ["0", "1"])
    }
    #expect(found == [.invalidArgument("PromiseBatcher.maxSize: 0 counts as 1")])
    #expect(calls.entries == [[0], [1]])
  }

  @Test("14.26 only the key without a value gets an error, which contains it")
  func missing() {
    let batcher = Batcher(on: turns.context) { _ in Loading(fulfilled: [1: "1", 5: "5"]) }
    let promises = (1...2).map { batcher.promise(for: $0) }
    turns.runAll()
    #expect(promises[0].result?.value == "1")
    let error = promises[1].result?.error as? PromiseMissingKeyError<Int>
    #expect(error == PromiseMissingKeyError(key: 2))
    #expect(error?.description == "the loaded batch has no value for the key 2")
  }

  @Test("14.26 all calls get the error of the load, which counts as read", arguments: [false, true])
  func failing(throwing: Bool) async throws {
    let found = try await diagnostics {
      let batcher = Batcher(on: turns.context) { _ in
        if throwing { throw Refusal.second }
        return Loading(rejected: Refusal.second)
      }
      let errors = Recorder<Refusal?>()
      for key in 0..<2 { batcher.promise(for: key).catch(on: .immediate) { errors.record($0 as? Refusal) } }
      turns.runAll()
      #expect(errors.entries == [.second, .second])
    }
    #expect(found == [])
  }

  @Test("14.26 calls are cancelled if the load is cancelled or its start is dropped", arguments: [0, 10])
  func cancelledLoads(window: Int) {
    let batcher = Batcher(window: .milliseconds(window), clock: clock, on: turns.context) { _ in
      Loading(with: .cancelled)
    }
    let cancelled = (0..<2).map { batcher.promise(for: $0) }
    clock.advance(by: .milliseconds(10))
    turns.runAll()
    #expect(cancelled.map { $0.result?.isCancelled } == [true, true])
    let dropped = (0..<2).map { batcher.promise(for: $0) }
    clock.advance(by: .milliseconds(10))
    turns.dropAll()
    #expect(dropped.map { $0.result?.isCancelled } == [true, true])
  }

  @Test("14.27 a withdrawn key is not loaded, and a batch without calls does not begin", arguments: [0, 10])
  func withdrawn(window: Int) {
    let batcher = batcher(window: .milliseconds(window))
    let promises = (0..<3).map { batcher.promise(for: $0) }
    promises[0].requestCancel()
    #expect((promises[0].result?.isCancelled, promises[1].result == nil) == (true, true))
    clock.advance(by: .milliseconds(10))
    turns.runAll()
    #expect(calls.entries == [[1, 2]])
    let unwanted = batcher.promise(for: 4)
    unwanted.requestCancel()
    let wanted = batcher.promise(for: 5)
    clock.advance(by: .milliseconds(10))
    turns.runAll()
    #expect((calls.entries, wanted.result?.value) == ([[1, 2], [5]], "5"))
  }

  @Test("14.27 a load is asked to cancel when all its calls have been withdrawn")
  func votes() {
    let probe = CancelProbe<[Int: String], any Error>()
    let batcher = Batcher(on: turns.context) { _ in probe.take() }
    let promises = [1, 1, 2].map { batcher.promise(for: $0) }
    turns.runAll()
    for promise in promises.dropLast() { promise.requestCancel() }
    #expect(probe.requestCount == 0)
    promises[2].requestCancel()
    #expect(probe.requestCount == 1)
    probe.resolver.fulfill(with: [1: "1", 2: "2"])
    #expect(promises.map { $0.result?.isCancelled } == [true, true, true])
  }

  @Test("14.25 14.28 async callers on an actor share the load of one turn")
  @MainActor func asyncCallers() async throws {
    let batcher = Batcher { [calls] keys in
      MainActor.preconditionIsolated()
      calls.record(keys)
      await Task.yield()
      return Dictionary(uniqueKeysWithValues: keys.map { ($0, "\($0)") })
    }
    async let left = batcher.value(for: 1)
    let right = batcher.promise(for: 2)
    let third = try await batcher.value(for: 3)
    #expect((try await left, try await right.value, third) == ("1", "2", "3"))
    #expect(calls.entries.joined().sorted() == [1, 2, 3])
    #expect(calls.entries.contains { Set($0).isSuperset(of: [2, 3]) }, "two calls of one turn share a load")
    let missing = Batcher { _ in [:] }
    await #expect(throws: PromiseMissingKeyError(key: 1)) { try await missing.value(for: 1) }
  }

  @Test("14.27 14.28 a cancelled task leaves its batch, whose load is then cancelled")
  func cancelledTask() async {
    let (begun, ended, never) = (Latch(), Latch(), Loading.makeWithResolver())
    let batcher = Batcher(window: .seconds(1), clock: clock) { [calls] keys in
      calls.record(keys)
      begun.signal()
      defer { ended.signal() }
      return try await never.0.value
    }
    let caller = Task {
      cancelCurrentTask()
      return try await batcher.value(for: 0)
    }
    await #expect(throws: CancellationError.self) { try await caller.value }
    let other = batcher.promise(for: 1)
    let waiting = Task { try await batcher.value(for: 2) }
    tick(clock, by: .seconds(1))
    await begun.wait(for: "the load to begin")
    other.requestCancel()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await ended.wait(for: "the task of the load to be cancelled")
    // The resolver is retained until here, so that the load has ended only because it was cancelled.
    never.1.cancel()
  }

  @Test("14.25 a batch is loaded after its batcher was released, and leaves nothing behind", arguments: [0, 10])
  func released(window: Int) {
    let tracker = Tracker()
    weak var weakBatcher: PromiseBatcher<Int, Tracker.Tracked>?
    var promise: Promise<Tracker.Tracked, any Error>?
    do {
      let load = tracker.work { (keys: [Int]) in
        Promise<[Int: Tracker.Tracked], any Error>(fulfilled: [keys[0]: tracker.make()])
      }
      let batcher = PromiseBatcher<Int, Tracker.Tracked>(
        window: .milliseconds(window), clock: clock, on: turns.context, load: load)
      weakBatcher = batcher
      promise = batcher.promise(for: 1)
      batcher.promise(for: 2).requestCancel()
    }
    #expect(weakBatcher == nil)
    clock.advance(by: .milliseconds(10))
    turns.runAll()
    #expect((promise?.result?.value != nil, tracker.count) == (true, 1))
    promise = nil
    #expect(tracker.count == 0)
  }

  @Test("14.25 a cache asks a batcher for the keys that it does not have")
  func behindCache() {
    let (batcher, cache) = (batcher(), PromiseCache<Int, String, any Error>())
    func ask(_ key: Int) -> Promise<String, any Error> {
      cache.promise(for: key, on: .immediate) { batcher.promise(for: $0) }
    }
    cache.setValue("old", for: 1)
    let promises = [1, 2, 3, 2].map(ask)
    turns.runAll()
    #expect(promises.map(\.result?.value) == ["old", "2", "3", "2"])
    #expect(calls.entries == [[2, 3]])
    #expect(ask(3).result?.value == "3")
  }

  @Test("14.25 14.27 threads that join, fill and cancel batches get one result for each call")
  func races() async {
    struct Round: Sendable {
      let turns = ManualContext()
      let loaded = Recorder<[Int]>()
      let batcher: Batcher
      let promises = Recorder<(key: Int, promise: Promise<String, any Error>)>()

      init() {
        batcher = Batcher(maxSize: 4, on: turns.context) { [loaded] keys in
          loaded.record(keys)
          return Loading(fulfilled: Dictionary(uniqueKeysWithValues: keys.map { ($0, "\($0)") }))
        }
      }

      func ask(_ keys: some Sequence<Int>) {
        for key in keys {
          let promise = batcher.promise(for: key)
          promises.record((key, promise))
          if key % 3 == 0 { promise.requestCancel() }
          if key % 5 == 0 { turns.runAll() }
        }
      }
    }
    await race(
      rounds: 1000, { Round() }, { $0.ask(0..<12) }, { $0.ask(12..<24) },
      check: { round in
        round.turns.runAll()
        for (key, promise) in round.promises.entries {
          guard let result = promise.result else { return "\(key) has no result" }
          if result.isCancelled ? key % 3 != 0 : result.value != "\(key)" { return "\(key): \(result)" }
        }
        let loaded = round.loaded.entries
        if Set(loaded.joined()).count != loaded.joined().count { return "\(loaded)" }
        return loaded.allSatisfy { (1...4).contains($0.count) } ? nil : "\(loaded)"
      })
  }
}
