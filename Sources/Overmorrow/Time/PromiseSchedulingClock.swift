/// A clock that schedules actions itself, such as a test clock or the clock of an event loop.
///
/// Each delay or timeout on such a clock is one action. The call that starts the delay or the timeout schedules the
/// action. The action resolves the promise, or submits the resolution to the context of the promise. Neither such a
/// clock nor the continuous clock needs a task for a delay or a timeout. On any other clock, a task sleeps for each
/// delay and each timeout.
///
/// ```swift
/// struct LoopClock: PromiseSchedulingClock {
///   let loop: EventLoop
///   var now: ContinuousClock.Instant { .now }
///   var minimumResolution: Duration { .milliseconds(1) }
///
///   func schedule(
///     at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void
///   ) -> @Sendable () -> Void {
///     let timer = loop.addTimer(at: deadline, action)
///     return { timer.cancel() }
///   }
///
///   func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
///     try await Task.sleep(until: deadline, tolerance: tolerance, clock: .continuous)
///   }
/// }
/// ```
public protocol PromiseSchedulingClock: Clock where Duration == Swift.Duration {
  /// Runs an action once, when the clock reaches a deadline. If the deadline has already passed, the action runs inside
  /// this call or soon after this call.
  ///
  /// When the clock ends, it releases the actions that can no longer run. The promises of delays are then cancelled.
  /// Timeouts no longer limit their promises. However, if the context of a timeout is an operation queue, the promise
  /// of the timeout is cancelled.
  ///
  /// - Parameters:
  ///   - deadline: The time at which to run the action.
  ///   - action: The action. If the context of the promise is `.immediate`, the action resolves the promise, and so
  ///     runs the callbacks of the promise.
  /// - Returns: A closure that cancels and releases the action. The closure must not retain the action for longer than
  ///   the clock does. A call of the closure after the action has run does nothing.
  func schedule(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension PromiseSchedulingClock {
  func schedule(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    schedule(at: now.advanced(by: duration), action)
  }
}

/// A scheduling clock that distinguishes housekeeping actions. A housekeeping action only releases what is no longer
/// valid, such as an expired value of a cache. A test need not wait for such an action, because no work depends on the
/// action.
package protocol PromiseHousekeepingClock: PromiseSchedulingClock {
  /// Schedules a housekeeping action like `schedule(at:_:)`.
  func scheduleHousekeeping(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension PromiseHousekeepingClock {
  func scheduleHousekeeping(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  {
    scheduleHousekeeping(at: now.advanced(by: duration), action)
  }
}
