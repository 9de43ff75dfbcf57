/// Operations on a core that may be gone.
extension WeakCore {
  /// Asks to cancel; does nothing once the promise has resolved or is gone.
  func requestCancel() { withCore { $0.requestCancel() } }

  /// Rejects a step that waits and whose callback has no size; does nothing once the promise has resolved or is gone.
  func reject(with error: any Error) { withCore { $0.end(with: error as (any Error)?) } }

  /// Cancels a step that waits for its source, and the part of the chain before it that only it needs; asks any other
  /// core to cancel. Does nothing once the promise has resolved or is gone.
  func endChain() { withCore { $0.endWaiting(isChain: true) } }

  /// As `takeCallbackOut`; `nil` if the step is gone.
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
