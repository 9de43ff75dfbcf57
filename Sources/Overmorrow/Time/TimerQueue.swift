internal import Dispatch

/// The timers of the continuous clock: one dispatch source, and a heap of what it is to fire next.
///
/// A timer that is cancelled leaves the heap at once, in logarithmic time, and nothing of it stays: neither its action
/// nor a place in some queue of the system. (A cancelled `asyncAfter` work item stays until its time has come.)
final class TimerQueue: Sendable {
  static let shared = TimerQueue()

  private struct State {
    let source: any DispatchSourceTimer
    var heap = TimerHeap<ContinuousClock.Instant>()
    var armedFor: ContinuousClock.Instant?
  }

  private let state: Guarded<State>

  private init() {
    // Actions that fire on this queue must be short: what is more goes to another one.
    let queue = DispatchQueue(label: "overmorrow.timers", qos: .userInteractive)
    state = Guarded(State(source: DispatchSource.makeTimerSource(queue: queue)))
    state.withLock { state in
      state.source.setEventHandler { [unowned self] in fire() }
      state.source.activate()
    }
  }

  /// Runs an action once, at or soon after a deadline, on the timers' own queue.
  func schedule(
    at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void
  ) -> TimerEntry<ContinuousClock.Instant> {
    let entry = TimerEntry(deadline: deadline, action: action)
    state.withLock { state in
      state.heap.insert(entry)
      arm(&state)
    }
    return entry
  }

  /// Forgets a timer; does nothing if it has fired.
  func cancel(_ entry: TimerEntry<ContinuousClock.Instant>) {
    // Released after the lock: what an action captures may do anything when it goes.
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      state.heap.remove(entry)
      return entry.takeAction()
    }
    withExtendedLifetime(action) {}
  }

  /// How many timers are waiting.
  var count: Int { state.withLock { $0.heap.count } }

  private func fire() {
    let due = state.withLock { state -> [@Sendable () -> Void] in
      state.armedFor = nil
      let now = ContinuousClock.now
      var due: [@Sendable () -> Void] = []
      while let first = state.heap.first, first.deadline <= now {
        state.heap.remove(first)
        if let action = first.takeAction() { due.append(action) }
      }
      arm(&state)
      return due
    }
    for action in due { action() }
  }

  /// Makes the source fire for the first timer, if it would fire later or not at all.
  ///
  /// It is left alone when it would fire earlier: it then finds nothing due, and is armed anew.
  private func arm(_ state: inout State) {
    guard let first = state.heap.first else { return }
    if let armed = state.armedFor, armed <= first.deadline { return }
    state.armedFor = first.deadline
    let wait = max(.zero, ContinuousClock.now.duration(to: first.deadline))
    state.source.schedule(deadline: .now() + wait.dispatchInterval, leeway: .nanoseconds(0))
  }
}

extension Duration {
  /// The same length for Dispatch, in nanoseconds; at most the 292 years that it can express.
  var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return .nanoseconds(seconds < 0 ? 0 : .max) }
    // Rounded up, so that a timer is never early.
    let (sum, sumOverflow) = nanoseconds.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
    return .nanoseconds(sumOverflow ? .max : Int(clamping: sum))
  }
}
