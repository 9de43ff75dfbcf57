internal import OvermorrowEngine

/// The timers of the continuous clock: one alarm, and a heap of timers.
///
/// A cancelled timer is removed from the heap at once, in logarithmic time, and its action is released. (A cancelled
/// `asyncAfter` work item would stay until its deadline.)
final class TimerQueue: Sendable {
  typealias Instant = ContinuousClock.Instant
  typealias Action = @Sendable () -> Void

  /// The queue of all timers on the continuous clock.
  static let continuous = TimerQueue(alarm: DispatchAlarm())

  private struct State {
    var heap = TimerHeap<Instant>()
    var armedFor: Instant?
    /// Whether due timers are being fired. The alarm is set only when no further timer is due.
    var isFiring = false
  }

  /// The largest number of timers that are taken out of the heap at a time. This number limits the time for which the
  /// lock is held when many timers are due.
  private static var batch: Int { 32 }
  /// The largest lateness of a timer after the system has slept. A wait that is shorter than this tolerance needs no
  /// second alarm.
  private static var tolerance: Duration { .seconds(1) }

  private let state = Guarded(State())
  private let alarm: any TimerAlarm
  private let now: @Sendable () -> Instant

  /// - Parameters:
  ///   - alarm: The alarm that wakes the queue.
  ///   - now: A closure that returns the current time.
  init(alarm: any TimerAlarm, now: @escaping @Sendable () -> Instant = { .now }) {
    self.alarm = alarm
    self.now = now
    alarm.start { [unowned self] in fire() }
  }

  /// Runs an action once, at or soon after a deadline, on the timers' own queue.
  ///
  /// The action must be short, and must not run user code, because a running action delays all other timers.
  func schedule(at deadline: Instant, _ action: @escaping Action) -> TimerEntry<Instant> {
    let entry = TimerEntry(deadline: deadline, action: action)
    state.withLock { state in
      state.heap.insert(entry)
      arm(&state)
    }
    return entry
  }

  /// Cancels a timer. Does nothing if the timer has fired.
  func cancel(_ entry: TimerEntry<Instant>) {
    // The action is released after unlocking, because releasing its captures may run any code.
    let action = state.withLock { state -> Action? in
      state.heap.remove(entry)
      return entry.takeAction()
    }
    withExtendedLifetime(action) {}
  }

  var count: Int { state.withLock { $0.heap.count } }

  private func fire() {
    while true {
      // The actions are in reverse order, so that each action can be popped from the end and released as soon as it has
      // run.
      var due = state.withLock { takeDue(&$0) }
      if due.isEmpty { return }
      while let action = due.popLast() { action() }
    }
  }

  /// Takes out a batch of the timers that are due. If no timer is due, sets the alarm for the next timer.
  ///
  /// - Returns: The actions of these timers, in reverse order.
  private func takeDue(_ state: inout State) -> [Action] {
    let now = now()
    var due: [Action] = []
    while due.count < Self.batch, let first = state.heap.first, first.deadline <= now {
      state.heap.remove(first)
      if let action = first.takeAction() { due.append(action) }
    }
    state.isFiring = !due.isEmpty
    if due.isEmpty {
      state.armedFor = nil
      arm(&state)
    }
    return due.reversed()
  }

  /// Sets the alarm for the first timer. Does nothing if the alarm is already set for that time or an earlier time, or
  /// while due timers are being fired.
  ///
  /// If the alarm goes off too early, the queue finds no due timer and sets the alarm again.
  private func arm(_ state: inout State) {
    guard !state.isFiring, let first = state.heap.first else { return }
    if let armed = state.armedFor, armed <= first.deadline { return }
    state.armedFor = first.deadline
    let wait = max(.zero, now().duration(to: first.deadline))
    alarm.set(awake: wait)
    // The second alarm is set for a slightly later time, so that it goes off only if the system has slept. If the
    // system has not slept, the first alarm goes off earlier.
    if wait >= Self.tolerance { alarm.set(timeOfDay: wait + Self.tolerance / 2) }
  }
}
