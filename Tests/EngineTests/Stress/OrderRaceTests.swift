import Dispatch
import Overmorrow
import Testing

extension StressTests {
  /// Races between registration and resolution: which observer is started first, and which observers may overlap.
  @Suite struct OrderRaceTests {
    private typealias IntPromise = Promise<Int, Never>

    private static let observers = 6

    private final class Round: Sendable {
      let (promise, resolver) = IntPromise.makeWithResolver()
      let log = Recorder<Started>()
      /// Incremented if the promise resolves between the first and the last registration.
      let overlaps = Counter()
      /// The number of observers that ran on a different thread from the one that registered them.
      let startedElsewhere = Counter()

      /// Registers observers that log their numbers.
      func observe(_ registering: Int, on context: PromiseContext) {
        let (thread, isEarly) = (currentThread, promise.result == nil)
        for number in 0..<OrderRaceTests.observers {
          promise.then(on: context) { [log, startedElsewhere] _ in
            if currentThread != thread { startedElsewhere.increment() }
            log.record(Started(number, registeredBy: registering))
          }
        }
        if isEarly, promise.result != nil { overlaps.increment() }
      }

      /// Returns a fault unless the observers of each thread have run once, and were started in the order in which that
      /// thread registered them.
      func finding(_ threads: Int) -> String? {
        // A global queue may still have the last observers.
        _ = waitUntil { log.entries.count >= threads * OrderRaceTests.observers }
        return log.startFault(OrderRaceTests.observers, threads: threads)
      }
    }

    /// The contexts of the registering threads: one thread, or two.
    private static let contexts: [[PromiseContext]] = [
      // The executor is effectively serial, because the resolving and the registering thread each run the work they
      // submit.
      [.immediate], [.nowOr(.immediate)], [.executor(RepeatingExecutor(times: 1))], [.immediate, .immediate],
    ]

    /// The number of rounds with these contexts. All of them together are 140,000 in a release build.
    private static func rounds(_ contexts: [PromiseContext]) -> Int {
      let count = contexts.count == 2 ? 65_000 : 25_000
      return isSanitized ? count : scaled(count)
    }

    @Test("2.5 2.7 11.2 an observer registered during resolution never overtakes earlier ones in 140,000 rounds")
    func neverOvertakes() async {
      let (rounds, overlaps, startedElsewhere) = (Counter(), Counter(), Counter())
      func run(_ contexts: [PromiseContext], within time: Duration) async {
        let registering: [@Sendable (Round) -> Void] = contexts.enumerated().map { thread, context in
          { $0.observe(thread, on: context) }
        }
        await race(
          rounds: Self.rounds(contexts), within: time, { Round() },
          registering + [{ $0.resolver.fulfill(with: 7) }],
          check: { round in
            rounds.increment()
            if round.overlaps.count > 0 { overlaps.increment() }
            if round.startedElsewhere.count > 0 { startedElsewhere.increment() }
            return round.finding(contexts.count).map { "\(contexts): \($0)" }
          })
      }
      for each in Self.contexts { await run(each, within: isSanitized ? .milliseconds(500) : .seconds(600)) }
      let all = Self.contexts.map(Self.rounds).reduce(0, +)
      #expect(isSanitized || rounds.count == all, "only \(rounds.count) of \(all) rounds were run")
      // On a busy processor, the two threads run one after the other. Then the race is repeated.
      for _ in 0..<20 where !isSanitized && overlaps.count <= 100 {
        await run([.immediate, .immediate], within: .seconds(5))
      }
      #expect(
        isSanitized || overlaps.count > 100, "the result came amid the registrations \(overlaps.count) times only")
      #expect(isSanitized || startedElsewhere.count > 0, "no thread ever ran the callback of another")
    }

    @Test("2.5 steps reach a serial queue in the order in which each thread registered them")
    func submitted() async {
      final class Submission: Sendable {
        let (promise, resolver) = IntPromise.makeWithResolver()
        let logs = (0..<4).map { _ in Recorder<Int>() }

        func observe(_ log: Int, on context: PromiseContext) {
          for number in 0..<OrderRaceTests.observers {
            promise.then(on: context) { [log = logs[log]] _ in log.record(number) }
            promise.then(on: .immediate) { [log = logs[log + 2]] _ in log.record(number) }
          }
        }
      }
      let queue = DispatchQueue(label: "serial")
      let executor = PromiseContext.executor(QueueExecutor(queue))
      await race(
        rounds: 20_000, within: isSanitized ? .seconds(2) : .seconds(8), { Submission() },
        { $0.observe(0, on: .queue(queue)) }, { $0.observe(1, on: executor) }, { $0.resolver.fulfill(with: 7) },
        check: { round in
          _ = waitUntil {
            queue.sync {}
            return round.logs.allSatisfy { $0.entries.count >= OrderRaceTests.observers }
          }
          let entries = round.logs.map(\.entries)
          let areInOrder = entries[..<2].allSatisfy { $0 == Array(0..<OrderRaceTests.observers) }
          return areInOrder && entries.allSatisfy { $0.count == OrderRaceTests.observers } ? nil : "\(entries)"
        })
    }
  }
}

/// An executor with a queue that the library does not recognize as one.
private final class QueueExecutor: PromiseExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
