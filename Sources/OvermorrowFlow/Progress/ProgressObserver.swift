internal import Overmorrow
internal import OvermorrowEngine

/// An observer of progress. Its callback runs on a context, and receives in each turn only the newest step.
final class ProgressObserver: Sendable {
  typealias Callback = @Sendable (PromiseProgress.Step) -> Void

  private struct State {
    var callback: Callback?
    /// The step to report.
    var newest: PromiseProgress.Step?
    /// The step that was reported last.
    var reported: PromiseProgress.Step?
    /// Whether a turn that reports `newest` is scheduled or running.
    var isScheduled = false

    /// Returns whether another step waits to be reported. If so, the caller must schedule a turn for that step.
    mutating func shouldContinue() -> Bool {
      isScheduled = newest != nil && callback != nil
      return isScheduled
    }
  }

  /// The largest number of steps that one call reports on `.immediate`. Because `.immediate` has no turns, further
  /// steps are reported on `.utility`.
  private static let maxStepsPerCall = 16

  private let context: PromiseContext
  private let isSuppressed: (@Sendable () -> Bool)?
  private let state: Guarded<State>

  init(on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping Callback) {
    self.context = context
    isSuppressed = token?.invalidationCheck()
    state = Guarded(State(callback: callback))
  }

  /// Reports a step. Ignores the step if a later step was reported or waits to be reported.
  func report(_ step: PromiseProgress.Step) {
    let mustSchedule = state.withLock { state -> Bool in
      if let last = state.newest ?? state.reported,
        last.isFinished || !step.isFinished && last.completed > step.completed
      {
        return false
      }
      state.newest = step
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule(step, on: context) }
  }

  private func schedule(_ step: PromiseProgress.Step?, on context: PromiseContext) {
    let turn = OneCall({ self.deliver() }, ifDropped: { self.handleDrop(of: step) })
    context.perform { turn() }
  }

  /// Reports the newest step. After the last step, releases the callback. The caller is on the context.
  private func deliver() {
    let isImmediate = if case .immediate = context { true } else { false }
    for _ in 0..<(isImmediate ? ProgressObserver.maxStepsPerCall : 1) {
      guard let (step, callback) = next() else { break }
      if isSuppressed?() != true { callback(step) }
      if step.isFinished { withExtendedLifetime(state.withLock { $0.callback.take() }) {} }
    }
    if state.withLock({ $0.shouldContinue() }) { continueReports(on: isImmediate ? .utility : context.later) }
  }

  private func continueReports(on context: PromiseContext) { schedule(state.withLock { $0.newest }, on: context) }

  /// Handles the drop of a turn by the executor. The step of the turn is discarded, and a later step gets another turn.
  private func handleDrop(of step: PromiseProgress.Step?) {
    let (continues, callback) = state.withLock { state -> (Bool, Callback?) in
      if state.newest == step { state.newest = nil }
      // No step follows a finished step.
      let isOver = state.newest == nil && step?.isFinished == true
      return (state.shouldContinue(), isOver ? state.callback.take() : nil)
    }
    withExtendedLifetime(callback) { if continues { continueReports(on: context.later) } }
  }

  private func next() -> (PromiseProgress.Step, Callback)? {
    state.withLock { state in
      guard let step = state.newest.take(), let callback = state.callback else { return nil }
      state.reported = step
      return (step, callback)
    }
  }
}
