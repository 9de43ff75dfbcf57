#if os(macOS) || os(Linux)
  import Dispatch
  import Testing

  @testable import Overmorrow

  /// The shared timer queue. Each test runs in its own process, because other tests use the queue too.
  @Suite(.inTurn) struct TimerQueueTests {
    /// Blocks the timers' dispatch queue, so that the test decides which timers become due together.
    private final class Blockade: Sendable {
      private let gate = DispatchSemaphore(value: 0)

      /// Returns when the queue is blocked.
      func begin() async {
        let held = Latch()
        _ = TimerQueue.continuous.schedule(at: .now) { [gate] in
          held.signal()
          if gate.wait(timeout: .now() + .seconds(60)) == .timedOut { Issue.record("the queue was never let go") }
        }
        await held.wait(for: "the timers' queue")
      }

      func end() { gate.signal() }
    }

    @Test("6.3 6.14 timers that are due together fire in the order of their deadlines", arguments: [false, true])
    func order(onExecutor: Bool) async throws {
      try await ExitArgument.passing(onExecutor) {
        await #expect(processExitsWith: .success) {
          let onExecutor = try ExitArgument.taken(Bool.self)
          let (blockade, log, done) = (Blockade(), Recorder<Int>(), Latch(100))
          let executor = RepeatingExecutor(times: 1)
          await blockade.begin()
          let start = ContinuousClock.now
          for step in 0..<100 {
            let number = step * 37 % 100
            _ = TimerQueue.continuous.schedule(at: start.advanced(by: .nanoseconds(number - 100))) {
              let fire: @Sendable () -> Void = {
                log.record(number)
                done.signal()
              }
              if onExecutor { TimersExecutor(executor).enqueue(fire) } else { fire() }
            }
          }
          blockade.end()
          await done.wait(for: "100 timers")
          #expect(log.entries == Array(0..<100))
          #expect(TimerQueue.continuous.count == 0)
        }
      }
    }

    @Test("6.3 6.14 a timer never fires early, even if its neighbours are due or cancelled")
    func notEarly() async {
      await #expect(processExitsWith: .success) {
        let (early, done) = (Counter(), Latch(1000))
        // Scheduled in advance, close together and over a long time, so that the queue wakes up between them again and
        // again.
        let start = ContinuousClock.now.advanced(by: .milliseconds(300))
        for step in 0..<1000 {
          let deadline = start.advanced(by: .microseconds(step * 617 % 1000 * 100))
          _ = TimerQueue.continuous.schedule(at: deadline) {
            if ContinuousClock.now < deadline { early.increment() }
            done.signal()
          }
          let other = TimerQueue.continuous.schedule(at: deadline.advanced(by: .microseconds(-50))) {}
          if step.isMultiple(of: 2) { TimerQueue.continuous.cancel(other) }
        }
        await done.wait(for: "1000 timers")
        #expect(early.count == 0)
        #expect(TimerQueue.continuous.count == 0)
      }
    }

    @Test("6.3 a cancelled timer does not fire and is freed at once")
    func cancelled() async {
      await #expect(processExitsWith: .success) {
        let (blockade, log, done) = (Blockade(), Recorder<String>(), Latch())
        let tracker = Tracker()
        await blockade.begin()
        let start = ContinuousClock.now
        let doomed = TimerQueue.continuous.schedule(at: start) { [object = tracker.make()] in
          log.record("cancelled")
          _ = object
        }
        _ = TimerQueue.continuous.schedule(at: start.advanced(by: .nanoseconds(1))) {
          log.record("kept")
          done.signal()
        }
        #expect(TimerQueue.continuous.count == 2)
        TimerQueue.continuous.cancel(doomed)
        TimerQueue.continuous.cancel(doomed)
        #expect(TimerQueue.continuous.count == 1)
        #expect(tracker.count == 0)
        blockade.end()
        // This is the later timer: if the other one were still scheduled, it would have fired first.
        await done.wait(for: "the timer behind the cancelled one")
        #expect(log.entries == ["kept"])
      }
    }

    @Test("6.3 cancelling a timer that has fired does nothing")
    func cancelledTooLate() async {
      await #expect(processExitsWith: .success) {
        let (fired, again) = (Latch(), Latch())
        let entry = TimerQueue.continuous.schedule(at: .now) { fired.signal() }
        await fired.wait(for: "the timer")
        _ = TimerQueue.continuous.schedule(at: .now) { again.signal() }
        TimerQueue.continuous.cancel(entry)
        await again.wait(for: "the other timer")
        #expect(TimerQueue.continuous.count == 0)
      }
    }

    @Test("6.3 an object released by a cancelled timer may use the timers")
    func reentrant() async {
      await #expect(processExitsWith: .success) {
        let done = Latch()
        let tracker = Tracker()
        let entry = TimerQueue.continuous.schedule(at: .now.advanced(by: .seconds(3600))) {
          [object = tracker.make { _ = TimerQueue.continuous.schedule(at: .now) { done.signal() } }] in
          _ = object
        }
        TimerQueue.continuous.cancel(entry)
        await done.wait(for: "a timer that was set when another one was cancelled")
      }
    }

    @Test("6.3 a timer that is due earlier than the longest delay fires in time")
    func longest() async {
      await #expect(processExitsWith: .success) {
        let longest = TimerQueue.continuous.schedule(at: .now.advanced(by: .seconds(Int64.max))) {
          Issue.record("the end of time")
        }
        let hour = TimerQueue.continuous.schedule(at: .now.advanced(by: .seconds(3600))) { Issue.record("an hour") }
        for milliseconds in [5, 1, 3, 0] {
          let done = Latch()
          _ = TimerQueue.continuous.schedule(at: .now.advanced(by: .milliseconds(milliseconds))) { done.signal() }
          await done.wait(for: "a timer of \(milliseconds) ms", within: .seconds(30))
        }
        #expect(TimerQueue.continuous.count == 2)
        TimerQueue.continuous.cancel(longest)
        TimerQueue.continuous.cancel(hour)
        #expect(TimerQueue.continuous.count == 0)
      }
    }

    @Test("6.3 timers set and cancelled on many threads fire or are removed")
    func threads() async {
      await #expect(processExitsWith: .success) {
        let (fired, done, last) = (Counter(), Latch(4), Latch(4 * 250))
        for thread in 0..<4 {
          DispatchQueue.global().async {
            for step in 0..<500 {
              let wait = Duration.microseconds((step * 31 + thread * 7) % 200)
              let entry = TimerQueue.continuous.schedule(at: .now.advanced(by: wait)) {
                if step.isMultiple(of: 2) {
                  fired.increment()
                  last.signal()
                }
              }
              if !step.isMultiple(of: 2) { TimerQueue.continuous.cancel(entry) }
            }
            done.signal()
          }
        }
        await done.wait(for: "four threads to set timers")
        await last.wait(for: "the timers that were kept")
        #expect(fired.count == 1000)
        #expect(TimerQueue.continuous.count == 0)
      }
    }
  }
#endif
