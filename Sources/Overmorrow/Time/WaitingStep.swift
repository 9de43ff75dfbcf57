internal import OvermorrowEngine

/// A step that waits for its source and may be rejected before the source resolves.
///
/// A `WaitingStep` retains the core of the step but no handle, so the promise can still be sealed.
final class WaitingStep<Value: Sendable, Failure: Sendable>: Sendable {
  private let core: Owned

  /// Creates a reference to the step of a promise. The step's callback must have size zero, because the error of a
  /// rejection replaces the callback in the payload.
  init(_ promise: Promise<Value, Failure>) {
    core = withExtendedLifetime(promise) { Owned(promise.handle.core) }
  }

  /// Rejects the step, and withdraws its vote. If the error is `nil`, cancels the step instead of rejecting it. Does
  /// nothing if the step has resolved or is running.
  func rejectBeforeSource(with error: Failure?) { core.core.rejectBeforeSource(with: error) }

  /// Rejects the step on a context. If the context drops the closure that rejects the step, the step is cancelled. Once
  /// `source` has resolved, the step is neither rejected nor cancelled.
  func rejectBeforeSource(with error: Failure, on context: PromiseContext, unless source: WeakResult? = nil) {
    let rejection = rejection(with: error, unless: source)
    Pass.perform(on: context) { rejection() }
  }

  /// Returns a call that rejects the step. If the call is released without having been made, the step is cancelled.
  /// Once `flag` is taken or `source` has resolved, the step is neither rejected nor cancelled.
  func rejection(
    with error: Failure, unless source: WeakResult? = nil, sharing flag: OnceFlag = OnceFlag()
  ) -> OneCall {
    @Sendable func reject(with error: Failure?) {
      if source?.isResolved != true { self.rejectBeforeSource(with: error) }
    }
    return OneCall(sharing: flag, { reject(with: error) }, ifDropped: { reject(with: nil) })
  }
}

/// A weak reference that tells whether a promise has resolved. The reference does not retain the result of the promise.
final class WeakResult: Sendable {
  private let core: WeakCore

  init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    core = withExtendedLifetime(promise) { WeakCore(promise.handle.core, isExposed: false) }
  }

  /// Whether the promise has resolved or no longer exists.
  var isResolved: Bool { core.isSpent }
}
