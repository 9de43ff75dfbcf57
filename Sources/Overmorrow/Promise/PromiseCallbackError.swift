/// What went wrong in a callback that `Promise.Resolver.handleCallback(isCancelError:)` made.
public enum PromiseCallbackError: Int, Error {
  /// The callback was called with neither a value nor an error.
  case apiMismatch
}

extension Promise.Resolver where Failure == any Error {
  /// A callback to hand to an API that reports a value or an error.
  ///
  /// - A value fulfils the promise, also when there is an error beside it.
  /// - An error rejects it, or cancels it if `isCancelError` says so.
  /// - With neither, the promise is rejected with ``PromiseCallbackError/apiMismatch``.
  ///
  /// ```swift
  /// find(place, completion: resolver.handleCallback(isCancelError: { $0 is CocoaError }))
  /// ```
  ///
  /// - Parameter isCancelError: Whether an error means that the work was cancelled. By default none does.
  /// - Returns: A function that resolves the promise. It may be called on any thread; further calls do nothing.
  public func handleCallback(
    isCancelError: @escaping @Sendable (any Error) -> Bool = { _ in false }
  ) -> @Sendable (Value?, (any Error)?) -> Void {
    { value, error in
      if let value {
        fulfill(with: value)
      } else if let error {
        if isCancelError(error) { cancel() } else { reject(with: error) }
      } else {
        reject(with: PromiseCallbackError.apiMismatch)
      }
    }
  }

  /// Resolves the promise with a result whose error is of a certain type.
  ///
  /// - Parameter result: What it is resolved to.
  public func resolve<E: Error>(with result: PromiseResult<Value, E>) {
    resolve(with: result.mapError { $0 as any Error })
  }
}
