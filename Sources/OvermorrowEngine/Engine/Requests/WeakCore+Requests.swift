/// Operations on a core that may have ended.
extension WeakCore {
  /// Asks the promise to cancel. Does nothing if the promise has resolved or no longer exists.
  package func requestCancel() { withCore { $0.requestCancel() } }

  /// Rejects a waiting step. The callback of the step has no size. If the step runs, has resolved or no longer exists,
  /// does nothing.
  package func reject(with error: any Error) { withCore { $0.rejectBeforeSource(with: error as (any Error)?) } }

  /// If this core is a step that waits for its source, cancels the step, and the earlier steps that only this step
  /// needs. Otherwise, asks the core to cancel. If the promise has resolved or no longer exists, does nothing.
  package func cancelChain() { withCore { $0.cancelWaiting(isChain: true) } }

  /// Does the same as `CoreRef.takeCallbackOut`. If the step no longer exists, returns `nil`.
  package func takeCallbackOut() -> Answer? {
    var callback: Answer?
    withCore { callback = $0.takeCallbackOut() }
    return callback
  }

  /// Ends a step whose callback was dropped, if it can no longer be observed.
  package func suppressCallback() {
    withCore { step in
      step.suppressCallback()
      step.endIfUnobserved()
    }
  }
}
