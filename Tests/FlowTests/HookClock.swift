import Overmorrow

/// A test clock that runs an action of the test inside one of its calls, once.
struct HookClock: PromiseSchedulingClock {
  let clock: TestClock
  /// Runs before the next timer starts.
  let onSchedule = Holder<@Sendable () -> Void>()
  /// Runs before each read of the time.
  let onRead = Holder<@Sendable () -> Void>()

  var now: TestClock.Instant {
    onRead.value?()
    return clock.now
  }

  var minimumResolution: Duration { clock.minimumResolution }

  func schedule(at deadline: TestClock.Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    onSchedule.take()?()
    return clock.schedule(at: deadline, action)
  }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
