import Overmorrow
import Testing

extension StressTests {
  /// Registering against resolving: 100,000 rounds in all.
  @Suite struct OrderRaceTests {
    private typealias IntPromise = Promise<Int, Reason>

    private static let observers = 4

    private struct Round: Sendable {
      let promise: IntPromise
      let resolver: IntPromise.Resolver
      let logs = [Recorder<Started>(), Recorder<Started>()]
      /// Signalled if the result came between the first registration and the last one.
      let overlaps = Counter()

      init() { (promise, resolver) = Promise.makeWithResolver() }

      /// Registers observers that log their numbers.
      func observe(_ log: Int, on context: PromiseContext) {
        let isEarly = promise.result == nil
        for number in 0..<OrderRaceTests.observers {
          promise.then(on: context) { [log = logs[log]] _ in log.record(Started(number)) }
        }
        if isEarly, promise.result != nil { overlaps.increment() }
      }

      /// What is wrong if not each thread's observers have run once, started in the order in which it registered them.
      func finding(_ count: Int) -> String? {
        for log in logs[..<count] {
          // A global queue may have the last ones.
          _ = comesTrue { log.entries.count >= OrderRaceTests.observers }
          if let finding = log.startFinding(OrderRaceTests.observers) { return finding }
        }
        return nil
      }
    }

    /// Who registers: one thread, or two of them.
    private enum Kind: CaseIterable {
      case immediate
      case nowOr
      case serial
      case two

      var contestants: [@Sendable (Round) -> Void] {
        switch self {
        case .immediate: [{ $0.observe(0, on: .immediate) }]
        case .nowOr: [{ $0.observe(0, on: .nowOr(.immediate)) }]
        // Serial in effect: who resolves and who registers both run what they hand over.
        case .serial: [{ $0.observe(0, on: .executor(DirectExecutor())) }]
        case .two: [{ $0.observe(0, on: .immediate) }, { $0.observe(1, on: .immediate) }]
        }
      }
    }

    private final class DirectExecutor: PromiseExecutor {
      func enqueue(_ work: @escaping @Sendable () -> Void) { work() }
    }

    @Test("2.5 11.2 an observer registered during resolution never overtakes earlier ones: 100,000 raced rounds")
    func neverOvertakes() async {
      let (rounds, overlaps) = (Counter(), Counter())
      func run(_ kind: Kind, within time: Duration) async {
        let registering = kind.contestants
        await race(
          rounds: 25_000, within: time, { Round() }, registering + [{ $0.resolver.fulfill(with: 7) }],
          check: { round in
            rounds.increment()
            if round.overlaps.count > 0 { overlaps.increment() }
            return round.finding(registering.count).map { "\(kind): \($0)" }
          })
      }
      for kind in Kind.allCases { await run(kind, within: isSanitized ? .milliseconds(500) : .seconds(600)) }
      #expect(isSanitized || rounds.count == 100_000, "only \(rounds.count) rounds were run")
      // A processor that has other things to do runs the two one after the other: then they race for longer.
      for _ in 0..<20 where !isSanitized && overlaps.count <= 100 { await run(.two, within: .seconds(5)) }
      #expect(
        isSanitized || overlaps.count > 100, "the result came amid the registrations \(overlaps.count) times only")
    }
  }
}
