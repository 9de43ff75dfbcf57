package import OvermorrowDiagnostics
package import OvermorrowEngine

// The functions by which the modules above the core record waits in the graph of waits.

extension UntypedPromise {
  /// Whether new promises are watched, recorded or in a scope. Code that makes fewer promises than the diagnostics are
  /// to show makes all of them if this property is `true`. It determines the level if the level is not known yet. So a
  /// program that is not watched only reads one word, even if it makes no promise.
  @usableFromInline
  package static var isWatching: Bool { DiagnosticsSwitch.makesNotes && isWatchingAtKnownLevel }

  @usableFromInline
  static var isWatchingAtKnownLevel: Bool {
    if DiagnosticsSwitch.isLevelUnknown {
      PendingOnRequest.begin
      _ = Diagnostics.isWatching
    }
    return DiagnosticsSwitch.makesNotes
  }

  /// Records in the note of the promise that a source resolves the promise. Does nothing if the promise has no note.
  ///
  /// - Parameter source: The source. The note does not retain it.
  package func isResolved(by source: any WaitSource) {
    withExtendedLifetime(handle) { PromiseNote.find(handle.core)?.wait(for: source) }
  }

  /// Reports the cycle of waits that contains the promise, if there is one.
  package func reportCycle() { withExtendedLifetime(handle) { WaitGraph.check(from: WaitNode(handle.core)) } }
}

extension UntypedResolver {
  /// Records that the calling thread runs the closure whose end the promise needs, such as that of a job.
  ///
  /// - Returns: A closure to call on the same thread when the closure has ended; `nil` if the promise is not watched.
  package func beginCallback() -> (() -> Void)? {
    let callback = object.withCore { core in PromiseNote.find(core).flatMap { StallWatch.begin($0, isStep: true) } }
    return (callback ?? nil)?.end
  }
}

extension TaskCall {
  /// Begins a call of the current task if promises may be watched. ``end()`` must follow in the same task.
  ///
  /// - Parameters:
  ///   - function: The name of the function.
  ///   - site: The place of the call. `.library` means that the place is unknown.
  ///   - cause: What the call waits for, such as "its closure".
  package static func begin(
    _ function: StaticString, at site: CallSite, waitingFor cause: StaticString = "its closure"
  ) -> TaskCall? {
    UntypedPromise.isWatching ? TaskCall("\(function)", at: site, waitingFor: "\(cause)") : nil
  }
}

extension PromiseReference {
  package var waitNode: WaitNode { withCore { WaitNode($0) } }
}

extension WaitNode {
  package init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    self = withExtendedLifetime(promise) { WaitNode(promise.handle.core) }
  }
}
