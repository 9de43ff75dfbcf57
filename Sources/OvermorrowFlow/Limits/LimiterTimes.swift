internal import Overmorrow
internal import OvermorrowEngine

/// The times for which the jobs and tasks of a limiter wait and run.
///
/// A limiter that does not record times has no such object. An entry belongs to a ticket, from the arrival of its job
/// or task until the end.
package final class LimiterTimes: Sendable {
  package enum Part: Sendable { case waiting, running }
  package typealias Observer = @Sendable (_ part: Part, _ time: Duration) -> Void

  /// What a ticket does now.
  private struct Entry {
    var part = Part.waiting
    /// The time at which the ticket has begun to do so.
    var since: Duration
    /// The time for which the ticket was in the queue before it waited for a pause.
    var waited = Duration.zero
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var waits = PromiseHistogram()
    var runs = PromiseHistogram()
    var observer: Observer?
  }

  private let state = Guarded(State())
  private let elapsed: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) { elapsed = clock.stopwatch() }

  var waits: PromiseHistogram { state.withLock { $0.waits } }
  var runs: PromiseHistogram { state.withLock { $0.runs } }
  /// The number of tickets that are not over.
  var entryCount: Int { state.withLock { $0.entries.count } }

  package func observe(_ observer: @escaping Observer) {
    _ = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
  }

  /// Records that a ticket enters the queue, for the first time or after a pause.
  func enter(_ ticket: LimiterTicket) {
    let now = elapsed()
    state.withLock { $0.entries[ObjectIdentifier(ticket), default: Entry(since: now)].since = now }
  }

  /// Records that a ticket leaves the queue to wait for a pause. Does nothing if the ticket is already over.
  func pause(_ ticket: LimiterTicket) {
    let now = elapsed()
    state.withLock { state in
      guard let entry = state.entries[ObjectIdentifier(ticket)] else { return }
      state.entries[ObjectIdentifier(ticket)]?.waited += now - entry.since
    }
  }

  /// Records that a ticket has its turn. Does nothing if the ticket is already over.
  ///
  /// - Parameter atOnce: Whether the ticket has its turn without a wait.
  func start(_ ticket: LimiterTicket, atOnce: Bool = false) {
    let now = elapsed()
    let (wait, observer) = state.withLock { state -> (Duration?, Observer?) in
      let entry = atOnce ? Entry(since: now) : state.entries[ObjectIdentifier(ticket)]
      guard let entry else { return (nil, nil) }
      state.entries[ObjectIdentifier(ticket)] = Entry(part: .running, since: now)
      let wait = entry.waited + (now - entry.since)
      state.waits.record(wait)
      return (wait, state.observer)
    }
    if let wait { observer?(.waiting, wait) }
  }

  /// Records that a ticket is over. The wait of a ticket that never had its turn is not recorded.
  func end(_ ticket: LimiterTicket) {
    let now = elapsed()
    let (run, observer) = state.withLock { state -> (Duration?, Observer?) in
      let entry = state.entries.removeValue(forKey: ObjectIdentifier(ticket))
      guard let entry, entry.part == .running else { return (nil, nil) }
      let run = now - entry.since
      state.runs.record(run)
      return (run, state.observer)
    }
    if let run { observer?(.running, run) }
  }
}
