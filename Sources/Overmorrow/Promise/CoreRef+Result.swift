/// The payload as a result.
extension CoreRef {
  /// Copies the result, if there is one.
  @inlinable
  func result<Value, Failure>(_: Value.Type, _: Failure.Type) -> PromiseResult<Value, Failure>? {
    switch outcome {
    case .value: .value(read(Value.self))
    case .error: .error(read(Failure.self))
    case .cancelled: .cancelled
    case nil: nil
    }
  }

  /// Puts a result into an empty payload.
  @inlinable
  func write<Value, Failure>(result: PromiseResult<Value, Failure>) -> Outcome {
    switch result {
    case .value(let value):
      write(value)
      return .value
    case .error(let error):
      write(error)
      return .error
    case .cancelled: return .cancelled
    }
  }
}
