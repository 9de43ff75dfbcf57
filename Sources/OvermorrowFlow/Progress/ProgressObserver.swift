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
  }

  /// The largest number of steps that one call reports on `.immediate`. Because `.immediate` has no turns, further
  /// steps are reported on `.utility`.
  private static let maxStepsPerCall = 16

  private let context: PromiseContext
  private let isSuppressed: (@Sendable () -> Bool)?
  private let state: Guarded<State>
  private let turns = SerialDelivery()

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
      return turns.request()
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
    let isOver = turns.deliver(atMost: isImmediate ? ProgressObserver.maxStepsPerCall : 1) {
      guard let (step, callback) = next() else { return }
      if isSuppressed?() != true { callback(step) }
      if step.isFinished { withExtendedLifetime(state.withLock { $0.callback.take() }) {} }
    }
    if !isOver { continueReports(on: isImmediate ? .utility : context.later) }
  }

  private func continueReports(on context: PromiseContext) { schedule(state.withLock { $0.newest }, on: context) }

  /// Handles the drop of a turn by the executor. The step of the turn is discarded, and a later step gets another turn.
  private func handleDrop(of step: PromiseProgress.Step?) {
    let isOver = turns.deliver(atMost: 1) {
      let callback = state.withLock { state -> Callback? in
        if state.newest == step { state.newest = nil }
        if state.newest != nil, state.callback != nil { _ = turns.request() }
        // No step follows a finished step.
        return state.newest == nil && step?.isFinished == true ? state.callback.take() : nil
      }
      withExtendedLifetime(callback) {}
    }
    if !isOver { continueReports(on: context.later) }
  }

  private func next() -> (PromiseProgress.Step, Callback)? {
    state.withLock { state in
      guard let step = state.newest.take(), let callback = state.callback else { return nil }
      state.reported = step
      return (step, callback)
    }
  }
}
