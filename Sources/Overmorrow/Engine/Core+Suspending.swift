/// What becomes of a promise while it is suspended. None of this is reached by one that never is.
///
/// Suspending stops two things: the start of a step, and the publishing of a result. So a step that is running finishes,
/// and whoever waits for it does not start. What is stopped is kept in `Suspensions`, together with the count that the
/// core has for being unresolved, and goes on from there when the promise is resumed.
extension CoreRef {
  // MARK: Stopped

  /// The source has resolved, but the claim was refused when the step was to run.
  func runLater(from source: CoreRef, in pass: Pass) {
    if Suspensions.keep(self, from: source, at: pass.placeTaken(from: self)) { return }
    if state.isPending { return runStep(from: source, in: pass) }
    leave()
  }

  /// The source has resolved, but this is neither a step that is to run now nor one that is adopting it.
  func serveHeld(from source: CoreRef, in pass: Pass?) {
    // Of a promise that adopts, only the publishing is stopped.
    if Suspensions.takeAdopted(self) { return settle(copyResult(of: source), in: pass) }
    // The same for a step that passes the result on: its claim is not refused.
    if state.isHeld, !wants(source) { return passOn(from: source, in: pass) }
    if Suspensions.keep(self, from: source, at: nil) { return }
    if state.isPending { return Pass.serveAgain(self, from: source, in: pass) }
    leave()
  }

  /// The result is in the payload, but it may not be published.
  func publishLater(_ outcome: Outcome, in pass: Pass?) {
    guard let action = Suspensions.publish(self, outcome) else { return }
    if action == .refused {
      // Cancelled while it was suspended: nobody is ever going to see this result.
      discard(outcome)
      release()
    } else {
      finishPublishing(action, in: pass)
    }
  }

  private func discard(_ outcome: Outcome) {
    switch outcome {
    case .value: _ = perform(.destroyValue, nil)
    case .error: _ = perform(.destroyError, nil)
    case .cancelled: break
    }
  }

  /// Whether the promise is suspended and has a result, which it keeps.
  var keepsResult: Bool { state.isHeld && Suspensions.keepsResult(self) }

  // MARK: Resumed

  /// Goes on with what was stopped.
  func goOn(with kept: KeptResult) {
    switch kept {
    case .outcome(let outcome): publish(outcome, in: nil)
    case .source(let source):
      if !wants(source) {
        passOn(from: source, in: nil)
      } else if place.isImmediate {
        Pass.runAtOnce(self, from: source, isNow: false)
      } else {
        Pass.handOver(self, from: source, joins: false)
      }
      source.release()
    }
  }

  // MARK: Cancelled

  /// Cancels at once if it is suspended: nothing goes on that could answer the request. The caller holds a count, or
  /// has the handle.
  func cancelHeld() {
    guard let held = Suspensions.cancel(self) else { return }
    switch (held.phase, held.kept) {
    case (_, .outcome(let outcome)): discard(outcome)
    case (_, .source(let source)):
      // In no list; the count that it has for being unresolved is used up below.
      _ = perform(.pass, nil)
      clearStep()
      source.release()
    case (let phase, nil):
      // A list, or whoever has the claim, has the count for being unresolved.
      retain()
      if phase == .pending { _ = perform(.pass, nil) }
    }
    finishPublishing(held.action, in: nil)
  }
}
