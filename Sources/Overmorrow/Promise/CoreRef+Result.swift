/// The payload as a result.
extension CoreRef {
  /// Returns a copy of the result, or `nil` if the core is unresolved.
  @inlinable
  func result<Value, Failure>(_: Value.Type, _: Failure.Type) -> PromiseResult<Value, Failure>? {
    switch outcome {
    case .value: .value(read(Value.self))
    case .error: .error(read(Failure.self))
    case .cancelled: .cancelled
    case nil: nil
    }
  }

  /// Returns a copy of the result of a resolved core. The return type is not optional, because an optional result costs
  /// one more copy of a large value.
  @inlinable
  func finalResult<Value, Failure>() -> PromiseResult<Value, Failure> {
    switch outcome {
    case .value: .value(read(Value.self))
    case .error: .error(read(Failure.self))
    case .cancelled, nil: .cancelled
    }
  }
}
