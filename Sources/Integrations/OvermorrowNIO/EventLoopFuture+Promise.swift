#if SwiftNIO
  public import NIOCore
  public import Overmorrow

  extension EventLoopFuture where Value: Sendable {
    /// A promise for what this future ends with.
    ///
    /// It resolves on the event loop, inside the call that completes the future: immediate callbacks run there, without
    /// another hop. Called on the loop with a future that is complete, it returns a promise that has resolved.
    ///
    /// - Fulfils: with the value.
    /// - Fails: with the error; with NIO's if the loop is shut down first.
    /// - Cancels: when the error is ``PromiseCancelledError`` or `CancellationError`; when the future is dropped
    ///   unfinished.
    /// - Parameter cancelRequested: What to do when the promise is asked to cancel. A future cannot be cancelled, but
    ///   the work behind it often can, say by closing a channel. Left out, the promise is cancelled at once, and
    ///   whatever becomes of the future is ignored.
    public func promise(
      cancelRequested: @escaping @Sendable (Promise<Value, any Error>.Resolver) -> Void = { $0.cancel() }
    ) -> Promise<Value, any Error> {
      let (promise, resolver) = Promise<Value, any Error>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate, cancelRequested)
      // Only the future owns the ending: when it goes away unfinished, so does the resolver, and the promise is
      // cancelled.
      let ending = Ending(resolver)
      whenComplete { ending.resolver.resolve(with: PromiseResult(recognising: $0)) }
      if promise.result == nil {
        let watch = eventLoop.watchShutdown { [weak ending] in ending?.resolver.reject(with: $0) }
        promise.tap(on: .immediate) { _ in watch.cancel() }
      }
      return promise
    }
  }

  /// A resolver that can be held weakly.
  private final class Ending<Value: Sendable>: Sendable {
    let resolver: Promise<Value, any Error>.Resolver

    init(_ resolver: Promise<Value, any Error>.Resolver) { self.resolver = resolver }
  }

  extension PromiseResult where Failure == any Error {
    /// The same outcome, in which an error that stands for a cancellation is one.
    fileprivate init(recognising result: Result<Value, any Error>) {
      switch result {
      case .success(let value): self = .value(value)
      case .failure(is PromiseCancelledError), .failure(is CancellationError): self = .cancelled
      case .failure(let error): self = .error(error)
      }
    }
  }
#endif
