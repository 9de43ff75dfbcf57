public import Overmorrow

/// How a promise has ended.
public enum Result<T> {
  /// With a value.
  case fulfilled(T)
  /// With an error.
  case rejected(any Error)
}

extension PromiseKit.Result {
  /// Whether it is a value.
  @inlinable public var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }

  @inlinable init?(_ outcome: Outcome<T>) {
    switch outcome {
    case .value(let value): self = .fulfilled(value.value)
    case .error(let error): self = .rejected(error)
    case .cancelled: return nil
    }
  }

  @inlinable var outcome: Outcome<T> {
    switch self {
    case .fulfilled(let value): .value(Kept(value))
    case .rejected(let error): .error(error)
    }
  }
}

extension PromiseResult where Failure == any Error {
  /// The value; a promise that can get no result any more counts as cancelled.
  @inlinable func unboxed<T>() throws -> T where Value == Kept<T> {
    switch self {
    case .value(let value): return value.value
    case .error(let error): throw error
    case .cancelled: throw PMKError.cancelled
    }
  }
}
