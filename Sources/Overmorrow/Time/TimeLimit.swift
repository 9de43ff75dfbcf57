internal import OvermorrowEngine

/// The limit of a timeout. It depends on no types.
///
/// The timer and a step of the source share this object. The source's result cancels the timer, and the deadline ends
/// the step. So nothing of the limit is left after either event.
final class TimeLimit: Sendable {
  private struct State {
    var timer: Timer?
    var isOver = false

    mutating func end() -> Timer? {
      isOver = true
      return timer.take()
    }
  }

  private let state = Guarded(State())
  private let step = EndStep()
  private let flag: OnceFlag?

  /// Creates a limit, and waits for a result of the source.
  ///
  /// - Parameter flag: A flag that the result of the source takes.
  init(of source: PromiseHandle, taking flag: OnceFlag? = nil) {
    self.flag = flag
    step.observeEnd(of: source) { self.end() }
  }

  /// Sets the timer that ends at the deadline.
  func set(_ timer: Timer) {
    let isOver = state.withLock { state in
      if !state.isOver { state.timer = timer }
      return state.isOver
    }
    if isOver { timer.cancel() }
  }

  /// Whether the source is unresolved.
  var isSourceUnresolved: Bool { step.isSourceUnresolved }

  /// Ends the step and cancels the timer.
  func stop() {
    step.stopObserving()
    state.withLock { $0.end() }?.cancel()
  }

  /// Cancels the timer, because the source has resolved.
  private func end() {
    // The flag is taken first, because cancelling the timer may give up the reservation. The executor then drops the
    // ending, and the dropped ending must not cancel the child.
    _ = flag?.take()
    state.withLock { $0.end() }?.cancel()
  }
}
