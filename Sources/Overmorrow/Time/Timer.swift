/// An action that runs once, unless it is cancelled first.
struct Timer: Sendable {
  private let stop: @Sendable () -> Void

  /// Runs an action after a while, on no particular context. It must be short, and must not run user code.
  ///
  /// The continuous clock is served by ``TimerQueue``, a `PromiseSchedulingClock` by itself, and any other clock by a
  /// task that sleeps on it. Where a clock cannot sleep, the time has come.
  init<C: Clock>(after duration: Duration, on clock: C, _ action: @escaping @Sendable () -> Void)
  where C.Duration == Duration {
    let duration = duration.asWait
    if let clock = clock as? ContinuousClock {
      let entry = TimerQueue.continuous.schedule(at: clock.now.advanced(by: duration), action)
      stop = { TimerQueue.continuous.cancel(entry) }
    } else if let clock = clock as? any PromiseSchedulingClock {
      stop = clock.schedule(after: duration, action)
    } else {
      let deadline = clock.now.advanced(by: duration)
      let task = Task {
        try? await clock.sleep(until: deadline, tolerance: nil)
        if !Task.isCancelled { action() }
      }
      stop = { task.cancel() }
    }
  }

  /// Forgets the action; one that is about to start may still do so.
  func cancel() { stop() }
}
