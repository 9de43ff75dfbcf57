internal import Overmorrow

/// Suspends, resumes and cancels a request, whose promise may not exist yet. It does not keep the request.
///
/// The request keeps the pause, and this resumes it when it is released, as no other code could.
final class RequestControl: Sendable {
  let pause: PromisePause
  private let promises = PromiseInvalidationToken(invalidateOnDeinit: false)
  private let state = Guarded((isUsed: false, isCancelled: false))

  init(within pause: PromisePause?) { self.pause = PromisePause(within: pause) }

  deinit { pause.resume() }

  /// Whether the request must not begin.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Belongs to a request from now on; `false` if it belongs to one already.
  func use() -> Bool {
    state.withLock { state in
      defer { state.isUsed = true }
      return !state.isUsed
    }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    promises.cancelWithoutInvalidating()
  }

  /// Takes the promise of the request.
  func follow<Value, Failure>(_ promise: Promise<Value, Failure>) {
    promise.requestCancelOnInvalidate(promises)
    if isCancelled { promise.requestCancel() }
  }
}
