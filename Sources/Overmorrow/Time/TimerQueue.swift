/// The timers of the continuous clock: one alarm, and a heap of what it is to fire next.
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
    /// Whether what is due is being fired: then the alarm is set at the end of that.
    var isFiring = false
  }

  /// How many timers are taken out of the heap at a time, so that many that are due hold the lock for microseconds each
  /// time, and not for as long as all of them take.
  private static var batch: Int { 32 }
  /// How late a timer may be after a sleep of the system. A shorter wait needs no care: it is not later than it is
  /// long.
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
  /// The action must be short, and must not run code of others: all timers wait for it.
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
    // Released after the lock: what an action captures may do anything when it goes.
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
      // The last one first, to be taken from the end: each action goes as soon as it has run.
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
  /// It is left alone when it would go off earlier: the queue then finds nothing due, and sets it anew.
  private func arm(_ state: inout State) {
    guard !state.isFiring, let first = state.heap.first else { return }
    if let armed = state.armedFor, armed <= first.deadline { return }
    state.armedFor = first.deadline
    let wait = max(.zero, now().duration(to: first.deadline))
    alarm.set(awake: wait)
    // A little later, so that it only goes off when the system has slept: otherwise it has been set anew by then.
    if wait >= Self.tolerance { alarm.set(timeOfDay: wait + Self.tolerance / 2) }
  }
}
