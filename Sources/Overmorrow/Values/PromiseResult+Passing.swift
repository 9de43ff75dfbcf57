/// The result to pass on when the callback is left out.
extension PromiseResult {
  /// The error; what needed the value is cancelled.
  @inlinable
  func withoutValue<U>() -> PromiseResult<U, Failure> {
    if case .error(let error) = self { .error(error) } else { .cancelled }
  }

  /// The value; what needed the error is cancelled.
  @inlinable
  func withoutError<E>() -> PromiseResult<Value, E> {
    if case .value(let value) = self { .value(value) } else { .cancelled }
  }
}
