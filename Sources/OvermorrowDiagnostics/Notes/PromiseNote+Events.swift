package import OvermorrowEngine

// The events of the promise, for recordings.
extension PromiseNote {
  /// Runs a step, or forwards its source's result, and sends the events.
  func record(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    if case .run = operation { PromiseEvent.send(number, .callbackBegins) }
    let verdict = PromiseScope.run(in: membership?.scope ?? PromiseScope.current) {
      note.perform(operation, core, source)
    }
    if case .run = operation { PromiseEvent.send(number, .callbackEnds) }
    // Only the event is sent, because a recording must not affect the trails of errors.
    switch verdict {
    case .value: sendClaimed(for: .value)
    case .error: sendClaimed(for: .error)
    case .cancelled: sendClaimed(for: .cancelled)
    case .promise, .answer: break
    }
    return verdict
  }

  func sendClaimed(for outcome: Outcome) { PromiseEvent.send(number, .resolved(PromiseEvent.Ending(outcome))) }

  package func noteMistake(_ mistake: Mistake) {
    send(Finding(mistake, origin: note.namedSite))
  }

  func send(_ mistake: Finding) {
    PromiseEvent.send(number, .mistake(mistake.description))
  }

  package func noteInput(_ input: CoreRef) {
    guard DiagnosticsSwitch.isRecording, let input = CoreNote.find(input) else { return }
    PromiseEvent.send(number, .gathers(Int(input.number)))
  }

  package func noteInternal() { PromiseEvent.send(number, .isInternal) }

  package func noteEnd() {
    PromiseEvent.send(number, .freed)
    if producer == .resolver, let task = state.withLock({ $0.waits.task }) { TaskWaits.end(task, number) }
  }
}
