import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct OrderTests {
  private let log = Recorder<String>()

  private typealias IntPromise = Promise<Int, Reason>

  @Test("2.5 observers of every kind run in the order registered", arguments: Ending.allCases)
  func everyKind(ending: Ending) {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let every = TestedOperator<Reason>.every
    for tested in every + every.reversed() { tested(promise, on: .immediate) { log.record(tested.name) } }
    resolver.resolve(with: ending.result(7, "no"))
    let expected = every.filter { $0.runsFor.contains(ending) }.map(\.name)
    #expect(log.entries == expected + expected.reversed())
  }

  @Test("2.5 observers are handed to their executors in the order registered, whichever those are")
  func handedOver() {
    let one = TellingExecutor { log.record("one") }
    let other = TellingExecutor { log.record("other") }
    let (promise, resolver) = IntPromise.makeWithResolver()
    for executor in [one, other, other, one] { promise.then(on: .executor(executor)) { _ in } }
    promise.then(on: .immediate) { _ in log.record("immediate") }
    promise.then(on: .executor(one)) { _ in }
    resolver.fulfill(with: 7)
    #expect(log.entries == ["one", "other", "other", "one", "immediate", "one"])
  }

  @Test("2.5 observers on a serial queue run in the order registered, before and after the result")
  func serialQueue() async {
    let log = Recorder<Int>()
    let place = MarkedQueue()
    let (promise, resolver) = IntPromise.makeWithResolver()
    for index in 0..<50 { promise.then(on: place.context) { _ in log.record(index) } }
    resolver.fulfill(with: 7)
    for index in 50..<100 { promise.then(on: place.context) { _ in log.record(index) } }
    await place.drain()
    #expect(log.entries == Array(0..<100))
  }

  @Test(
    "2.5 an observer that a callback adds does not overtake those that wait", arguments: TestedOperator<Reason>.every,
    [PromiseContext.immediate, .nowOr(.immediate)])
  func addedDuringResolution(tested: TestedOperator<Reason>, context: PromiseContext) throws {
    let ending = try #require(tested.runsFor.first)
    let (promise, resolver) = IntPromise.makeWithResolver()
    promise.always(on: .immediate) { [promise] _ in
      log.record("first")
      tested(promise, on: context) { log.record("added") }
    }
    promise.always(on: .immediate) { _ in log.record("second") }
    promise.always(on: .immediate) { _ in log.record("third") }
    resolver.resolve(with: ending.result(7, "no"))
    #expect(log.entries == ["first", "second", "third", "added"])
  }

  @Test("2.5 2.7 observers that add observers, each while others wait, all run once, started in order")
  func addedAgainAndAgain() async throws {
    let finding = try await onOwnThread("observers that add observers") {
      let log = Recorder<Started>()
      let (promise, resolver) = IntPromise.makeWithResolver()
      let next = Counter()
      @Sendable func observe() {
        let number = next.increment() - 1
        promise.then(on: .immediate) { _ in
          log.record(Started(number))
          if number < 99 { observe() }
        }
      }
      for _ in 0..<3 { observe() }
      resolver.fulfill(with: 7)
      // A global queue has the last ones.
      _ = comesTrue { log.entries.count >= 102 }
      return log.startFinding(102)
    }
    #expect(finding == nil)
  }

  // MARK: Races

  private struct Round: Sendable {
    let promise: IntPromise
    let resolver: IntPromise.Resolver
    let log = Recorder<Started>()

    init() { (promise, resolver) = Promise.makeWithResolver() }

    func observe(_ count: Int, on context: PromiseContext) {
      for index in 0..<count { promise.then(on: context) { [log] _ in log.record(Started(index)) } }
    }

    /// Waits for all to have run: a global queue may have the last ones.
    func finding(_ count: Int, on queue: DispatchQueue) -> String? {
      _ = comesTrue {
        queue.sync {}
        return log.entries.count >= count
      }
      return log.orderFinding(count)
    }
  }

  @Test("2.5 immediate observers run once, started in order, while registering and resolving race")
  func raceImmediate() async {
    await race(
      rounds: 300, { Round() }, { $0.observe(20, on: .immediate) }, { $0.resolver.fulfill(with: 7) },
      check: { round in
        _ = comesTrue { round.log.entries.count >= 20 }
        return round.log.startFinding(20)
      })
  }

  @Test(
    "2.5 observers on a serial queue run once and in order while registering races with resolving, on a thread or on that queue",
    arguments: [false, true])
  func raceSerialQueue(resolvesOnQueue: Bool) async {
    let queue = DispatchQueue(label: "serial")
    await race(
      rounds: 300, { Round() },
      { $0.observe(20, on: .queue(queue)) },
      { round in
        guard resolvesOnQueue else { return round.resolver.fulfill(with: 7) }
        IntPromise(fulfilled: 7).then(on: .queue(queue)) { round.resolver.fulfill(with: $0) }
      },
      check: { $0.finding(20, on: queue) })
  }

  @Test("2.5 of two threads that register, each finds its observers run once, started in its own order")
  func raceTwoRegistering() async {
    await race(
      rounds: 300, { (Round(), Recorder<Started>()) },
      { $0.0.observe(10, on: .immediate) },
      { both in for index in 0..<10 { both.0.promise.then(on: .immediate) { _ in both.1.record(Started(index)) } } },
      { $0.0.resolver.fulfill(with: 7) },
      check: { both in
        _ = comesTrue { both.0.log.entries.count + both.1.entries.count >= 20 }
        return both.0.log.startFinding(10) ?? both.1.startFinding(10)
      })
  }
}

/// Tells of each piece of work, and drops it.
private final class TellingExecutor: PromiseExecutor {
  private let tell: @Sendable () -> Void

  init(tell: @escaping @Sendable () -> Void) { self.tell = tell }

  func enqueue(_ work: @escaping @Sendable () -> Void) { tell() }
}
