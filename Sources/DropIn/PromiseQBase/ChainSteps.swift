internal import Overmorrow

/// The steps of a chain that have not ended, to be cancelled together. It keeps none of them.
final class ChainSteps: Sendable {
  private struct Step: Sendable {
    /// What has the result of the step, unless the chain is cancelled first.
    let end: PromiseRejecter
    /// What the step waits for; `nil` if it is busy from the beginning.
    let source: PromiseCancellable?

    /// Whether it is the turn of this step.
    var isActive: Bool { source?.isSpent ?? true }
  }

  private struct State {
    var steps: [Step] = []
    /// The list is swept when it has grown to this, so that it costs a constant per step.
    var sweepAt = 16
    var isCancelled = false
  }

  private let state = Guarded(State())

  /// Whether the chain has been cancelled; then no other step is to begin its work.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The result of a step. It is rejected instead when the chain is cancelled after `source` has resolved, even while
  /// the step runs; and then the step is asked to cancel.
  ///
  /// - Parameters:
  ///   - step: The step, or what has its result in time.
  ///   - source: What the step waits for; `nil` if it is work on its way.
  func add<T>(
    _ step: Overmorrow.Promise<T, any Error>, after source: PromiseCancellable?
  ) -> Overmorrow.Promise<T, any Error> {
    let (end, rejecter) = step.rejectableFromOutside()
    let (swept, isCancelled) = state.withLock { state -> ([Step], Bool) in
      var swept: [Step] = []
      if state.steps.count >= state.sweepAt {
        swept = state.steps
        state.steps.removeAll(where: \.end.isSpent)
        state.sweepAt = max(16, 2 * state.steps.count)
      }
      state.steps.append(Step(end: rejecter, source: source))
      return (swept, state.isCancelled)
    }
    // Work on its way would otherwise never hear of it.
    if isCancelled, source == nil { rejecter.reject(with: PromiseError.cancelled) }
    withExtendedLifetime(swept) {}
    return end
  }

  /// Rejects the steps whose turn it is. A second call does nothing.
  func cancel() {
    // Found out first: the steps behind those that are rejected have their turn then.
    let active = state.withLock { state -> [Step] in
      if state.isCancelled { return [] }
      state.isCancelled = true
      return state.steps.filter(\.isActive)
    }
    for step in active { step.end.reject(with: PromiseError.cancelled) }
  }
}
