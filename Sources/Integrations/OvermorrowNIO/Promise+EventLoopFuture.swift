#if SwiftNIO
  public import NIOCore
  public import Overmorrow

  /// What a future fails with when its promise was cancelled: futures have no third outcome.
  public struct PromiseCancelledError: Error, Hashable, CustomStringConvertible {
    /// The only value.
    public init() {}

    /// What happened, in words.
    public var description: String { "the promise was cancelled" }
  }

  extension Promise where Failure: Error {
    /// A future for the result of this promise.
    ///
    /// It has one vote on cancelling the promise and never asks to, unless its loop is shut down. One hop brings the
    /// result to the loop; none if the promise has resolved, or resolves on that loop.
    ///
    /// A value succeeds the future, an error fails it; a cancellation fails it with ``PromiseCancelledError``. If the
    /// loop is shut down first, the future fails with NIO's error, and the promise is asked to cancel unless others
    /// want it.
    ///
    /// - Parameter loop: The loop that the future belongs to. It must be running.
    public func future(on loop: any EventLoop) -> EventLoopFuture<Value> {
      if let result { return loop.makeCompletedFuture(result.asResult) }
      let ending = loop.makePromise(of: Value.self)
      // Shutting down invalidates it: a dead loop is handed nothing, and takes the future's vote back.
      let token = PromiseInvalidationToken()
      let watch = loop.watchShutdown { error in
        token.invalidate()
        ending.fail(error)
      }
      ending.futureResult.whenComplete { _ in watch.cancel() }
      withToken(token).always(on: .immediate) { ending.completeWith($0.asResult) }
      return ending.futureResult
    }
  }

  extension PromiseResult where Failure: Error {
    /// The same outcome without a third case.
    fileprivate var asResult: Result<Value, any Error> {
      switch self {
      case .value(let value): .success(value)
      case .error(let error): .failure(error)
      case .cancelled: .failure(PromiseCancelledError())
      }
    }
  }
#endif
