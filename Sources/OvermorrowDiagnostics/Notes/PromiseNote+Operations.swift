package import OvermorrowEngine

// The operations of the core, and the code of the promise that they run.
extension PromiseNote {
  package func perform(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    case .run, .forward, .forwardWithoutCallback:
      // A callback for errors counts as a reader even if a token suppresses the callback or an executor drops it.
      let traits = core.traits
      takeOver(from: source, readsError: traits.contains(.onError) && !traits.contains(.handlesNoError))
      let callback = if case .run = operation { StallWatch.begin(self, isStep: true) } else { RunningCallback?.none }
      defer { callback?.end() }
      if case .run = operation, traits.contains(.onError), let source, source.outcome == .error,
        let failure = PromiseNote.find(source)?.failure
      {
        failure.keep()
        let verdict = failure.handle { serve(operation, core, source) }
        if traits.contains(.makesResult), case .error = verdict { followNewError(unless: failure) }
        return verdict
      }
      return serve(operation, core, source)
    case .adopt:
      takeOver(from: source, readsError: false, isAdoption: true)
      if let outcome = source?.outcome { noteClaimed(for: outcome) }
    case .destroyError: errorWillBeDestroyed(of: core)
    case .takeOut, .destroyValue, .copyError, .findNote, .willEnd: break
    }
    return note.perform(operation, core, source)
  }

  /// Runs a step, or forwards its source's result, in the scope of the promise.
  private func serve(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    if DiagnosticsSwitch.isRecording { return record(operation, core, source) }
    guard let membership else { return note.perform(operation, core, source) }
    return PromiseScope.$current.withValue(membership.scope) { note.perform(operation, core, source) }
  }

  package func run(_ body: () -> Void) {
    let callback = StallWatch.begin(self, isStep: false)
    defer { callback?.end() }
    // If the promise is rejected, the code is a callback for its error, which runs without a step.
    guard let failure else { return runInScope(body) }
    failure.handle { runInScope(body) }
  }

  private func runInScope(_ body: () -> Void) {
    guard let membership else { return body() }
    PromiseScope.$current.withValue(membership.scope, operation: body)
  }
}
