import Overmorrow
import OvermorrowTesting
import Testing

/// How `delay` and `timeout` take part in cancellation.
@Suite(.inTurn) struct DelayCancellationTests {
  private let clock = TestClock()
  private let probe = IntProbe()

  private func delay() -> Promise<Int, ProbeError> {
    probe.take().delay(on: .immediate, .seconds(10), clock: clock)
  }

  /// When the delayed promise is asked to cancel.
  enum Asking: CaseIterable { case never, before, during }

  @Test(
    "6.1 11.9 a result is delayed, also when cancelling was asked for; but a cancellation that was asked for is passed on at once, and the timer goes",
    arguments: Ending.allCases, Asking.allCases)
  func results(ending: Ending, asking: Asking) async {
    let delayed = delay()
    if asking == .before { delayed.requestCancel() }
    probe.resolver.resolve(with: ending.result(4, .failed))
    if asking != .before { #expect(clock.sleeperCount == 1) }
    if asking == .during { delayed.requestCancel() }
    if ending == .cancelled, asking != .never {
      #expect(delayed.result == .cancelled)
      #expect(clock.sleeperCount == 0)
    } else {
      await clock.advance(by: .seconds(9))
      #expect(delayed.result == nil)
      await clock.advance(by: .seconds(1))
      #expect(await delayed.outcome() == ending.result(4, .failed))
    }
  }

  @Test("3.6 a delay is one vote: cancelling it leaves alone what others want")
  func oneVote() {
    let sibling = probe.makeSibling()
    let delayed = delay()
    delayed.requestCancel()
    #expect(probe.requestCount == 0)
    sibling.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("1.5 a promise made to resolve after a while is cancelled at once, and its timer goes")
  func delayedPromise() async {
    let promise = Promise<Int, ProbeError>(on: .immediate, fulfilled: 1, after: .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    let child = promise.makeChild()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    #expect(child.result == .cancelled)
    #expect(clock.sleeperCount == 0)
  }
}

@Suite(.inTurn) struct TimeoutCancellationTests {
  private let probe = IntProbe()

  @Test("6.2 a timeout of zero asks the upstream within the call")
  func zeroDelay() {
    let limited = probe.promise.timeout(on: .immediate, .zero)
    #expect(limited.result == .error(.timedOut))
    #expect(probe.requestCount == 0)
    probe.drop()
    #expect(probe.requestCount == 1)
  }

  @Test("6.3 a timeout keeps neither the promise from being asked nor, once resolved, its value")
  func keepsNothing() {
    let tracker = Tracker()
    let limited: Promise<Bool, PromiseTimeoutError<Flaw>>
    do {
      let probe = CancelProbe<Tracker.Tracked, Flaw>()
      limited = probe.take().timeout(on: .immediate, .seconds(3600)).map(on: .immediate) { _ in true }
      limited.requestCancel()
      #expect(probe.requestCount == 1)
      probe.resolver.fulfill(with: tracker.make())
    }
    #expect(limited.result == .value(true))
    #expect(tracker.count == 0)
  }
}
