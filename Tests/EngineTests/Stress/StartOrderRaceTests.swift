import Dispatch
import Overmorrow
import Testing

extension StressTests {
  /// Which observer is started first, and which may overlap.
  @Suite struct StartOrderRaceTests {
    private typealias IntPromise = Promise<Int, Never>
    private static let observers = 6

    private struct Entry: Sendable, CustomStringConvertible {
      let registeredBy: Int
      let number: Int
      let thread: ObjectIdentifier

      var description: String { "\(registeredBy).\(number)@\(thread.hashValue % 1000)" }
    }

    private struct Round: Sendable {
      let promise: IntPromise
      let resolver: IntPromise.Resolver
      let log = Recorder<Entry>()
      /// Those that another thread ran than the one that registered them.
      let helped = Counter()

      init() { (promise, resolver) = IntPromise.makeWithResolver() }

      func observe(_ registering: Int) {
        let thread = currentThread
        for number in 0..<StartOrderRaceTests.observers {
          promise.then(on: .immediate) { [log, helped] _ in
            if currentThread != thread { helped.increment() }
            log.record(Entry(registeredBy: registering, number: number, thread: currentThread))
          }
        }
      }

      /// A callback may come before one that was registered earlier by the same thread only if that one has been
      /// started on another thread, and is what that thread does just then.
      func finding() -> String? {
        // A global queue may have the last ones.
        _ = comesTrue { log.entries.count >= 2 * StartOrderRaceTests.observers }
        let entries = log.entries
        if entries.count != 2 * StartOrderRaceTests.observers { return "\(entries.count) callbacks have run" }
        for (place, late) in entries.enumerated() {
          for (earlierPlace, early) in entries[..<place].enumerated()
          where early.registeredBy == late.registeredBy && early.number > late.number {
            let isInFlight =
              early.thread != late.thread && !entries[earlierPlace..<place].contains { $0.thread == late.thread }
            if !isInFlight { return "overtaken: \(entries)" }
          }
        }
        return nil
      }
    }

    @Test("2.5 2.7 callbacks start in the order in which each thread has registered them, once, whoever starts them")
    func startOrder() async {
      let helped = Counter()
      await race(
        rounds: 40_000, within: isSanitized ? .seconds(2) : .seconds(8), { Round() },
        { $0.observe(0) }, { $0.observe(1) }, { $0.resolver.fulfill(with: 7) },
        check: { round in
          if round.helped.count > 0 { helped.increment() }
          return round.finding()
        })
      #expect(isSanitized || helped.count > 0, "nobody ever ran the callback of another")
    }

    @Test("2.5 steps come to a serial queue, and to an executor, in the order in which each thread has registered them")
    func handedOver() async {
      struct Round: Sendable {
        let promise: IntPromise
        let resolver: IntPromise.Resolver
        let logs = (0..<4).map { _ in Recorder<Int>() }

        init() { (promise, resolver) = IntPromise.makeWithResolver() }

        func observe(_ log: Int, on context: PromiseContext) {
          for number in 0..<StartOrderRaceTests.observers {
            promise.then(on: context) { [log = logs[log]] _ in log.record(number) }
            promise.then(on: .immediate) { [log = logs[log + 2]] _ in log.record(number) }
          }
        }
      }
      let queue = DispatchQueue(label: "serial")
      let executor = PromiseContext.executor(QueueExecutor(queue))
      await race(
        rounds: 20_000, within: isSanitized ? .seconds(2) : .seconds(8), { Round() },
        { $0.observe(0, on: .queue(queue)) }, { $0.observe(1, on: executor) }, { $0.resolver.fulfill(with: 7) },
        check: { round in
          _ = comesTrue {
            queue.sync {}
            return round.logs.allSatisfy { $0.entries.count >= StartOrderRaceTests.observers }
          }
          for log in round.logs[..<2] where log.entries != Array(0..<StartOrderRaceTests.observers) {
            return "\(log.entries)"
          }
          for log in round.logs[2...] where log.entries.count != StartOrderRaceTests.observers {
            return "\(log.entries)"
          }
          return nil
        })
    }
  }
}

/// A queue that the library does not know for one.
private final class QueueExecutor: PromiseExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
