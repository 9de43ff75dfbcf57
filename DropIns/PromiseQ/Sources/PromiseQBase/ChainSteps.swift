internal import Foundation
@_spi(Adapters) internal import Overmorrow

/// A list of the steps of a chain that have not ended. The list can cancel the steps together. It retains no step.
final class ChainSteps: @unchecked Sendable {
  // Sendable because `state` is used only under the lock.

  private struct Step: Sendable {
    /// Rejects the step's promise if the chain is cancelled before the step ends.
    let end: PromiseRejecter
    /// The same promise, of which this only says whether the step has ended.
    let ending: PromiseCancellable
    /// The promise that the step waits for; `nil` if the step is active from the beginning.
    let source: PromiseCancellable?

    /// Whether it is the turn of this step, because its source has been resolved or the step has no source.
    var isActive: Bool { source?.isSpent ?? true }
  }

  private struct State {
    var steps: [Step] = []
    /// The number of steps at which ended steps are removed from the list. The number grows with the list, so that
    /// removing takes constant time per step on average.
    var sweepAt = 16
    var isCancelled = false
  }

  private let lock = NSLock()
  private var state = State()

  /// Whether the chain has been cancelled. If so, no further step may begin its work.
  var isCancelled: Bool { lock.withLock { state.isCancelled } }

  /// Returns a promise for the result of a step. If the chain is cancelled after `source` was resolved, even while the
  /// step runs, the promise returned is rejected and the step is asked to cancel.
  ///
  /// - Parameters:
  ///   - step: The promise of the step, or of the step with its time limit.
  ///   - source: The promise that the step waits for; `nil` if the step is work that has already begun.
  func add<T>(
    _ step: Overmorrow.Promise<T, any Error>, after source: PromiseCancellable?
  ) -> Overmorrow.Promise<T, any Error> {
    let end = step.makeChild()
    let rejecter = PromiseRejecter(end)
    let (swept, isCancelled) = lock.withLock { () -> ([Step], Bool) in
      var swept: [Step] = []
      if state.steps.count >= state.sweepAt {
        swept = state.steps
        state.steps.removeAll(where: \.ending.isSpent)
        state.sweepAt = max(16, 2 * state.steps.count)
      }
      state.steps.append(Step(end: rejecter, ending: end.cancellable, source: source))
      return (swept, state.isCancelled)
    }
    // `cancel()` rejects only the steps that are in the list when it is called. So a step that is added later, and
    // whose work has already begun, is rejected here.
    if isCancelled, source == nil { rejecter.reject(with: PromiseError.cancelled) }
    withExtendedLifetime(swept) {}
    return end
  }

  /// Rejects the active steps. A second call has no effect.
  func cancel() {
    // The active steps are collected first, because rejecting a step makes the step after it active.
    let active = lock.withLock { () -> [Step] in
      if state.isCancelled { return [] }
      state.isCancelled = true
      return state.steps.filter(\.isActive)
    }
    for step in active { step.end.reject(with: PromiseError.cancelled) }
  }
}
