import Overmorrow
import Testing

@Suite(.inTurn) struct TimeoutTests {
  private let executor = ManualContext()

  typealias Probe = TimeoutForm.Probe
  typealias Outcome = PromiseResult<Int, PromiseTimeoutError<Flaw>>

  private let clock = TestClock()

  private static let endings: [(PromiseResult<Int, any Error>, Outcome)] = [
    (.value(1), .value(1)), (.error(ProbeError.failed), .error(.rejected("failed"))), (.cancelled, .cancelled),
  ]

  @Test("6.2 a result that arrives in time is passed on and ends the timer", arguments: TimeoutForm.allCases)
  func inTime(form: TimeoutForm) async {
    for (result, expected) in Self.endings {
      let (limited, probe) = Probe.feed { form.limit($0, on: .immediate, .seconds(10), clock: clock) }
      #expect(clock.sleeperCount == 1)
      await clock.advance(by: .seconds(9))
      #expect(limited.result == nil)
      probe.resolver.resolve(with: result)
      #expect(limited.result == expected)
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test(
    "6.2 3.9 a late promise fails with timedOut at its deadline and is asked to cancel",
    arguments: TimeoutForm.allCases, [false, true])
  func late(form: TimeoutForm, complying: Bool) async {
    for (result, _) in Self.endings {
      let (probe, seen) = (Probe(complying: complying), Recorder<Outcome>())
      let limited = form.limit(probe.take(), on: .immediate, .seconds(10), clock: clock)
      limited.always(on: .immediate) { seen.record($0) }
      #expect(clock.sleeperCount == 1)
      await clock.advance(by: .seconds(10) - .nanoseconds(1))
      #expect(clock.sleeperCount == 1)
      #expect((limited.result, probe.requestCount) == (nil, 0))
      await clock.advance(by: .nanoseconds(1))
      #expect(await limited.outcome() == .error(.timedOut))
      probe.resolver.resolve(with: result)
      #expect(limited.result == .error(.timedOut))
      #expect(seen.entries == [.error(.timedOut)])
      #expect(probe.requestCount == 1)
    }
  }

  @Test("6.2 6.16 each of several timeouts of one promise has its own deadline")
  func several() async {
    let (limited, probe) = CancelProbe<Int, Flaw>.feed { promise in
      (1...3).map { promise.timeout(on: .immediate, .seconds($0 * 10), clock: clock) }
    }
    #expect(clock.sleeperCount == 3)
    await clock.advance(by: .seconds(10))
    #expect(await limited[0].outcome() == .error(.timedOut))
    #expect(limited[1].result == nil)
    await clock.advance(by: .seconds(10))
    #expect(await limited[1].outcome() == .error(.timedOut))
    probe.resolver.fulfill(with: 1)
    #expect(limited[2].result == .value(1))
    #expect(clock.sleeperCount == 0)
  }

  // MARK: Contexts

  @Test("6.2 a timeout of a resolved promise is resolved without a timer")
  func resolvedAlready() {
    let value = Promise<Int, Flaw>(fulfilled: 1).timeout(.seconds(10), clock: clock)
    #expect(value.result == .value(1))
    let flaw = Promise<Int, Flaw>(rejected: "no").timeout(.seconds(10), clock: clock)
    #expect(flaw.result == .error(.rejected("no")))
    let error = Promise<Int, any Error>(rejected: ProbeError.failed).timeout(.seconds(-1), clock: clock)
    #expect(type(of: error) == Promise<Int, any Error>.self)
    #expect(error.result?.error as? ProbeError == .failed)
    let cancelled = Promise<Int, Flaw>(with: .cancelled).timeout(on: .immediate, .zero, clock: clock)
    #expect(cancelled.result == .cancelled)
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "6.2 a result before the deadline wins even if the context runs it later",
    arguments: TimeoutForm.allCases, [false, true])
  func context(form: TimeoutForm, isNowOr: Bool) async {
    for (result, expected) in Self.endings {
      let executor = ManualContext()
      let context = isNowOr ? .nowOr(executor.context) : executor.context
      let (inTime, first) = Probe.feed { form.limit($0, on: context, .seconds(10), clock: clock) }
      let (late, second) = Probe.feed { form.limit($0, on: context, .seconds(10), clock: clock) }
      #expect(clock.sleeperCount == 2)
      first.resolver.resolve(with: result)
      // The timer has been cancelled, although the context has not run anything yet.
      #expect(clock.sleeperCount == 1)
      await clock.advance(by: .seconds(20))
      #expect((inTime.result, late.result) == (nil, nil))
      #expect(executor.runAll() == 2)
      #expect((inTime.result, late.result) == (expected, .error(.timedOut)))
      withExtendedLifetime(second) {}
    }
  }

  @Test("6.2 a result in time wins even if the timer can no longer be stopped", arguments: TimeoutForm.allCases)
  func busyAndUnstoppable(form: TimeoutForm) async {
    let (asleep, wake, ended) = (Latch(), Latch(), Latch())
    let (limited, probe) = Probe.feed { promise in
      let clock = StubbornClock(asleep: asleep, wake: wake, life: Tracker().make { ended.signal() })
      return form.limit(promise, on: executor.context, .seconds(10), clock: clock)
    }
    await asleep.wait(for: "the timer to sleep")
    probe.resolver.fulfill(with: 1)
    wake.signal()
    // The clock is released with the task that sleeps on it, after the timer has fired.
    await ended.wait(for: "the timer to end")
    #expect(executor.count == 1)
    executor.runAll()
    #expect(limited.result == .value(1))
  }

  @Test(
    "6.2 a deadline that has passed decides even if the context runs later",
    arguments: TimeoutForm.allCases, [false, true])
  func decidedAtTheDeadline(form: TimeoutForm, drops: Bool) async {
    let (limited, probe) = Probe.feed { form.limit($0, on: executor.context, .seconds(10), clock: clock) }
    await clock.advance(by: .seconds(10))
    await executor.waitForWork()
    #expect(limited.result == nil)
    if drops {
      executor.dropAll()
    } else {
      probe.resolver.fulfill(with: 1)
      executor.runAll()
    }
    #expect(limited.result == (drops ? .cancelled : .error(.timedOut)))
    #expect(probe.requestCount == (drops ? 1 : 0))
  }

  @Test(
    "6.2 a timeout of zero or less ends inside the call on .immediate and .nowOr",
    arguments: TimeoutForm.allCases, [false, true])
  func notPositive(form: TimeoutForm, complying: Bool) {
    for delay in [Duration.zero, .nanoseconds(-1), .seconds(Int64.min)] {
      for context in [PromiseContext.immediate, .nowOr(executor.context), .nowOr(.main), .nowOr(.immediate)] {
        let probe = Probe(complying: complying)
        let result = form.limit(probe.take(), on: context, delay, clock: clock).result
        #expect((result, probe.requestCount) == (.error(.timedOut), 1))
      }
    }
    #expect((executor.count, clock.sleeperCount) == (0, 0))
  }

  @Test(
    "6.2 a timeout of zero or less on another context is decided there",
    arguments: TimeoutForm.allCases, [false, true])
  func notPositiveElsewhere(form: TimeoutForm, drops: Bool) {
    let inTime: [(PromiseResult<Int, any Error>?, Outcome)] = Self.endings.map { ($0, $1) }
    for delay in [Duration.zero, .seconds(-1)] {
      for (result, expected) in inTime + [(nil, drops ? .cancelled : .error(.timedOut))] {
        let executor = ManualContext()
        let (limited, probe) = Probe.feed { form.limit($0, on: executor.context, delay, clock: clock) }
        #expect(executor.count == 1)
        if let result { probe.resolver.resolve(with: result) }
        #expect(limited.result == nil)
        if drops { executor.dropAll() } else { executor.runAll() }
        #expect(limited.result == expected)
        #expect(probe.requestCount == (result == nil ? 1 : 0))
      }
    }
  }

  @Test("6.18 on a clock that cannot sleep, the time limit passes at once", arguments: TimeoutForm.allCases)
  func brokenClock(form: TimeoutForm) async {
    let (limited, probe) = Probe.feed { $0.timeout(on: .immediate, .seconds(3600), clock: BrokenClock()) }
    await expectRejected(limited, within: .seconds(60))
    #expect(probe.requestCount == 1)
    let delayed = Promise<Int, Never>(fulfilled: 1).delay(on: .immediate, .seconds(3600), clock: BrokenClock())
    await expectFulfilled(delayed, within: .seconds(60))
  }

  @Test("6.2 6.17 timeout errors are equal by case and error, and describe what happened")
  func errors() {
    let all: [PromiseTimeoutError<Flaw>] = [.timedOut, .rejected("a"), .rejected("b")]
    for (row, left) in all.enumerated() {
      for (column, right) in all.enumerated() { #expect((left == right) == (row == column)) }
    }
    #expect(Set(all + all).count == 3)
    #expect(all.map { "\($0)" } == ["the promise timed out", "a", "b"])
  }
}

/// A clock that has stopped: its sleeps throw.
private struct BrokenClock: Clock {
  private struct Stopped: Error {}

  var now: TestClock.Instant { TestClock.Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws { throw Stopped() }
}

/// A clock whose sleeps end only when the test wakes them, even if they are cancelled.
private struct StubbornClock: Clock {
  let asleep: Latch
  let wake: Latch
  let life: Tracker.Tracked

  var now: TestClock.Instant { TestClock.Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async {
    asleep.signal()
    await wake.wait(for: "the test to wake a sleeper")
  }
}
