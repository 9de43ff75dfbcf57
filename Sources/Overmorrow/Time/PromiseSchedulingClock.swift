/// A clock that runs actions itself when their time has come, such as a test's clock or an event loop's.
///
/// Delays and timeouts on such a clock are registered with it inside the call that asks for them, and resolve their
/// promises inside the action. On any other clock but the continuous one, a task sleeps for each of them.
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
  /// Runs an action once, when the clock has reached a deadline; inside this call, or soon, if it has already.
  ///
  /// A clock that ends releases the actions that can no longer run: their promises are then cancelled.
  ///
  /// - Parameters:
  ///   - deadline: When to run it.
  ///   - action: What to run. A promise with an `.immediate` context is resolved in it, and so runs callbacks.
  /// - Returns: Forgets the action, and releases it. It must not keep the action longer than the clock does; it may be
  ///   called after the action has run, and does nothing then.
  func schedule(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension PromiseSchedulingClock {
  func schedule(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    schedule(at: now.advanced(by: duration), action)
  }
}
