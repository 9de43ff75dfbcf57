/// A step that waits for its source and may be rejected before the source resolves.
///
/// Holds a count on the step but not its handle, so the promise can still be sealed.
final class WaitingStep<Value: Sendable, Failure: Sendable>: Sendable {
  private let core: Owned

  /// The step's callback must have size zero, because the error replaces it in the payload.
  init(_ promise: Promise<Value, Failure>) {
    core = withExtendedLifetime(promise) { Owned(promise.handle.core) }
  }

  /// Rejects the step, or cancels it if there is no error, and withdraws its vote. Does nothing if the step has
  /// resolved or is running.
  func end(with error: Failure?) { core.core.end(with: error) }

  /// Rejects the step on a context, unless `source` has resolved by then. If the context drops the work, the step is
  /// cancelled.
  func end(with error: Failure, on context: PromiseContext, unless source: WeakResult? = nil) {
    let ending = ending(with: error, unless: source)
    Pass.perform(on: context, isRunByWaits: true) { ending() }
  }

  /// Returns a call that rejects the step, or cancels the step if the call is released without having been made. The
  /// call does neither once `flag` is taken or `source` has resolved.
  func ending(
    with error: Failure, unless source: WeakResult? = nil, sharing flag: OnceFlag = OnceFlag()
  ) -> OneCall {
    @Sendable func end(with error: Failure?) {
      if source?.isResolved != true { self.end(with: error) }
    }
    return OneCall(sharing: flag, { end(with: error) }, ifDropped: { end(with: nil) })
  }
}

/// Tells whether a promise has resolved, without retaining its result.
final class WeakResult: Sendable {
  private let core: WeakCore

  init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    core = withExtendedLifetime(promise) { WeakCore(promise.handle.core, isExposed: false) }
  }

  /// Whether the promise has resolved or no longer exists.
  var isResolved: Bool { core.isSpent }
}
