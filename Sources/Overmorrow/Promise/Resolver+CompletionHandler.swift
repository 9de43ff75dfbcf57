extension Promise.Resolver where Failure == any Error {
  /// A callback to hand to an API that reports a value or an error.
  ///
  /// - A value fulfils the promise, also when there is an error beside it.
  /// - An error rejects it, or cancels it if `isCancellation` says so.
  /// - With neither, the promise is rejected with ``PromiseError/callbackWithoutResult``.
  ///
  /// ```swift
  /// find(place, completion: resolver.completionHandler(isCancellation: { $0 is CocoaError }))
  /// ```
  ///
  /// - Parameter isCancellation: Whether an error means that the work was cancelled. By default none does.
  /// - Returns: A function that resolves the promise. It may be called on any thread; further calls do nothing.
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

  /// Resolves the promise with a result whose error is of a certain type.
  public func resolve<E: Error>(with result: PromiseResult<Value, E>) {
    resolve(with: result.mapError { $0 as any Error })
  }
}
