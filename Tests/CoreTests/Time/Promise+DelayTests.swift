import Dispatch
import Overmorrow
import Testing

/// `delay`, and promises that resolve after a delay.
@Suite(.inTurn) struct DelayTests {
  typealias Input = CancelProbe<Int, Flaw>
  typealias Outcome = PromiseResult<Int, Flaw>

  private let clock = TestClock()

  @Test(
    "1.5 6.1 every result is passed on after the delay, and not before",
    arguments: DelayForm.allCases, [Outcome.value(1), .error("no"), .cancelled])
  func forwards(form: DelayForm, result: Outcome) async {
    let delayed = form.make(result, on: .immediate, .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1)
    #expect(delayed.result == nil)
    await clock.advance(by: .nanoseconds(1))
    #expect(await delayed.outcome() == result)
  }

  @Test(
    "1.5 6.1 a delay of zero or less resolves soon, but not inside the call",
    arguments: DelayForm.allCases, [Duration.zero, .seconds(-5), .seconds(Int64.min)])
  func notPositive(form: DelayForm, delay: Duration) async {
    for wrap in [{ $0 }, PromiseContext.nowOr] {
      let executor = ManualContext()
      let delayed = form.make(on: wrap(executor.context), delay, clock: clock)
      #expect(delayed.result == nil)
      await executor.waitForWork()
      #expect(delayed.result == nil)
      executor.runAll()
      #expect(delayed.result == .value(1))
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test(
    "1.4 1.5 6.1 a delay resolves its promise on the context by one submission",
    arguments: DelayForm.allCases, [false, true])
  func context(form: DelayForm, drops: Bool) async {
    let executor = ManualContext()
    let log = Recorder<Outcome>()
    let delayed = form.make(on: executor.context, .seconds(1), clock: clock)
    delayed.always(on: .immediate) { log.record($0) }
    await clock.advance(by: .seconds(1))
    await executor.waitForWork()
    #expect((executor.count, log.entries) == (1, []))
    if drops { executor.dropAll() } else { executor.runAll() }
    #expect(log.entries == [drops ? .cancelled : .value(1)])
    #expect(executor.count == 0)
  }

  @Test("6.1 1.5 on .immediate and by default, a delay ends on .auto")
  @MainActor func immediateIsAuto() async {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let early: [Promise<Int, Flaw>] = [
      promise.delay(.zero), promise.delay(on: .immediate, .zero), promise.delay(on: .nowOr(.immediate), .zero),
      Promise(on: .immediate, fulfilled: 1, after: .zero), Promise(on: .immediate, rejected: "no", after: .zero),
      Promise(on: .immediate, with: .cancelled, after: .zero),
    ]
    let places = early.map { delayed in
      delayed.mapResult(on: .immediate) { _ in PromiseResult<Bool, Never>.value(PromiseContext.auto == .main) }
    }
    // The resolving thread does not matter.
    DispatchQueue.global().async { resolver.fulfill(with: 1) }
    for place in places { #expect(await place.outcome() == .value(true)) }
  }

  @Test("6.1 1.5 on .immediate, a delay made elsewhere ends on the default global queue")
  func immediateElsewhere() async {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let label = promise.delay(on: .immediate, .zero).map(on: .immediate) { _ in currentQueueLabel }
    DispatchQueue.main.async { resolver.fulfill(with: 1) }
    #expect(await label.outcome() == .value("com.apple.root.default-qos"))
  }

  @Test("6.1 the promise is resolved before the thread that delivers the result continues")
  func promptTurn() {
    let queue = MarkedQueue()
    let (delayed, input) = Input.feed { $0.delay(on: .immediate, .seconds(10), clock: PromptClock(queue: queue)) }
    let isThere = delayed.map(on: .immediate) { _ in queue.isCurrent }
    input.resolver.fulfill(with: 1)
    #expect(isThere.result == .value(true))
  }

  // MARK: Cancellation

  /// The moment at which the delayed promise receives a request to cancel (`elsewhere`: another observer requests the
  /// cancellation of the source).
  enum Asking: CaseIterable { case never, before, during, elsewhere }

  @Test(
    "6.1 11.9 a delay starts when its promise resolves, and a requested cancellation is not delayed",
    arguments: Ending.allCases, Asking.allCases)
  func startsWithResult(ending: Ending, asking: Asking) async {
    let ((delayed, source), input) = Input.feed {
      ($0.delay(on: .immediate, .seconds(10), clock: clock), $0.cancellable)
    }
    await clock.advance(by: .seconds(3))
    #expect(clock.sleeperCount == 0)
    if asking == .before { delayed.requestCancel() }
    if asking == .elsewhere {
      input.resolver.onRequestCancel(on: .immediate) { $0.resolve(with: ending.result(1, "no")) }
      source.requestCancel()
    } else {
      input.resolver.resolve(with: ending.result(1, "no"))
    }
    if asking != .before { #expect(clock.sleeperCount == 1) }
    if asking == .during { delayed.requestCancel() }
    if ending == .cancelled, [.before, .during].contains(asking) {
      #expect((delayed.result, clock.sleeperCount) == (.cancelled, 0))
    } else {
      await clock.advance(by: .seconds(9))
      #expect(delayed.result == nil)
      await clock.advance(by: .seconds(1))
      #expect(await delayed.outcome() == ending.result(1, "no"))
    }
  }

  @Test(
    "1.5 a request to a delayed promise cancels it and removes the timer at once",
    arguments: [Outcome.value(1), .error("no"), .cancelled])
  func cancels(result: Outcome) {
    let promise = Promise(with: result, after: .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    promise.requestCancel()
    #expect((promise.result, clock.sleeperCount) == (.cancelled, 0))
  }

  @Test("1.5 a request between the delay's end and the context's turn still cancels")
  func cancelsWhileSubmitted() async {
    let executor = ManualContext()
    let promise = Promise<Int, Flaw>(on: executor.context, fulfilled: 1, after: .seconds(1), clock: clock)
    await clock.advance(by: .seconds(1))
    await executor.waitForWork()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    executor.runAll()
    #expect(promise.result == .cancelled)
  }

  @Test("6.1 3.6 while the result is being delayed, the source is released")
  func releasesSource() async {
    let tracker = Tracker()
    let delayed = Promise<Tracker.Tracked, Flaw>(fulfilled: tracker.make())
      .map(on: .immediate) { _ in 1 }
      .delay(on: .immediate, .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    #expect(tracker.count == 0)
    withExtendedLifetime(delayed) {}
    await clock.advance(by: .seconds(10))
    #expect(await delayed.outcome() == .value(1))
  }
}

/// A clock on which every deadline has passed: it runs actions on a queue, inside the call that schedules them.
private struct PromptClock: PromiseSchedulingClock {
  let queue: MarkedQueue

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func schedule(
    at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    queue.queue.sync(execute: action)
    return {}
  }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async {}
}
