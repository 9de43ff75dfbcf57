import Overmorrow

/// An error of a callback that `Promise.Resolver.handleCallback(isCancelError:)` returned.
public enum PromiseCallbackError: Int, Error {
  /// The callback was called with neither a value nor an error.
  case apiMismatch
}

extension Promise.Resolver where Failure == any Swift.Error {
  /// Returns a function to use as the completion handler of an API that reports a value or an error. See
  /// `Resolver.completionHandler` of Overmorrow.
  ///
  /// - Parameter isCancelError: A closure that returns whether an error means that the work was cancelled. By default,
  ///   the closure returns `false` for every error.
  /// - Returns: A function that resolves the promise. If the function is called with neither a value nor an error, the
  ///   promise is rejected with ``PromiseCallbackError/apiMismatch``.
  public func handleCallback(
    isCancelError: @escaping @Sendable (any Swift.Error) -> Bool = { _ in false }
  ) -> @Sendable (Value?, (any Swift.Error)?) -> Void {
    let complete = completionHandler(isCancellation: isCancelError)
    return { value, error in
      if value == nil, error == nil { reject(with: PromiseCallbackError.apiMismatch) } else { complete(value, error) }
    }
  }
}
