import Dispatch
internal import OvermorrowEngine
import Testing

@testable import Overmorrow

/// Timers on different clocks.
@Suite(.inTurn) struct TimerTests {
  /// Checks that no promise is resolved earlier than the delay after its creation.
  private func expectNothingEarly<C: Clock>(_ delay: Duration, on clock: C) async where C.Duration == Duration {
    let (late, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let forms: [@Sendable () -> Promise<Int, Flaw>] = [
      { Promise(on: .immediate, fulfilled: 1, after: delay, clock: clock) },
      { Promise(fulfilled: 1).delay(on: .immediate, delay, clock: clock) },
      { late.timeout(on: .userInitiated, delay, clock: clock).mapError(on: .immediate) { _ in "late" } },
    ]
    for form in forms {
      let start = clock.now
      let end = form().mapResult(on: .immediate) { _ in PromiseResult<C.Instant, Never>.value(clock.now) }
      let time = await end.outcome("a promise that takes \(delay)")?.value
      #expect(time.map { start.advanced(by: delay) <= $0 } == true)
    }
    withExtendedLifetime(resolver) {}
  }

  @Test(
    "6.4 on the system's clocks, no timer is early",
    arguments: [ContinuousClock(), SuspendingClock()] as [any Clock<Duration>],
    [Duration.zero, .nanoseconds(1), .microseconds(50), .milliseconds(1), .milliseconds(3) + .nanoseconds(7)])
  func notEarly(clock: any Clock<Duration>, delay: Duration) async {
    await expectNothingEarly(delay, on: clock)
  }

  @Test("6.4 time on one clock does not pass on another")
  func separateClocks() async {
    let (own, other) = (TestClock(), TestClock())
    let promise = Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: .seconds(1), clock: own)
    #expect((own.sleeperCount, other.sleeperCount) == (1, 0))
    await other.advance(by: .seconds(1))
    #expect((own.sleeperCount, promise.result) == (1, nil))
    await own.advance(by: .seconds(1))
    #expect(await promise.outcome() == .value(1))
  }

  @Test(
    "6.4 6.15 the longest possible delays wait, on any clock, and can be cancelled",
    arguments: [
      Duration.seconds(Int64.max), .seconds(Int64.max) + .nanoseconds(999_999_999), .seconds(Int64.max / 1000),
    ])
  func longest(delay: Duration) async {
    let clock = TestClock()
    let promises = [
      Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: delay),
      Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: delay, clock: clock),
    ]
    #expect(clock.sleeperCount == 1)
    for promise in promises {
      #expect(promise.result == nil)
      promise.requestCancel()
      #expect(promise.result == .cancelled)
    }
    let (limited, probe) = CancelProbe<Int, Flaw>.feed {
      [$0.timeout(on: .immediate, delay), $0.timeout(on: .immediate, delay, clock: clock)]
    }
    probe.resolver.fulfill(with: 1)
    #expect(limited.map(\.result) == [.value(1), .value(1)])
    let delayed = Promise<Int, Flaw>(with: .cancelled).delay(on: .immediate, delay)
    #expect(delayed.result == nil)
    delayed.requestCancel()
    #expect(delayed.result == .cancelled)
  }

  @Test("6.4 6.15 the most negative delays end at once, on any clock")
  func mostNegative() async {
    let delay = Duration.seconds(Int64.min)
    #expect(await Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: delay).outcome() == .value(1))
    #expect(
      await Promise<Int, Flaw>(on: .immediate, fulfilled: 1, after: delay, clock: TestClock()).outcome() == .value(1))
    #expect(await Promise<Int, Flaw>(fulfilled: 1).delay(on: .immediate, delay).outcome() == .value(1))
  }

  @Test(
    "6.1 6.2 6.14 a slow callback after a delay or a timeout keeps no other timer waiting",
    arguments: [
      PromiseContext.immediate, .nowOr(.immediate), .executor(RepeatingExecutor(times: 1)),
      .nowOr(.executor(RepeatingExecutor(times: 1))),
    ], [false, true])
  func slowCallback(context: PromiseContext, isTimeout: Bool) async {
    let probe = CancelProbe<Int, Flaw>()
    let end =
      isTimeout
      ? probe.promise.timeout(on: context, .milliseconds(1)).mapError(on: .immediate) { _ in "late" }
      : Promise<Int, Flaw>(on: context, fulfilled: 1, after: .zero)
    let slow = end.mapResult(on: .immediate) { _ in PromiseResult<Bool, Flaw>.value(Self.otherTimer()) }
    #expect(await slow.outcome() == .value(true))
  }

  /// Returns whether another timer fires while this function blocks.
  private static func otherTimer() -> Bool {
    let other = DispatchSemaphore(value: 0)
    Promise<Int, Flaw>(on: .userInitiated, fulfilled: 2, after: .zero).then(on: .immediate) { _ in other.signal() }
    return other.wait(timeout: .now() + .seconds(60)) == .success
  }

  @Test(
    "6.3 a duration for Dispatch is rounded up, limited, and in a unit that fits",
    arguments: [
      (Duration.zero, 0, .nanoseconds(0)), (.nanoseconds(1), 1, .nanoseconds(1)),
      (Duration(secondsComponent: 0, attosecondsComponent: 1), 1, .nanoseconds(1)),
      (Duration(secondsComponent: 1, attosecondsComponent: 1_000_000_001), 1_000_000_002, .nanoseconds(1_000_000_002)),
      (.nanoseconds(2_147_483_647), 2_147_483_647, .nanoseconds(2_147_483_647)),
      (.nanoseconds(2_147_483_648), 2_147_483_648, .microseconds(2_147_484)),
      (.seconds(3600), 3_600_000_000_000, .milliseconds(3_600_000)),
      (.microseconds(2_147_483_647), 2_147_483_647_000, .microseconds(2_147_483_647)),
      (.microseconds(2_147_483_647) + .nanoseconds(1), 2_147_483_647_001, .milliseconds(2_147_484)),
      (.milliseconds(2_147_483_647), 2_147_483_647_000_000, .milliseconds(2_147_483_647)),
      (.milliseconds(2_147_483_647) + .nanoseconds(1), 2_147_483_647_000_001, .seconds(2_147_484)),
      (.seconds(2_147_483_647), 2_147_483_647_000_000_000, .seconds(2_147_483_647)),
      (.longestWait, 3_000_000_000_000_000_000, .seconds(2_147_483_647)),
      (.longestWait - .nanoseconds(1), 2_999_999_999_999_999_999, .seconds(2_147_483_647)),
      (.longestWait + .nanoseconds(1), 3_000_000_000_000_000_000, .seconds(2_147_483_647)),
      (.seconds(Int64.max), 3_000_000_000_000_000_000, .seconds(2_147_483_647)),
      (.seconds(Int64.min), 0, .nanoseconds(0)),
    ] as [(Duration, Int, DispatchTimeInterval)])
  func dispatchInterval(duration: Duration, nanoseconds: Int, in32Bits: DispatchTimeInterval) {
    #expect(duration.dispatchInterval() == .nanoseconds(nanoseconds))
    #expect(duration.dispatchInterval(upTo: Int64(Int32.max)) == in32Bits)
  }
}
