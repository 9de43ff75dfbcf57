internal import OvermorrowEngine

/// The step of a timeout. It waits for its source, and may be rejected before the source resolves.
///
/// A `WaitingStep` retains the core of the step but no handle, so the promise can still be sealed.
@usableFromInline
final class WaitingStep: Sendable {
  /// A function that calls ``end(with:)`` with the error of the timeout or, if an executor has dropped the rejection,
  /// with `nil`.
  @usableFromInline typealias Rejection = @Sendable (_ step: WaitingStep, _ isDropped: Bool) -> Void

  private let core: Owned
  private let rejection: Rejection

  /// Creates a reference to the step of a promise. The step's callback must have size zero, because the error of a
  /// rejection replaces the callback in the payload.
  init(_ promise: PromiseHandle, _ rejection: @escaping Rejection) {
    core = withExtendedLifetime(promise) { Owned(promise.core) }
    self.rejection = rejection
  }

  /// Rejects the step, and withdraws its vote. If the error is `nil`, cancels the step instead of rejecting it. Does
  /// nothing if the step has resolved or is running.
  @usableFromInline
  func end<Failure: Sendable>(with error: Failure?) { core.core.rejectBeforeSource(with: error) }

  /// Rejects the step.
  func rejectBeforeSource() { rejection(self, false) }

  /// Rejects the step on a context. If the context drops the closure that rejects the step, the step is cancelled. Once
  /// `source` has resolved, the step is neither rejected nor cancelled.
  func rejectBeforeSource(on context: PromiseContext, unless source: WeakResult? = nil) {
    let rejection = makeRejection(unless: source)
    Pass.perform(on: context) { rejection() }
  }

  /// Returns a call that rejects the step. If the call is released without having been made, the step is cancelled.
  /// Once `flag` is taken or `source` has resolved, the step is neither rejected nor cancelled.
  func makeRejection(unless source: WeakResult? = nil, sharing flag: OnceFlag = OnceFlag()) -> OneCall {
    @Sendable func end(isDropped: Bool) {
      if source?.isResolved != true { rejection(self, isDropped) }
    }
    return OneCall(sharing: flag, { end(isDropped: false) }, ifDropped: { end(isDropped: true) })
  }
}

/// A weak reference that tells whether a promise has resolved. The reference does not retain the result of the promise.
final class WeakResult: Sendable {
  private let core: WeakCore

  init(_ promise: PromiseHandle) {
    core = withExtendedLifetime(promise) { WeakCore(promise.core, isExposed: false) }
  }

  /// Whether the promise has resolved or no longer exists.
  var isResolved: Bool { core.isSpent }
}
