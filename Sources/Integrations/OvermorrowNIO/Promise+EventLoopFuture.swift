#if SwiftNIO
  public import NIOCore
  public import Overmorrow

  /// The error of a future whose promise was cancelled, because a future has no third outcome.
  public struct PromiseCancelledError: Error, Hashable, CustomStringConvertible {
    /// Creates the error. All values of this error are equal.
    public init() {}

    /// A description of the error.
    public var description: String { "the promise was cancelled" }
  }

  extension Promise where Failure: Error {
    /// Returns a future for the result of this promise.
    ///
    /// The future has one vote on the cancellation of the promise, and withdraws the vote only if the loop of the
    /// future is shut down. If the promise is already resolved or is resolved on that loop, the result is not submitted
    /// to the loop. In all other cases, the result is submitted once.
    ///
    /// A value succeeds the future, an error fails it, and a cancellation fails it with ``PromiseCancelledError``. If
    /// the loop is shut down before the promise is resolved, the future fails with NIO's error. If no other child wants
    /// the result of the promise, the promise is then asked to cancel.
    ///
    /// - Parameter loop: The loop that the future belongs to. The loop must be running.
    public func future(on loop: any EventLoop) -> EventLoopFuture<Value> {
      if let result { return loop.makeCompletedFuture(result.asResult) }
      let ending = loop.makePromise(of: Value.self)
      // Shutting the loop down invalidates the token. Nothing is then submitted to the loop any more, and the vote of
      // the future is withdrawn.
      let token = PromiseInvalidationToken()
      let watch = loop.watchShutdown { error in
        token.invalidate()
        ending.fail(error)
      }
      ending.futureResult.whenComplete { _ in watch.cancel() }
      always(on: .immediate, token: token) { ending.completeWith($0.asResult) }.requestCancelOnInvalidate(token)
      return ending.futureResult
    }
  }

  extension PromiseResult where Failure: Error {
    /// This result, with an error in place of a cancellation.
    fileprivate var asResult: Result<Value, any Error> {
      switch self {
      case .value(let value): .success(value)
      case .error(let error): .failure(error)
      case .cancelled: .failure(PromiseCancelledError())
      }
    }
  }
#endif
