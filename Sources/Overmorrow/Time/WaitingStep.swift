/// A step that waits for its source, and may be rejected before that resolves.
///
/// Holds a count on the step, but not its handle: it does not keep the promise from being sealed.
final class WaitingStep<Value: Sendable, Failure: Sendable>: Sendable {
  private let core: Owned

  /// The step's callback must have no size, because the error takes its place in the payload.
  init(_ promise: Promise<Value, Failure>) {
    core = withExtendedLifetime(promise) { Owned(promise.handle.core) }
  }

  /// Rejects the step, or cancels it if there is no error, and withdraws its vote; does nothing if it has resolved or
  /// runs.
  func end(with error: Failure?) { core.core.end(with: error) }

  /// Rejects the step on a context, if its source has not resolved by then; if that drops the work, the step is
  /// cancelled.
  func end(with error: Failure, on context: PromiseContext, unless source: WeakResult? = nil) {
    let ending = ending(with: error, unless: source)
    Pass.perform(on: context, isRunByWaits: true) { ending() }
  }

  /// Rejects the step when it is run; cancels the step when it is released unrun. Does neither once the flag is taken,
  /// or the source has resolved.
  func ending(
    with error: Failure, unless source: WeakResult? = nil, holding right: OnceFlag = OnceFlag()
  ) -> OneCall {
    @Sendable func end(with error: Failure?) {
      if source?.isResolved != true { self.end(with: error) }
    }
    return OneCall(holding: right, { end(with: error) }, ifDropped: { end(with: nil) })
  }
}

/// Tells whether a promise has resolved, without keeping its result.
final class WeakResult: Sendable {
  private let core: WeakCore

  init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    core = withExtendedLifetime(promise) { WeakCore(promise.handle.core, isExposed: false) }
  }

  /// Whether the promise has resolved.
  var isResolved: Bool { core.isSpent }
}
