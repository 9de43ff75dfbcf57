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

  /// Copies the result of a resolved core. The return type is not optional, because an optional would copy a large
  /// value once more.
  @inlinable
  func finalResult<Value, Failure>() -> PromiseResult<Value, Failure> {
    switch outcome {
    case .value: .value(read(Value.self))
    case .error: .error(read(Failure.self))
    case .cancelled, nil: .cancelled
    }
  }
}
