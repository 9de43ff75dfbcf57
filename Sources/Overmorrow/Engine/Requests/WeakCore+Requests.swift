/// Operations on a core that may have ended.
extension WeakCore {
  /// Asks to cancel. Does nothing if the promise has resolved or no longer exists.
  func requestCancel() { withCore { $0.requestCancel() } }

  /// Rejects a step that waits and whose callback has no size. Does nothing if the promise has resolved or no longer
  /// exists.
  func reject(with error: any Error) { withCore { $0.end(with: error as (any Error)?) } }

  /// Cancels a step that waits for its source, and the earlier steps that only this step needs. Asks any other core to
  /// cancel. Does nothing if the promise has resolved or no longer exists.
  func endChain() { withCore { $0.endWaiting(isChain: true) } }

  /// The same as `CoreRef.takeCallbackOut`, but also `nil` if the step no longer exists.
  func takeCallbackOut() -> Answer? {
    var callback: Answer?
    withCore { callback = $0.takeCallbackOut() }
    return callback
  }

  /// Ends a step whose callback was dropped, if it can no longer be observed.
  func endSuppressed() {
    withCore { step in
      step.suppressCallback()
      step.endIfUnobserved()
    }
  }
}
