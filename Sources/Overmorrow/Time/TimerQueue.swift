/// The timers of the continuous clock: one alarm, and a heap of timers.
///
/// A timer that is cancelled leaves the heap at once, in logarithmic time, and nothing of it stays: neither its action
/// nor a place in some queue of the system. (A cancelled `asyncAfter` work item stays until its time has come.)
final class TimerQueue: Sendable {
  typealias Instant = ContinuousClock.Instant
  typealias Action = @Sendable () -> Void

  /// The timers of all promises.
  static let continuous = TimerQueue(alarm: DispatchAlarm())

  private struct State {
    var heap = TimerHeap<Instant>()
    var armedFor: Instant?
    /// Whether due timers are being fired: then the alarm is set at the end of that.
    var isFiring = false
  }

  /// How many timers are taken out of the heap at a time, so that many due timers hold the lock only for microseconds
  /// each time.
  private static var batch: Int { 32 }
  /// How late a timer may be after a sleep of the system. A wait shorter than that needs no second alarm.
  private static var tolerance: Duration { .seconds(1) }

  private let state = Guarded(State())
  private let alarm: any TimerAlarm
  private let now: @Sendable () -> Instant

  /// - Parameters:
  ///   - alarm: What wakes the queue.
  ///   - now: The time.
  init(alarm: any TimerAlarm, now: @escaping @Sendable () -> Instant = { .now }) {
    self.alarm = alarm
    self.now = now
    alarm.start { [unowned self] in fire() }
  }

  /// Runs an action once, at or soon after a deadline, on the timers' own queue.
  ///
  /// The action must be short, and must not run user code: all timers wait for it.
  func schedule(at deadline: Instant, _ action: @escaping Action) -> TimerEntry<Instant> {
    let entry = TimerEntry(deadline: deadline, action: action)
    state.withLock { state in
      state.heap.insert(entry)
      arm(&state)
    }
    return entry
  }

  /// Forgets a timer; does nothing if it has fired.
  func cancel(_ entry: TimerEntry<Instant>) {
    // Released after unlocking: the release of what an action captures may run any code.
    let action = state.withLock { state -> Action? in
      state.heap.remove(entry)
      return entry.takeAction()
    }
    withExtendedLifetime(action) {}
  }

  /// How many timers are waiting.
  var count: Int { state.withLock { $0.heap.count } }

  private func fire() {
    while true {
      // The last one first, to be popped from the end: each action is released as soon as it has run.
      var due = state.withLock { takeDue(&$0) }
      if due.isEmpty { return }
      while let action = due.popLast() { action() }
    }
  }

  /// Takes out some of the timers that are due, or sets the alarm for the first of those that are not.
  ///
  /// - Returns: Their actions, the last one first.
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

  /// Makes the alarm go off for the first timer, if it would do so later or not at all.
  ///
  /// An alarm that goes off earlier is left alone: the queue then finds nothing due, and sets it again.
  private func arm(_ state: inout State) {
    guard !state.isFiring, let first = state.heap.first else { return }
    if let armed = state.armedFor, armed <= first.deadline { return }
    state.armedFor = first.deadline
    let wait = max(.zero, now().duration(to: first.deadline))
    alarm.set(awake: wait)
    // A little later, so that it goes off only when the system has slept: otherwise it is set again by then.
    if wait >= Self.tolerance { alarm.set(timeOfDay: wait + Self.tolerance / 2) }
  }
}
