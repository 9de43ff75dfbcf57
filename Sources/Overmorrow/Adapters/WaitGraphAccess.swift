internal import OvermorrowEngine

// The functions by which the modules above the core record waits in the graph of waits.

extension UntypedPromise {
  /// Records in the note of the promise that a source resolves the promise. Does nothing if the promise has no note.
  ///
  /// - Parameter source: The source. The note does not retain it.
  package func isResolved(by source: any WaitSource) {
    withExtendedLifetime(handle) { PromiseNote.find(handle.core)?.wait(for: source) }
  }

  /// Reports the cycle of waits that contains the promise, if there is one.
  package func reportCycle() { withExtendedLifetime(handle) { WaitGraph.check(from: WaitNode(handle.core)) } }
}

extension PromiseReference {
  package var waitNode: WaitNode { withCore { WaitNode($0) } }
}

extension WaitNode {
  package init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    self = withExtendedLifetime(promise) { WaitNode(promise.handle.core) }
  }
}
