/// What is done from afar to a core that may be gone.
extension WeakCore {
  /// Asks to cancel; does nothing once the promise has resolved or is gone.
  func requestCancel() { withCore { $0.requestCancel() } }

  /// Rejects a step that waits and has no callback of any size; does nothing once the promise has resolved or is gone.
  func reject(with error: any Error) { withCore { $0.end(with: error as (any Error)?) } }

  /// Cancels a step that waits for its source, and the chain before it as far as nobody else sees it; asks anything else to
  /// cancel. Does nothing once the promise has resolved or is gone.
  func endChain() { withCore { $0.endWaiting(isChain: true) } }

  /// As `takeCallbackOut`; `nil` also if the step is gone.
  func takeCallbackOut() -> Answer? {
    var callback: Answer?
    withCore { callback = $0.takeCallbackOut() }
    return callback
  }

  /// Ends the step whose callback has been dropped, if nobody can see that.
  func endSuppressed() {
    withCore { step in
      step.suppressCallback()
      step.endIfUnobserved()
    }
  }
}
