#if os(macOS) || os(Linux)
  import Dispatch
  import OvermorrowEngine
  import Testing

  @testable import Overmorrow

  /// The memory that timers leave behind. Each test runs in its own process, because other tests use timers too.
  @Suite(.heavy) struct TimerMemoryTests {
    private static let hour = Duration.seconds(3600)

    /// Makes promises with a timeout of an hour in every form, resolves them early, and releases them.
    private static func resolveEarly(_ count: Int) {
      HandOverCount.start()
      defer { HandOverCount.stop() }
      for number in 0..<count {
        let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
        let wrapping: Promise<Int, PromiseTimeoutError<any Error>> = promise.timeout(on: .immediate, hour)
        let plain: Promise<Int, any Error> = promise.timeout(hour)
        switch number % 3 {
        case 0: resolver.fulfill(with: number)
        case 1: resolver.reject(with: ProbeError.failed)
        default: resolver.cancel()
        }
        withExtendedLifetime((wrapping, plain)) {}
        if number % 100 == 99 { waitForQueues() }
      }
    }

    /// Waits until the steps on global queues have run, which may be slower than the loop that makes them. Steps that
    /// wait for their turn are not what timers leave behind.
    private static func waitForQueues() {
      let end = DispatchSemaphore(value: 0)
      HandOverCount.whenEnded { end.signal() }
      #expect(end.wait(timeout: .now() + waitLimit) == .success, "timed out waiting for the work on global queues")
    }

    @Test("6.3 100,000 timeouts of one hour leave neither a timer nor memory behind")
    func resolvedTimeouts() async {
      await #expect(processExitsWith: .success) {
        // Allocates the memory that the process needs in any case.
        Self.resolveEarly(5000)
        let before = residentBytes()
        Self.resolveEarly(scaled(50_000))
        #expect(TimerQueue.continuous.count == 0)
        if let before, let after = residentBytes() {
          #expect(after - before < 2_000_000, "100,000 timeouts have left \(after - before) bytes")
        }
      }
    }

    @Test("6.3 10,000 pending timeouts leave nothing behind, in whatever order they end")
    func pendingTogether() async {
      await #expect(processExitsWith: .success) {
        let tracker = Tracker()
        do {
          var resolvers: [Promise<Tracker.Tracked, Flaw>.Resolver] = []
          for number in 0..<10_000 {
            let (promise, resolver) = Promise<Tracker.Tracked, Flaw>.makeWithResolver()
            _ = promise.timeout(on: .immediate, Self.hour + .milliseconds(number * 617 % 1000))
            resolvers.append(resolver)
          }
          #expect(TimerQueue.continuous.count == 10_000)
          for step in 0..<10_000 { resolvers[step * 617 % 10_000].fulfill(with: tracker.make()) }
          #expect(TimerQueue.continuous.count == 0)
        }
        #expect(tracker.count == 0)
      }
    }

    @Test("6.3 a timeout that has fired leaves no timer and no value behind")
    func fired() async {
      await #expect(processExitsWith: .success) {
        let tracker = Tracker()
        let unresolved = CancelProbe<Int, Flaw>()
        let late = unresolved.take().timeout(on: .immediate, .zero)
        let done = Promise<Int, Flaw>(fulfilled: 1).timeout(on: .main, Self.hour)
        #expect(late.result == .error(.timedOut))
        #expect(TimerQueue.continuous.count == 0)
        withExtendedLifetime((unresolved, done)) {}
        for _ in 0..<100 {
          let probe = CancelProbe<Tracker.Tracked, Flaw>()
          let limited = probe.take().timeout(on: .immediate, .microseconds(100))
          #expect(await limited.outcome()?.error == .timedOut)
          probe.resolver.fulfill(with: tracker.make())
        }
        #expect(TimerQueue.continuous.count == 0)
        #expect(tracker.count == 0)
      }
    }

    @Test("6.3 2000 cancelled delays leave neither a timer nor their values behind")
    func cancelledDelays() async {
      await #expect(processExitsWith: .success) {
        let tracker = Tracker()
        for _ in 0..<2000 {
          let promise = Promise<Tracker.Tracked, Flaw>(on: .immediate, fulfilled: tracker.make(), after: Self.hour)
          promise.requestCancel()
          #expect(promise.result?.isCancelled == true)
          let delayed = Promise<Tracker.Tracked, Flaw>(with: .cancelled).delay(on: .immediate, Self.hour)
          delayed.requestCancel()
          #expect(delayed.result?.isCancelled == true)
        }
        #expect(TimerQueue.continuous.count == 0)
        #expect(tracker.count == 0)
      }
    }

    @Test("6.3 6.4 a thousand timeouts on another clock leave no task sleeping on it")
    func otherClock() async {
      await #expect(processExitsWith: .success) {
        let clock = TestClock()
        let probe = CancelProbe<Int, Flaw>()
        for _ in 0..<1000 { _ = probe.promise.timeout(on: .immediate, Self.hour, clock: clock) }
        #expect(clock.sleeperCount == 1000)
        #expect(TimerQueue.continuous.count == 0)
        probe.resolver.fulfill(with: 1)
        #expect(clock.sleeperCount == 0)
      }
    }

    @Test("6.3 results that race with their timers leave no timer behind")
    func races() async {
      await #expect(processExitsWith: .success) {
        await race(
          rounds: 400, { CancelProbe<Int, Flaw>() },
          [
            { probe in _ = probe.promise.timeout(on: .immediate, Self.hour) },
            { probe in _ = probe.promise.timeout(on: .immediate, .microseconds(20)) },
            { probe in probe.resolver.fulfill(with: 1) },
          ],
          check: { $0.promise.result == .value(1) ? nil : "\($0.promise)" })
        // Each timer has fired or been cancelled, and both remove it from the queue first.
        #expect(TimerQueue.continuous.count == 0)
      }
    }
  }
#endif
