internal import Overmorrow

/// What suspends, resumes and cancels the promise of a request, which may not be there yet, and which it does not keep.
final class RequestControl: Sendable {
  private let promises = ChainControl()
  private let isCancelled = Guarded(false)

  var isSuspended: Bool { promises.isSuspended }

  func suspend() { promises.suspend() }

  func resume() { promises.resume() }

  func cancel() {
    isCancelled.withLock { $0 = true }
    promises.requestCancel()
  }

  /// Takes the promise of the request.
  ///
  /// - Returns: Whether it is to begin: `false` if it has been asked to cancel before.
  func follow<Value, Failure>(_ promise: Promise<Value, Failure>) -> Bool {
    promises.add(promise)
    return !isCancelled.withLock { $0 }
  }
}
