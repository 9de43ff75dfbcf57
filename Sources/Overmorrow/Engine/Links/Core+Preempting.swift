extension CoreRef {
  /// Rejects or cancels a step that waits for its source; see `WaitingStep`. The caller holds a count.
  func end<Failure: Sendable>(with error: Failure?) {
    guard claim() else { return }
    if let error { write(error) }
    let wasAsked = hasBeenAskedToCancel
    // The list of the source still has this core, with the pending count; publishing gives up another.
    retain()
    // Only for the source to hear of it: nobody has asked this core.
    requestCancel()
    publish(error == nil ? .cancelled : .error, in: nil)
    if !wasAsked { forgetRequest() }
  }
}
