/// The payload as a result.
extension CoreRef {
  /// Copies the result, if there is one.
  @inlinable
  func result<Value, Failure>(_: Value.Type, _: Failure.Type) -> PromiseResult<Value, Failure>? {
    outcome == nil ? nil : finalResult()
  }

  /// Copies the result of a core that is resolved.
  @inlinable
  func finalResult<Value, Failure>() -> PromiseResult<Value, Failure> {
    switch outcome {
    case .value: .value(read(Value.self))
    case .error: .error(read(Failure.self))
    case .cancelled, nil: .cancelled
    }
  }
}
