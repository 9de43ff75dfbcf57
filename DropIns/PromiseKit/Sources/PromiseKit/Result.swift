public import Overmorrow

/// The result of a promise.
public enum Result<T> {
  /// The promise was fulfilled with a value.
  case fulfilled(T)
  /// The promise was rejected with an error.
  case rejected(any Error)
}

extension PromiseKit.Result {
  /// Whether the result is a value.
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
  /// Returns the value, or throws the error. Throws `PMKError.cancelled` for a promise that can never have a result.
  @inlinable func unboxed<T>() throws -> T where Value == Kept<T> {
    switch self {
    case .value(let value): return value.value
    case .error(let error): throw error
    case .cancelled: throw PMKError.cancelled
    }
  }
}
