import Overmorrow
import Testing

/// The votes and requests of `timeout`, and the objects that it retains.
@Suite(.inTurn) struct TimeoutRequestTests {
  typealias Probe = TimeoutForm.Probe

  private let clock = TestClock()

  @Test(
    "6.2 3.6 a request to a timeout is passed up, and its time limit remains",
    arguments: TimeoutForm.allCases, [false, true])
  func requested(form: TimeoutForm, complies: Bool) async {
    let (limited, probe) = Probe.feed { form.limit($0, on: .immediate, .seconds(10), clock: clock) }
    #expect(clock.sleeperCount == 1)
    limited.requestCancel()
    #expect((limited.result, probe.requestCount) == (nil, 1))
    if complies {
      probe.resolver.cancel()
      #expect(limited.result == .cancelled)
    } else {
      await clock.advance(by: .seconds(10))
      #expect(await limited.outcome() == .error(.timedOut))
    }
    #expect((clock.sleeperCount, probe.requestCount) == (0, 1))
  }

  @Test(
    "6.2 a timeout withdraws one vote, and a request after it withdraws none",
    arguments: TimeoutForm.allCases, [false, true])
  func otherChildren(form: TimeoutForm, asksAgain: Bool) async {
    let ((limited, children), probe) = Probe.feed {
      (form.limit($0, on: .immediate, .seconds(10), clock: clock), [$0.makeChild(), $0.makeChild()])
    }
    await clock.advance(by: .seconds(10))
    #expect(await limited.outcome() == .error(.timedOut))
    if asksAgain { limited.requestCancel() }
    children[0].requestCancel()
    #expect(probe.requestCount == 0)
    children[1].requestCancel()
    #expect(probe.requestCount == 1)
  }

  // MARK: Memory

  @Test(
    "6.3 11.3 11.8 a timer with an hour left retains nothing of a resolved promise",
    arguments: TimeoutForm.allCases)
  func keepsNothing(form: TimeoutForm) {
    let tracker = Tracker()
    weak var executor: RepeatingExecutor?
    do {
      let once = RepeatingExecutor(times: 1)
      executor = once
      let (limited, probe) = CancelProbe<Tracker.Tracked, any Error>.feed { promise in
        form.limit(
          promise.map(on: .immediate) { _ in 1 }, on: .executor(once), .seconds(3600), clock: ContinuousClock())
      }
      limited.then(on: .immediate) { [object = tracker.make()] _ in _ = object }
      probe.resolver.fulfill(with: tracker.make())
      #expect(limited.result == .value(1))
    }
    #expect(tracker.count == 0)
    #expect(executor == nil)
  }

  @Test(
    "6.2 6.3 a timeout that has fired retains nothing, and asks no promise with a handle",
    arguments: TimeoutForm.allCases)
  func timedOutKeepsNothing(form: TimeoutForm) async {
    let tracker = Tracker()
    let probe = Probe()
    let limited = form.limit(probe.promise, on: .immediate, .seconds(10), clock: clock)
      .always(on: .immediate) { [object = tracker.make()] _ in _ = object }
    await clock.advance(by: .seconds(10))
    #expect(await limited.outcome() == .error(.timedOut))
    #expect((tracker.count, probe.requestCount) == (0, 0))
    withExtendedLifetime(probe) {}
  }

  // MARK: Threads

  @Test("6.2 when a result races with its deadline, there is exactly one outcome", arguments: TimeoutForm.allCases)
  func race(form: TimeoutForm) async {
    for round in 0..<300 {
      let observed = Counter()
      let (limited, probe) = Probe.feed {
        form.limit($0, on: .immediate, .microseconds(round % 60), clock: ContinuousClock())
      }
      // Waits for the observer's promise, which resolves only after the callback has returned. A later observer of
      // `limited` could run during the callback.
      let observer = limited.always(on: .immediate) { _ in observed.increment() }
      await Task.yield()
      probe.resolver.fulfill(with: 1)
      let outcome = await observer.outcome()
      #expect(outcome == .value(1) || outcome == .error(.timedOut))
      #expect(observed.count == 1)
      // The request is made when the time limit passes, or never; not after the result.
      #expect(outcome == .error(.timedOut) || probe.requestCount == 0)
    }
  }
}
