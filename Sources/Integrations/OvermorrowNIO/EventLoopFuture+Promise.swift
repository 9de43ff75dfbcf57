#if SwiftNIO
  public import NIOCore
  public import Overmorrow

  extension EventLoopFuture where Value: Sendable {
    /// Returns a promise for the result of this future.
    ///
    /// The promise is resolved on the event loop, inside the call that completes the future. So `.immediate` callbacks
    /// run on the loop, without a submission to a context. If the future is complete and this method is called on the
    /// loop, the returned promise is already resolved.
    ///
    /// - Fulfils: with the value.
    /// - Fails: with the error of the future, or with NIO's error if the loop is shut down first.
    /// - Cancels: when the future fails with ``PromiseCancelledError`` or `CancellationError`, and when the future is
    ///   released without having been completed.
    /// - Parameters:
    ///   - fileID: The file of the call, for `PromiseDiagnostics`.
    ///   - line: The line of the call.
    ///   - cancelRequested: A closure that is called when the promise is asked to cancel. A future cannot be cancelled,
    ///     but the work behind the future often can be cancelled, for example by closing a channel. By default, the
    ///     promise is cancelled at once, and the result of the future is ignored.
    public func promise(
      fileID: StaticString = #fileID, line: UInt = #line,
      cancelRequested: @escaping @Sendable (Promise<Value, any Error>.Resolver) -> Void = { $0.cancel() }
    ) -> Promise<Value, any Error> {
      let (promise, resolver) = Promise<Value, any Error>.makeWithResolver(fileID: fileID, line: line)
      resolver.onRequestCancel(on: .immediate, cancelRequested)
      // Only the future retains `ending`. When the future is released without having been completed, the resolver is
      // released, too, and the promise is cancelled.
      let ending = Ending(resolver)
      whenComplete { ending.resolver.resolve(with: PromiseResult(recognising: $0)) }
      if promise.result == nil {
        let watch = eventLoop.watchShutdown { [weak ending] in ending?.resolver.reject(with: $0) }
        promise.tap(on: .immediate) { _ in watch.cancel() }
      }
      return promise
    }
  }

  /// A resolver to which there can be weak references.
  private final class Ending<Value: Sendable>: Sendable {
    let resolver: Promise<Value, any Error>.Resolver

    init(_ resolver: Promise<Value, any Error>.Resolver) { self.resolver = resolver }
  }

  extension PromiseResult where Failure == any Error {
    /// Creates the promise's result for the result of a future. An error that stands for cancellation becomes a
    /// cancellation.
    fileprivate init(recognising result: Result<Value, any Error>) {
      switch result {
      case .success(let value): self = .value(value)
      case .failure(is PromiseCancelledError), .failure(is CancellationError): self = .cancelled
      case .failure(let error): self = .error(error)
      }
    }
  }
#endif
