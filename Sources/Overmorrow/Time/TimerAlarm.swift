internal import Dispatch
internal import OvermorrowEngine

/// The alarm that wakes a ``TimerQueue``. The alarm can be set again at any time, from any thread.
protocol TimerAlarm: Sendable {
  /// Starts the alarm. Each time that the alarm goes off, it calls `ring`. Calls of `ring` do not overlap. `start` is
  /// called once, before the other methods.
  func start(_ ring: @escaping @Sendable () -> Void)
  /// Sets the alarm to go off when the system has been awake for a duration from now. Replaces the time that the
  /// previous call of this method set.
  func set(awake wait: Duration)
  /// Sets the alarm to go off when the time of day has advanced by a duration from now. Replaces the time that the
  /// previous call of this method set.
  func set(timeOfDay wait: Duration)
}

/// Two dispatch timers on a queue.
///
/// The continuous clock advances while the system sleeps. In Swift, Dispatch offers no timer that follows the
/// continuous clock:
///
/// | platform | `ContinuousClock`     | `DispatchTime`         | `DispatchWallTime` |
/// |----------|-----------------------|------------------------|--------------------|
/// | Linux    | `CLOCK_BOOTTIME`      | `CLOCK_MONOTONIC`      | `CLOCK_REALTIME`   |
/// | Apple's  | `CLOCK_MONOTONIC_RAW` | `mach_absolute_time()` | `gettimeofday()`   |
///
/// On both platforms, the clock of `DispatchTime` stops while the system sleeps, and the other two clocks continue.
/// Only the clock of `DispatchWallTime`, the wall clock, can be set. So the timer `awake` alone would be late by the
/// length of a sleep, and the timer `timeOfDay` alone would be late by as much as the wall clock is set back. With both
/// timers, a wait ends late only if the system sleeps and the wall clock is set back during that wait. Neither timer
/// wakes a sleeping system. This behavior was tested on Linux. For Apple's platforms, this behavior follows from the
/// documentation.
final class DispatchAlarm: TimerAlarm, @unchecked Sendable {
  // Sendable: a dispatch source may be used from any thread.
  private let awake: any DispatchSourceTimer
  private let timeOfDay: any DispatchSourceTimer

  init() {
    // Actions on this queue must be short. Longer work is submitted to another queue.
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
