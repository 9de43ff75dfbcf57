import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct ResolverCancelTests {
  private typealias IntPromise = Promise<Int, Reason>

  private let log = Recorder<String>()
  private let runs = Counter()
  private let promise: IntPromise
  private let resolver: IntPromise.Resolver

  init() { (promise, resolver) = IntPromise.makeWithResolver() }

  // MARK: When handlers run

  @Test("1.10 a handler that is registered after the request runs at once, or is handed to its context at once")
  func afterRequest() {
    let executor = ManualContext()
    promise.requestCancel()
    resolver.onRequestCancel(on: executor.context) { _ in log.record("on the executor") }
    resolver.onRequestCancel(on: .immediate) { _ in log.record("immediate") }
    log.record("after")
    #expect(executor.runAll() == 1)
    #expect(log.entries == ["immediate", "after", "on the executor"])
  }

  @Test("1.10 with `.nowOr(c)` a handler runs on `c`, or inside the registering call after the request")
  func nowOr() {
    let executor = ManualContext()
    resolver.onRequestCancel(on: .nowOr(executor.context)) { _ in log.record("first") }
    promise.requestCancel()
    #expect(log.entries == [])
    resolver.onRequestCancel(on: .nowOr(executor.context)) { _ in log.record("second") }
    #expect(log.entries == ["second"])
    executor.runAll()
    #expect(log.entries == ["second", "first"])
  }

  @Test("1.10 a handler that is registered after the result does not run, also when cancelling was requested before")
  func registeredAfterResult() {
    promise.requestCancel()
    resolver.fulfill(with: 7)
    resolver.onRequestCancel(on: .immediate) { _ in runs.increment() }
    #expect(runs.count == 0)
  }

  @Test(
    "1.10 a handler in the queue behind the work that resolves the promise runs only if that cancels it",
    arguments: Ending.allCases)
  func resolvedBeforeItsTurn(ending: Ending) {
    let serial = ManualContext()
    resolver.onRequestCancel(on: serial.context) { _ in runs.increment() }
    serial.enqueue { resolver.resolve(with: ending.result(7, "no")) }
    promise.requestCancel()
    #expect(serial.count == 2)
    serial.runAll()
    #expect(runs.count == (ending == .cancelled ? 1 : 0))
  }

  @Test("1.10 on a serial queue that also resolves the promise, a handler never runs after that")
  func neverAfterResult() async {
    let queue = DispatchQueue(label: "serial")
    await race(
      rounds: 500,
      {
        let (promise, resolver) = IntPromise.makeWithResolver()
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

  // MARK: What a handler may do, and keep

  @Test("1.10 a handler on an executor that drops it does not run, and resolves nothing")
  func droppedHandler() {
    let tracker = Tracker()
    resolver.onRequestCancel(on: .executor(DroppingExecutor()), tracker.callback { $0.cancel() })
    promise.requestCancel()
    #expect(tracker.count == 0)
    #expect(promise.result == nil)
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

  @Test(
    "1.10 while the promise follows another one its handlers run, also when no copy of the resolver is left",
    arguments: [PromiseContext.immediate, .nowOr(.main)])
  func handlerWithoutResolver(context: PromiseContext) async {
    let ran = Latch()
    let (inner, innerResolver) = IntPromise.makeWithResolver()
    let promise = IntPromise(on: .immediate) { resolver in
      resolver.onRequestCancel(on: context) { resolver in
        // Too late: the promise follows the other one.
        resolver.cancel()
        ran.signal()
      }
      resolver.resolve(with: inner)
    }
    promise.requestCancel()
    await ran.wait(for: "the handler")
    #expect(promise.result == nil)
    innerResolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  // MARK: Reading the flag

  @Test("1.10 hasRequestedCancel tells of the request while handlers run, and while another promise is followed")
  func hasRequestedCancelElsewhere() {
    let (inner, innerResolver) = IntPromise.makeWithResolver()
    let seen = Recorder<Bool>()
    resolver.onRequestCancel(on: .immediate) { seen.record($0.hasRequestedCancel) }
    resolver.resolve(with: inner)
    #expect(!resolver.hasRequestedCancel)
    promise.requestCancel()
    #expect(seen.entries == [true])
    #expect(resolver.hasRequestedCancel)
    innerResolver.fulfill(with: 7)
  }
}
