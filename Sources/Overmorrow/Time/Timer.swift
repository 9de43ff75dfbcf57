internal import OvermorrowEngine

/// An action that runs once, unless it is cancelled first.
package struct Timer: Sendable {
  private let stop: @Sendable () -> Void

  fileprivate init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

  /// Schedules an action to run after a delay, on no particular context. The action must be short, and must not run
  /// user code.
  ///
  /// On the continuous clock, ``TimerQueue`` schedules the action. A `PromiseSchedulingClock` schedules the action
  /// itself. On any other clock, a task sleeps and then runs the action. If the sleep throws before the timer is
  /// cancelled, the action runs at once.
  ///
  /// - Parameter isHousekeeping: Whether the action only releases what is no longer valid
  ///   (``PromiseHousekeepingClock``).
  package init<C: Clock>(
    after duration: Duration, on clock: C, isHousekeeping: Bool = false, _ action: @escaping @Sendable () -> Void
  ) where C.Duration == Duration {
    let duration = duration.asWait
    // A comparison of types costs less than a cast.
    if C.self == ContinuousClock.self {
      let entry = TimerQueue.continuous.schedule(at: .now.advanced(by: duration), action)
      stop = { TimerQueue.continuous.cancel(entry) }
    } else if isHousekeeping, let clock = clock as? any PromiseHousekeepingClock {
      stop = clock.scheduleHousekeeping(after: duration, action)
    } else if let clock = clock as? any PromiseSchedulingClock {
      stop = clock.schedule(after: duration, action)
    } else {
      let deadline = clock.now.advanced(by: duration)
      let task = Task.counted {
        try? await clock.sleep(until: deadline, tolerance: nil)
        if !Task.isCancelled { action() }
      }
      stop = { task.cancel() }
    }
  }

  /// Whether a clock runs the actions of its timers itself, inside the call that moves its time.
  package static func runsActions(_ clock: any Clock) -> Bool {
    // A comparison of types costs less than a cast.
    type(of: clock) == ContinuousClock.self ? false : clock is any PromiseSchedulingClock
  }

  /// Cancels the action. An action that is about to start may still run.
  package func cancel() { stop() }

  /// Makes a timer for housekeeping. The time is counted from the start of a stopwatch.
  package typealias AtTime = @Sendable (_ time: Duration, _ action: @escaping @Sendable () -> Void) -> Timer
}

extension Clock where Duration == Swift.Duration {
  /// Starts a stopwatch, and returns a function that makes timers for housekeeping, like
  /// ``Timer/init(after:on:isHousekeeping:_:)``.
  ///
  /// If a test moves its clock while the function runs, the timer still fires at its time. The time on other clocks
  /// moves while any function runs.
  package func startTimers() -> Timer.AtTime {
    if let clock = self as? any PromiseHousekeepingClock { return clock.startOwnTimers() }
    let start = now
    return { Timer(after: $0 - start.duration(to: now), on: self, isHousekeeping: true, $1) }
  }
}

extension PromiseHousekeepingClock {
  fileprivate func startOwnTimers() -> Timer.AtTime {
    let start = now
    return { Timer(stop: scheduleHousekeeping(at: start.advanced(by: $0.asWait), $1)) }
  }
}
