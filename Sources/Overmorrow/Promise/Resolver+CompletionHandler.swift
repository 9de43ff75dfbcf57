extension Promise.Resolver where Failure == any Error {
  /// Returns a completion handler for an API that reports a value or an error.
  ///
  /// - A value fulfils the promise. If there is also an error, the error is ignored.
  /// - An error without a value rejects the promise. However, if `isCancellation` returns `true` for the error, the
  ///   promise is cancelled.
  /// - If the value and the error are both `nil`, the promise is rejected with ``PromiseError/callbackWithoutResult``.
  ///
  /// ```swift
  /// find(place, completion: resolver.completionHandler(isCancellation: { $0 is CocoaError }))
  /// ```
  ///
  /// - Parameter isCancellation: A closure that returns whether an error means that the work was cancelled. By default,
  ///   no error means this.
  /// - Returns: A function that resolves the promise. The function may be called on any thread. Only the first call has
  ///   an effect.
  public func completionHandler(
    isCancellation: @escaping @Sendable (any Error) -> Bool = { _ in false }
  ) -> @Sendable (Value?, (any Error)?) -> Void {
    { value, error in
      if let value {
        fulfill(with: value)
      } else if let error {
        if isCancellation(error) { cancel() } else { reject(with: error) }
      } else {
        reject(with: PromiseError.callbackWithoutResult)
      }
    }
  }

  /// Resolves the promise with a result that has a concrete error type.
  public func resolve<E: Error>(with result: PromiseResult<Value, E>) {
    resolve(with: result.mapError { $0 as any Error })
  }
}
