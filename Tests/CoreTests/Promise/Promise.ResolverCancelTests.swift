import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct ResolverCancelTests {
  private let log = Recorder<String>()
  private let runs = Counter()
  private let promise: Subject
  private let resolver: Subject.Resolver

  init() { (promise, resolver) = Subject.makeWithResolver() }

  // MARK: When handlers run

  @Test("1.10 a handler registered after the request is run or submitted at once")
  func afterRequest() {
    let executor = ManualContext()
    promise.requestCancel()
    resolver.onRequestCancel(on: executor.context) { _ in log.record("on the executor") }
    resolver.onRequestCancel(on: .immediate) { _ in log.record("immediate") }
    log.record("after")
    #expect(executor.runAll() == 1)
    #expect(log.entries == ["immediate", "after", "on the executor"])
  }

  @Test("1.10 on the serial queue that resolves the promise, no handler runs afterwards")
  func neverAfterResult() async {
    let queue = DispatchQueue(label: "serial")
    await race(
      rounds: 500,
      {
        let (promise, resolver) = Subject.makeWithResolver()
        let (isResolved, late) = (Counter(), Counter())
        resolver.onRequestCancel(on: .queue(queue)) { _ in if isResolved.count > 0 { late.increment() } }
        return (promise: promise, resolver: resolver, isResolved: isResolved, late: late)
      },
      { $0.promise.requestCancel() },
      { round in
        queue.sync {
          round.resolver.fulfill(with: 7)
          round.isResolved.increment()
        }
      },
      check: { round in
        queue.sync {}
        return round.late.count == 0 ? nil : "the handler ran after the result"
      })
  }

  // MARK: Executors of handlers

  @Test("1.10 a handler on an executor that drops it does not run, and resolves nothing")
  func droppedHandler() {
    let tracker = Tracker()
    resolver.onRequestCancel(on: .executor(DroppingExecutor()), tracker.callback { $0.cancel() })
    promise.requestCancel()
    #expect((promise.result, tracker.count) == (nil, 0))
    resolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  @Test("1.10 a handler on an executor that runs work repeatedly runs once")
  func repeatedHandler() {
    resolver.onRequestCancel(on: .executor(RepeatingExecutor(times: 3))) { _ in runs.increment() }
    promise.requestCancel()
    #expect(runs.count == 1)
    withExtendedLifetime(resolver) {}
  }
}
