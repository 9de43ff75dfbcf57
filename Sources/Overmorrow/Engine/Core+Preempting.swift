/// A step that waits for its source, to be rejected from the side before that resolves.
///
/// Holds a count on it, but not its handle: it does not keep the promise from being sealed.
final class WaitingStep<Value: Sendable, Failure: Sendable>: Sendable {
  private let core: CoreRef

  /// The step's callback has to be of no size, because its place in the payload is taken by the error.
  init(_ promise: Promise<Value, Failure>) {
    core = promise.handle.core
    core.retain()
    withExtendedLifetime(promise) {}
  }

  deinit { core.release() }

  /// Rejects the step and takes its vote back; does nothing if its source, or another, has been first.
  func reject(with error: Failure) {
    guard core.claim() else { return }
    core.write(error)
    // The list of the source still has this core, with the pending count; publishing gives up another.
    core.retain()
    core.requestCancel()
    core.publish(.error, in: nil)
  }
}

/// Tells whether a promise has resolved, without keeping its result.
final class WeakResult: Sendable {
  private let core: CoreRef
  private let memory: MemoryHold

  init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    core = promise.handle.core
    memory = MemoryHold(promise.handle)
    withExtendedLifetime(promise) {}
  }

  /// Whether the promise has resolved, or is gone, which it can only be after that.
  var isResolved: Bool {
    guard core.retainIfAlive() else { return true }
    defer { core.release() }
    return core.state.isResolved
  }
}
