internal import Overmorrow

/// The state of a circuit breaker. The methods only change the state, and the breaker calls them under its lock.
struct CircuitState: Sendable {
  struct Settings: Sendable {
    let failureRate: Double
    let minimumCalls: Int
    let window: Duration
    let openDuration: Duration
    let trialCalls: Int
  }

  enum Phase: Sendable, Equatable {
    case closed
    case open(until: Duration)
    /// Trial calls are running, and others have succeeded.
    case halfOpen(running: Int, succeeded: Int)

    var state: PromiseCircuitBreaker.State {
      switch self {
      case .closed: .closed
      case .open: .open
      case .halfOpen: .halfOpen
      }
    }
  }

  enum Admission: Equatable {
    /// The call may begin. It reports its end with the number of the phase in which it began.
    case admitted(phase: Int)
    case refused(retryAfter: Duration?)
  }

  enum Verdict { case success, failure, none }

  private let settings: Settings
  private(set) var phase = Phase.closed {
    didSet {
      guard phase.state != oldValue.state else { return }
      number += 1
      window.removeAll()
    }
  }
  /// The number of changes from one state to another.
  private(set) var number = 0
  private var window: SlidingWindow
  /// The observer of the events; `nil` if there is none.
  var observer: FlowObserver?

  init(_ settings: Settings) {
    self.settings = settings
    window = SlidingWindow(settings.window)
  }

  /// The number of the phase, if a call may begin whatever the time; `nil` if the breaker is not closed.
  var numberIfClosed: Int? { if case .closed = phase { number } else { nil } }

  /// Admits or refuses a call.
  mutating func begin(at time: Duration) -> Admission {
    if case .open(let end) = phase {
      guard time >= end else { return .refused(retryAfter: end - time) }
      phase = .halfOpen(running: 0, succeeded: 0)
    }
    if case .halfOpen(let running, let succeeded) = phase {
      guard running + succeeded < settings.trialCalls else { return .refused(retryAfter: nil) }
      phase = .halfOpen(running: running + 1, succeeded: succeeded)
    }
    return .admitted(phase: number)
  }

  /// Records the end of a call. The end of a call that began before the latest change of state counts nothing.
  ///
  /// - Returns: Whether the end counts.
  @discardableResult
  mutating func end(_ verdict: Verdict, began number: Int, at time: Duration) -> Bool {
    guard number == self.number else { return false }
    switch (phase, verdict) {
    case (.open, _), (.closed, .none): break
    case (.closed, .success): window.add(successes: 1, at: time)
    case (.closed, .failure):
      window.add(failures: 1, at: time)
      let (successes, failures) = window.sums(at: time)
      let calls = successes + failures
      // A quotient equals the nearest number to a decimal fraction. A product with the rate may exceed the failures.
      if calls >= settings.minimumCalls, Double(failures) / Double(calls) >= settings.failureRate { open(at: time) }
    case (.halfOpen(let running, let succeeded), .none):
      phase = .halfOpen(running: running - 1, succeeded: succeeded)
    case (.halfOpen(let running, let succeeded), .success):
      phase =
        succeeded + 1 < settings.trialCalls ? .halfOpen(running: running - 1, succeeded: succeeded + 1) : .closed
    case (.halfOpen, .failure): open(at: time)
    }
    return true
  }

  /// Returns a description of the state and its counts.
  mutating func situation(at time: Duration) -> String {
    switch phase {
    case .closed:
      let (successes, failures) = window.sums(at: time)
      return "closed, \(failures.counting("failure")) in \((successes + failures).counting("call"))"
    case .open(let end):
      return time < end ? "open, a trial call is admitted in \(end - time)" : "open, the next call is a trial call"
    case .halfOpen(let running, let succeeded):
      return "half-open, \(running.counting("trial call")) running, \(succeeded) succeeded"
    }
  }

  private mutating func open(at time: Duration) { phase = .open(until: time + settings.openDuration) }
}
