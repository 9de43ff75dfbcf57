import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The calls of a batch: their order, their gaps, and threads that change them at the same time.
@Suite(.inTurn) struct BatchCallsTests {
  private typealias Batcher = PromiseBatcher<Int, String>
  private typealias Loading = Promise<[Int: String], any Error>

  private let turns = ManualContext()
  private let calls = Recorder<[Int]>()

  /// Returns a batcher whose loads are recorded, and fulfilled at once.
  private func batcher(maxSize: Int? = nil) -> Batcher {
    Batcher(maxSize: maxSize, on: turns.context) { [calls] keys in
      calls.record(keys)
      return Loading(fulfilled: Self.values(of: keys))
    }
  }

  private static func values(of keys: [Int]) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, "\($0)") })
  }

  @Test("14.25 14.27 keys and results keep their order after withdrawals in the middle")
  func order() {
    let (batcher, order) = (batcher(), Recorder<Int>())
    var promises: [Promise<String, any Error>] = []
    for key in 0..<100 {
      let promise = batcher.promise(for: key)
      promise.always(on: .immediate) { _ in order.record(key) }
      promises.append(promise)
      if key % 5 == 4 { for earlier in key - 3...key { promises[earlier].requestCancel() } }
    }
    let kept = Array(stride(from: 0, to: 100, by: 5))
    #expect(order.entries == (0..<100).filter { $0 % 5 != 0 })
    turns.runAll()
    #expect((calls.entries, Array(order.entries.suffix(20))) == ([kept], kept))
  }

  @Test("14.25 14.27 the place of a key is that of its first call that waits")
  func duplicates() {
    let batcher = batcher()
    let promises = [1, 2, 1, 3, 2].map { batcher.promise(for: $0) }
    promises[0].requestCancel()
    promises[4].requestCancel()
    turns.runAll()
    #expect(calls.entries == [[2, 1, 3]])
    #expect(promises.map { $0.result?.value } == [nil, "2", "1", "3", nil])
  }

  @Test("14.27 calls withdrawn during the load leave the results of the others")
  func duringLoad() {
    let probe = CancelProbe<[Int: String], any Error>()
    let batcher = Batcher(on: turns.context) { _ in probe.take() }
    let promises = (0..<4).map { batcher.promise(for: $0) }
    turns.runAll()
    for index in [1, 0] { promises[index].requestCancel() }
    #expect(promises.map { $0.result?.isCancelled } == [true, true, nil, nil])
    probe.resolver.fulfill(with: Self.values(of: [0, 1, 2, 3]))
    #expect((promises.map { $0.result?.value }, probe.requestCount) == ([nil, nil, "2", "3"], 0))
  }

  @Test("14.25 14.27 a withdrawn call does not count towards `maxSize`, but opens no full batch")
  func sizes() {
    let batcher = batcher(maxSize: 3)
    var promises = (0..<3).map { batcher.promise(for: $0) }
    #expect(batcher.core.content == ("closed, loading", 3))
    promises[1].requestCancel()
    promises.append(batcher.promise(for: 3))
    promises.append(batcher.promise(for: 4))
    promises[3].requestCancel()
    #expect(batcher.core.content == ("open", 1))
    promises += (5..<7).map { batcher.promise(for: $0) }
    #expect(batcher.core.content == ("closed, loading", 3))
    turns.runAll()
    #expect(calls.entries == [[0, 2], [4, 5, 6]])
    #expect(promises.map { $0.result?.value } == ["0", nil, "2", nil, "4", "5", "6"])
  }

  @Test("14.27 a start that runs while the last call leaves loads nothing")
  func startWhileLeaving() {
    let (batcher, started) = (batcher(), Counter())
    let promise = batcher.promise(for: 1)
    promise.onCancel(on: .immediate) { [turns] in
      turns.runAll()
      started.increment()
    }
    promise.requestCancel()
    #expect((started.count, turns.count, calls.entries) == (1, 0, []))
    #expect(batcher.core.content == ("cancelled", 0))
  }

  @Test("14.25 14.27 a batch that ends before its window leaves no timer")
  func timers() {
    let clock = TestClock()
    let batcher = Batcher(maxSize: 2, window: .seconds(1), clock: clock, on: turns.context) { keys in
      Loading(fulfilled: Self.values(of: keys))
    }
    let promises = (0..<3).map { batcher.promise(for: $0) }
    #expect(clock.sleeperCount == 2)
    turns.runAll()
    #expect((promises[1].result?.value, clock.sleeperCount) == ("1", 1))
    promises[2].requestCancel()
    #expect((turns.count, clock.sleeperCount) == (0, 0))
  }

  @Test("14.25 14.27 the list of an open batch keeps its order and has few gaps")
  func gaps() throws {
    var (list, model) = (BatchCalls(), [BatchCall]())
    var (random, most) = (SeededGenerator(seed: 14), 0)
    for _ in 0..<20_000 {
      if Int.random(in: 0..<(model.count < 40 ? 3 : 5), using: &random) < 2 {
        let call = BatchCall(UntypedResolver(Subject.makeWithResolver().resolver))
        list.append(call)
        model.append(call)
        most = max(most, model.count)
      } else if let index = model.indices.randomElement(using: &random) {
        let call = model.remove(at: index)
        try #require(list.remove(call) && !list.remove(call))
      }
      try #require(list.count == model.count && list.slots.count <= 2 * most + 17)
      try #require(list.slots.compactMap { $0.map(ObjectIdentifier.init) } == model.map(ObjectIdentifier.init))
    }
    #expect(list.takeAll().compactMap { $0.map(ObjectIdentifier.init) } == model.map(ObjectIdentifier.init))
    #expect(list.count == 0 && model.allSatisfy { !list.remove($0) })
  }

  /// A key that uses its batcher whenever it is hashed, compared or released.
  private final class CuriousKey: Hashable, Sendable {
    let number: Int
    let look: @Sendable () -> Void

    init(_ number: Int, _ look: @escaping @Sendable () -> Void) {
      self.number = number
      self.look = look
    }

    deinit { look() }

    static func == (left: CuriousKey, right: CuriousKey) -> Bool {
      left.look()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      look()
      hasher.combine(number)
    }
  }

  @Test("14.25 14.27 a key may use its batcher when it is hashed, compared or released")
  func curiousKeys() {
    let (shared, looks) = (Holder<PromiseBatcher<CuriousKey, Int>>(), Counter())
    let batcher = PromiseBatcher<CuriousKey, Int>(maxSize: 60, on: turns.context) { keys in
      Promise(fulfilled: Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.number) }))
    }
    shared.value = batcher
    defer { shared.value = nil }
    let promises = (0..<200).map { number in
      let key = CuriousKey(number % 50) {
        looks.increment()
        _ = shared.value.map { "\($0)" }
      }
      let promise = batcher.promise(for: key)
      if number % 3 == 0 { promise.requestCancel() }
      if number % 70 == 0 { turns.runAll() }
      return promise
    }
    turns.runAll()
    for (number, promise) in promises.enumerated() where number % 3 != 0 {
      #expect(promise.result?.value == number % 50)
    }
    #expect(looks.count > 200)
  }

  /// A batcher of which several threads use one batch.
  private struct Round: Sendable {
    let turns = ManualContext()
    let loaded = Recorder<[Int]>()
    let loads = Recorder<CancelProbe<[Int: String], any Error>>()
    let promises = Recorder<(key: Int, promise: Promise<String, any Error>)>()
    let batcher: Batcher

    /// - Parameter fulfils: Whether the loads are fulfilled at once. Otherwise they wait for their probes.
    init(fulfils: Bool) {
      batcher = Batcher(on: turns.context) { [loaded, loads] keys in
        loaded.record(keys)
        if fulfils { return Loading(fulfilled: BatchCallsTests.values(of: keys)) }
        let probe = CancelProbe<[Int: String], any Error>()
        loads.record(probe)
        return probe.take()
      }
      ask(0..<12)
    }

    func ask(_ keys: Range<Int>) { for key in keys { promises.record((key, batcher.promise(for: key))) } }

    func cancel(where isUnwanted: (Int) -> Bool) {
      for (key, promise) in promises.entries where key < 12 && isUnwanted(key) { promise.requestCancel() }
    }
  }

  @Test("14.25 14.27 batches that threads fill, start and leave load ordered keys")
  func races() async {
    await race(
      rounds: 2000, { Round(fulfils: true) }, { $0.cancel { $0 % 3 != 0 } }, { $0.turns.runAll() }, { $0.ask(12..<24) },
      check: { round in
        round.turns.runAll()
        let loaded = round.loaded.entries
        for (key, promise) in round.promises.entries {
          guard let result = promise.result else { return "\(key) has no result" }
          if result.isCancelled ? key >= 12 || key % 3 == 0 : result.value != "\(key)" { return "\(key): \(result)" }
        }
        let isOrdered = loaded.allSatisfy { $0 == $0.sorted() && !$0.isEmpty }
        return isOrdered && Set(loaded.joined()).count == loaded.joined().count ? nil : "\(loaded)"
      })
  }

  @Test("14.27 a load that begins while its last calls leave is asked to cancel")
  func lastCalls() async {
    await race(
      rounds: 2000, { Round(fulfils: false) }, { $0.cancel { $0 % 2 == 0 } }, { $0.cancel { $0 % 2 != 0 } },
      { $0.turns.runAll() },
      check: { round in
        let isCancelled = round.promises.entries.allSatisfy { $0.promise.result?.isCancelled == true }
        let requests = round.loads.entries.map(\.requestCount)
        let isAsked = (requests.isEmpty || requests == [1]) && !round.loaded.entries.contains([])
        return isCancelled && isAsked ? nil : "\(isCancelled), \(requests), \(round.loaded.entries)"
      })
  }
}
