internal import Overmorrow
internal import OvermorrowEngine
internal import OvermorrowFlow

/// Suspends, resumes and cancels a request, even before its promise exists. This object does not retain the request.
///
/// When this object is released, it resumes the pause. The request may still retain the pause, but no other code could
/// resume the pause.
final class RequestControl: Sendable {
  let pause: PromisePause
  private let promises = PromiseInvalidationToken(invalidateOnDeinit: false)
  private let claimed = OnceFlag()
  private let cancelled = Guarded(false)

  init(within pause: PromisePause?) { self.pause = PromisePause(within: pause) }

  deinit { pause.resume() }

  /// Whether the request has been cancelled and must not begin.
  var isCancelled: Bool { cancelled.withLock { $0 } }

  /// Claims this object for a request. Returns `false` if this object has already been claimed.
  func claim() -> Bool { claimed.take() }

  func cancel() {
    cancelled.withLock { $0 = true }
    promises.cancelWithoutInvalidating()
  }

  /// Connects the promise of the request with this object, so that `cancel()` requests the cancellation of the promise.
  func follow<Value, Failure>(_ promise: Promise<Value, Failure>) {
    promise.requestCancelOnInvalidate(promises)
    if isCancelled { promise.requestCancel() }
  }
}
