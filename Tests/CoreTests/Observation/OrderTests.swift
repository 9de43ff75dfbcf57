import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct OrderTests {
  private let log = Recorder<String>()

  @Test("2.5 observers of every kind run in the order of registration", arguments: Ending.allCases)
  func everyKind(ending: Ending) {
    let (promise, resolver) = Subject.makeWithResolver()
    let every = TestedOperator.every
    for tested in every + every.reversed() { tested(promise, on: .immediate) { log.record(tested.name) } }
    resolver.resolve(with: ending.result(7, "no"))
    let expected = every.filter { $0.runsFor.contains(ending) }.map(\.name)
    #expect(log.entries == expected + expected.reversed())
  }

  @Test("2.5 observers are submitted to their executors in the order of registration")
  func handedOver() {
    let log = Recorder<Int>()
    let (promise, resolver) = Subject.makeWithResolver()
    // These executors run work synchronously.
    let (one, other) = (RepeatingExecutor(times: 1), RepeatingExecutor(times: 1))
    let contexts: [PromiseContext] = [one, other, other, one].map { .executor($0) } + [.immediate, .executor(one)]
    for (number, context) in contexts.enumerated() { promise.then(on: context) { _ in log.record(number) } }
    resolver.fulfill(with: 7)
    #expect(log.entries == Array(0..<6))
  }

  @Test(
    "2.5 an observer that a callback registers does not overtake those that wait", arguments: TestedOperator.every,
    [PromiseContext.immediate, .nowOr(.immediate)])
  func addedDuringResolution(tested: TestedOperator, context: PromiseContext) throws {
    let ending = try #require(tested.runsFor.first)
    let (promise, resolver) = Subject.makeWithResolver()
    promise.always(on: .immediate) { [promise] _ in
      log.record("first")
      tested(promise, on: context) { log.record("added") }
    }
    promise.always(on: .immediate) { _ in log.record("second") }
    promise.always(on: .immediate) { _ in log.record("third") }
    resolver.resolve(with: ending.result(7, "no"))
    #expect(log.entries == ["first", "second", "third", "added"])
  }

  @Test("2.5 2.7 observers that register observers while others wait all run once, and start in order")
  func addedAgainAndAgain() async throws {
    let finding = try await onOwnThread("observers that add observers") {
      let log = Recorder<Started>()
      let (promise, resolver) = Subject.makeWithResolver()
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
      // A global queue runs the last ones.
      _ = waitUntil { log.entries.count >= 102 }
      return log.startFault(102)
    }
    #expect(finding == nil)
  }

  @Test("2.5 observers on a serial queue keep their order during resolution on that queue")
  func raceSerialQueue() async {
    let count = Counter()
    await race(
      rounds: 300,
      {
        let (promise, resolver) = Subject.makeWithResolver()
        // Both threads pass each queue to the library for the first time, with a varying time difference.
        let (queue, lead) = (DispatchQueue(label: "serial"), count.increment() % 40)
        return (promise: promise, resolver: resolver, queue: queue, lead: lead, log: Recorder<Started>())
      },
      { round in
        for index in 0..<20 { round.promise.then(on: .queue(round.queue)) { _ in round.log.record(Started(index)) } }
      },
      { round in
        let resolved = Subject(fulfilled: 7)
        for _ in 0..<round.lead { resolved.tap(on: .immediate) { _ in } }
        resolved.then(on: .queue(round.queue)) { round.resolver.fulfill(with: $0) }
      },
      check: { round in
        // A global queue may still have the last ones.
        _ = waitUntil {
          round.queue.sync {}
          return round.log.entries.count >= 20
        }
        return round.log.orderFault(20)
      })
  }
}
