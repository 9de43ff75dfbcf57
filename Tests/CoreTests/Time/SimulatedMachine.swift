@testable import Overmorrow
@testable import OvermorrowEngine

/// A simulated machine with the alarm of a timer queue. The test makes the machine sleep, and changes its time of day.
final class SimulatedMachine: TimerAlarm {
  private struct State {
    /// The time that it has been awake.
    var awake = Duration.zero
    var slept = Duration.zero
    /// The amount by which the time of day has been set forward.
    var moved = Duration.zero
    var awakeAlarm: Duration?
    var timeOfDayAlarm: Duration?
    var ring: (@Sendable () -> Void)?
    var rings = 0

    var timeOfDay: Duration { awake + slept + moved }

    /// The time awake until the next alarm rings.
    var untilAlarm: Duration? {
      [awakeAlarm.map { $0 - awake }, timeOfDayAlarm.map { $0 - timeOfDay }].compactMap { $0 }.min()
    }

    /// Removes the alarms that are due and returns their closure, or `nil` if none is due.
    mutating func takeRing() -> (@Sendable () -> Void)? {
      guard let wait = untilAlarm, wait <= .zero else { return nil }
      if let alarm = awakeAlarm, alarm <= awake { awakeAlarm = nil }
      if let alarm = timeOfDayAlarm, alarm <= timeOfDay { timeOfDayAlarm = nil }
      rings += 1
      return ring
    }
  }

  private let state = Guarded(State())
  private let start = ContinuousClock.now

  var now: ContinuousClock.Instant { state.withLock { start.advanced(by: $0.awake + $0.slept) } }
  /// The number of times an alarm has rung.
  var rings: Int { state.withLock { $0.rings } }

  func start(_ ring: @escaping @Sendable () -> Void) { state.withLock { $0.ring = ring } }
  func set(awake wait: Duration) { state.withLock { $0.awakeAlarm = $0.awake + wait } }
  func set(timeOfDay wait: Duration) { state.withLock { $0.timeOfDayAlarm = $0.timeOfDay + wait } }

  /// Stays awake for a while. An alarm that is already due rings first.
  func run(for duration: Duration) {
    let end = state.withLock { $0.awake } + duration
    while true {
      let (ring, isOver) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
        if let ring = state.takeRing() { return (ring, false) }
        let next = state.untilAlarm.map { state.awake + $0 } ?? end
        let isOver = next > end
        state.awake = Swift.min(next, end)
        return (nil, isOver || state.awake == end && state.untilAlarm != .zero)
      }
      ring?()
      if isOver { return }
    }
  }

  func sleep(for duration: Duration) { state.withLock { $0.slept += duration } }

  /// Sets the time of day forward, or back.
  func moveTimeOfDay(by duration: Duration) { state.withLock { $0.moved += duration } }
}
