/// The way to serve a step. The plan is made before a core is made for the step.
@usableFromInline
package enum StepPlan {
  /// The step is registered.
  case register
  /// The callback is not for this result, so the step only forwards the result.
  case nothingToRun
  /// The callback runs at once, inside this inner call. The caller must then end the inner call.
  case run(InnerCall)
  /// The callback runs at once, in a pass.
  case runInPass
}

/// Code that runs inside the call of other code and counts in the thread's depth.
@usableFromInline
package struct InnerCall {
  private let thread: ThreadLocal

  /// Begins a call. Returns `nil` at the last permitted level, where a call needs a pass, and at deeper levels.
  init?(on thread: ThreadLocal) {
    guard thread.fields.depth < Pass.nesting - 1 else { return nil }
    thread.fields.depth += 1
    self.thread = thread
  }

  @usableFromInline
  package func leave() { thread.fields.depth -= 1 }
}

extension PromiseHandle {
  /// Whether an operator can use this core's result without making a step: the core is closed, and has neither a note
  /// nor a record.
  @usableFromInline
  package var needsNoStep: Bool { core.state.isClosed && !core.traits.isFollowed }

  /// Returns the way to serve a step with these traits.
  ///
  /// An immediate step of a closed core runs inside the call that makes the step, and is not a waiter (I6).
  @usableFromInline
  package func plan(of traits: Traits, isImmediate: Bool, _ gate: Gate?) -> StepPlan {
    let word = core.state
    guard word.isClosed else { return .register }
    if !traits.wantsOutcome(of: word) { return .nothingToRun }
    guard isImmediate, gate?.isShut != true else { return .register }
    let thread = ThreadLocal.current
    if !core.traits.isFollowed, let call = InnerCall(on: thread) { return .run(call) }
    return thread.fields.depth < Pass.nesting ? .runInPass : .register
  }

  /// Records that this core was made in place of a step of `source`, with another result. The core is not shared yet.
  @usableFromInline
  package func replaceStep(of source: CoreRef) {
    guard source.traits.isFollowed else { return }
    source.follow(step: core)
    if core.outcome == .error { core.noteRejected() }
  }
}

extension CoreRef {
  /// Runs the callback of a step with these traits, without making a core.
  @usableFromInline
  package func serveInPass(_ traits: Traits, _ body: () -> Void) {
    let readsError = outcome == .error && traits.has(.onError) && !traits.has(.library)
    guard let note = CoreNote.find(self) else {
      return Pass.runInside {
        if readsError, self.traits.has(.recorded) { CoreRecord.read(self, body) } else { body() }
      }
    }
    if readsError { note.follower.noteRead() }
    // The work that is deferred to this pass does not belong to the callback.
    Pass.runInside { note.follower.run(body) }
  }
}
