internal import Dispatch

/// What wakes a ``TimerQueue``. It can be set again at any time, from any thread.
protocol TimerAlarm: Sendable {
  /// Calls a function each time that the alarm goes off, never twice at once. Called once, first.
  func start(_ ring: @escaping @Sendable () -> Void)
  /// Goes off when the system has been awake for this long. Replaces the time set by the last such call.
  func set(awake wait: Duration)
  /// Goes off when the time of day is this much later. Replaces the time set by the last such call.
  func set(timeOfDay wait: Duration)
}

/// Two dispatch timers on a queue.
///
/// The continuous clock goes on while the system sleeps. No timer that Dispatch offers in Swift follows it:
///
/// | platform | `ContinuousClock`     | `DispatchTime`         | `DispatchWallTime` |
/// |----------|-----------------------|------------------------|--------------------|
/// | Linux    | `CLOCK_BOOTTIME`      | `CLOCK_MONOTONIC`      | `CLOCK_REALTIME`   |
/// | Apple's  | `CLOCK_MONOTONIC_RAW` | `mach_absolute_time()` | `gettimeofday()`   |
///
/// On both, the clock of `DispatchTime` stands still during a sleep, and the other two do not. The time of day may be
/// changed; the other two clocks may not. So the first timer alone is as late as the sleep was long, and the second one
/// alone as late as the time of day is set back. With both, only a wait that has a sleep in it, and in which the time
/// of day is set back, ends late. Neither wakes a system that sleeps. For Apple's platforms that is what the
/// documentation says; it has been tried on Linux only.
final class DispatchAlarm: TimerAlarm, @unchecked Sendable {
  // Sendable: a dispatch source may be used from any thread.
  private let awake: any DispatchSourceTimer
  private let timeOfDay: any DispatchSourceTimer

  init() {
    // Actions on this queue must be short: longer work goes to another one.
    let queue = DispatchQueue(label: "overmorrow.timers", qos: .userInteractive)
    awake = DispatchSource.makeTimerSource(queue: queue)
    timeOfDay = DispatchSource.makeTimerSource(queue: queue)
  }

  func start(_ ring: @escaping @Sendable () -> Void) {
    for source in [awake, timeOfDay] {
      source.setEventHandler(handler: ring)
      source.activate()
    }
  }

  func set(awake wait: Duration) {
    awake.schedule(deadline: .now() + wait.dispatchInterval(), leeway: .nanoseconds(0))
  }

  func set(timeOfDay wait: Duration) {
    timeOfDay.schedule(wallDeadline: .now() + wait.dispatchInterval(), leeway: .milliseconds(100))
  }
}
