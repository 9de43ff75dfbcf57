/// A step without a handle that runs an action of the library when a core has resolved. The step depends on no types.
extension PromiseHandle {
  /// Runs an action when the promise has resolved, inside the call that resolves the promise. If the promise is
  /// resolved, runs the action inside this call. The action has no vote, and does not count as an observer of an error.
  package func whenResolved(_ action: @escaping @Sendable () -> Void) {
    switch plan(of: EndOperations.traits, isImmediate: true, nil) {
    case .register:
      let step = CoreState.makeImmediateSealed(
        words: EndOperations.words, traits: EndOperations.traits, operations: EndOperations.operations)
      // Unsafe: the step is not registered yet, so its payload is empty.
      unsafe step.write(EndOperations.Action(call: action))
      withExtendedLifetime(self) { step.register(on: core) }
    case .nothingToRun: break
    case .run(let call):
      action()
      call.leave()
    case .runInPass: core.serveInPass(EndOperations.traits) { action() }
    }
  }
}

extension CoreRef {
  /// Does the same as ``PromiseHandle/whenResolved(_:)`` for a core on which the caller has a count. The promise need
  /// not stay for the action: if it was asked to cancel and nothing else observes it, it is cancelled.
  package func whenResolvedOrUnneeded(_ action: @escaping @Sendable () -> Void) {
    let step = CoreState.makeImmediateSealed(
      words: EndOperations.words, traits: EndOperations.traits.union(.passive), operations: EndOperations.operations)
    // Unsafe: the step is not registered yet, so its payload is empty.
    unsafe step.write(EndOperations.Action(call: action))
    step.register(on: self)
  }
}

/// A step that runs an action of the library when a core has resolved, and that may be ended before.
package struct EndStep: ~Copyable, Sendable {
  private let step: Owned

  package init() {
    step = CoreState.makeKept(
      words: EndOperations.words, traits: EndOperations.traits, operations: EndOperations.operations)
  }

  /// Begins to wait for a promise. Called once, before ``stopObserving()``.
  package func observeEnd(of promise: PromiseHandle, _ action: @escaping @Sendable () -> Void) {
    // Unsafe: the step is not registered yet, so its payload is empty.
    unsafe step.core.write(EndOperations.Action(call: action))
    withExtendedLifetime(promise) { step.core.register(on: promise.core) }
  }

  /// Whether the promise is unresolved. Called after ``observeEnd(of:_:)``.
  package var isSourceUnresolved: Bool {
    // A step that is not linked to its source any more has been served, or has ended.
    let source = step.core.upstream()
    return source.all.contains { $0.outcome == nil }
  }

  /// Ends the step without running its action, and releases the action. Does nothing if the action has begun.
  package func stopObserving() { step.core.dropWaiting() }
}

/// The operations of a step that runs an action.
private enum EndOperations {
  /// The action. If the function were stored directly as a generic value, the compiler would wrap it in a thunk, which
  /// needs an allocation. A structure needs no thunk.
  struct Action: Sendable {
    let call: @Sendable () -> Void
  }

  static var traits: Traits { [.onAnything, .library] }

  static var words: Int { MemoryLayout<Action>.payloadWords }

  static var operations: Operations { { perform($0, $1, $2) } }

  private static func perform(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    switch operation {
    // Unsafe, both: the maker of the step has written the action, and one of the two operations takes it out.
    case .run: unsafe core.take(Action.self).call()
    case .forward: _ = unsafe core.take(Action.self)
    case .forwardWithoutCallback, .takeOut, .adopt, .destroyValue, .destroyError, .copyError, .findNote, .willEnd: break
    }
    return .cancelled
  }
}
