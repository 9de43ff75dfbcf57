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

  @Test("6.1 a cancellation that nobody asked for is delayed")
  func cancelWithoutRequest() async {
    let delayed = delay()
    probe.resolver.cancel()
    #expect(delayed.result == nil)
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(9))
    #expect(delayed.result == nil)
    await clock.advance(by: .seconds(1))
    #expect(await delayed.outcome() == .cancelled)
  }

  @Test("6.1 11.9 asked for during the delay, a cancellation is passed on at once, and the timer goes")
  func requestDuringDelay() async {
    let delayed = delay()
    probe.resolver.cancel()
    #expect(clock.sleeperCount == 1)
    delayed.requestCancel()
    #expect(delayed.result == .cancelled)
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "6.1 a value that is there is not lost by a request, nor an error",
    arguments: [.value(4), .error(.failed)] as [PromiseResult<Int, ProbeError>])
  func resultIsKept(_ result: PromiseResult<Int, ProbeError>) async {
    let delayed = delay()
    probe.resolver.resolve(with: result)
    #expect(clock.sleeperCount == 1)
    delayed.requestCancel()
    #expect(delayed.result == nil)
    await clock.advance(by: .seconds(10))
    #expect(await delayed.outcome() == result)
  }

  @Test("6.1 a value that comes although cancelling was asked for is delayed")
  func valueAfterRequest() async {
    let delayed = delay()
    delayed.requestCancel()
    probe.resolver.fulfill(with: 4)
    #expect(delayed.result == nil)
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(10))
    #expect(await delayed.outcome() == .value(4))
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
