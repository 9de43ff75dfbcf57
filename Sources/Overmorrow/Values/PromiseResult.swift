/// The result of a promise: a value, an error, or a cancellation.
///
/// Cancellation is a separate outcome and not an error, so no error handler has to filter it out.
public enum PromiseResult<Value, Failure> {
  /// The promise was fulfilled.
  case value(Value)
  /// The promise was rejected.
  case error(Failure)
  /// The promise was cancelled.
  case cancelled

  /// The value, or `nil`.
  @inlinable
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The error, or `nil`.
  @inlinable
  public var error: Failure? {
    if case .error(let error) = self { error } else { nil }
  }

  /// Whether this is ``cancelled``.
  @inlinable
  public var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }

  /// Returns this result with its value transformed by a closure.
  ///
  /// - Parameter transform: A closure that is called with the value, if there is one.
  /// - Throws: The error that `transform` throws.
  @inlinable
  public func map<T, E: Error>(_ transform: (Value) throws(E) -> T) throws(E) -> PromiseResult<T, Failure> {
    switch self {
    case .value(let value): .value(try transform(value))
    case .error(let error): .error(error)
    case .cancelled: .cancelled
    }
  }

  /// Returns this result with its error transformed by a closure.
  ///
  /// - Parameter transform: A closure that is called with the error, if there is one.
  /// - Throws: The error that `transform` throws.
  @inlinable
  public func mapError<T, E: Error>(_ transform: (Failure) throws(E) -> T) throws(E) -> PromiseResult<Value, T> {
    switch self {
    case .value(let value): .value(value)
    case .error(let error): .error(try transform(error))
    case .cancelled: .cancelled
    }
  }

  /// Returns the result that a closure makes from the value. An error or a cancellation is returned unchanged.
  ///
  /// - Parameter transform: A closure that is called with the value, if there is one.
  /// - Throws: The error that `transform` throws.
  @inlinable
  public func flatMap<T, E: Error>(
    _ transform: (Value) throws(E) -> PromiseResult<T, Failure>
  ) throws(E) -> PromiseResult<T, Failure> {
    switch self {
    case .value(let value): try transform(value)
    case .error(let error): .error(error)
    case .cancelled: .cancelled
    }
  }

  /// Returns the result that a closure makes from the error. A value or a cancellation is returned unchanged.
  ///
  /// - Parameter transform: A closure that is called with the error, if there is one.
  /// - Throws: The error that `transform` throws.
  @inlinable
  public func flatMapError<T, E: Error>(
    _ transform: (Failure) throws(E) -> PromiseResult<Value, T>
  ) throws(E) -> PromiseResult<Value, T> {
    switch self {
    case .value(let value): .value(value)
    case .error(let error): try transform(error)
    case .cancelled: .cancelled
    }
  }
}

extension PromiseResult where Failure: Error {
  /// Returns the value, or throws an error if there is no value.
  ///
  /// - Throws: The error, or `CancellationError` for ``cancelled``.
  @inlinable
  public func get() throws -> Value {
    switch self {
    case .value(let value): value
    case .error(let error): throw error
    case .cancelled: throw CancellationError()
    }
  }
}

extension PromiseResult: Sendable where Value: Sendable, Failure: Sendable {}
extension PromiseResult: Equatable where Value: Equatable, Failure: Equatable {}
extension PromiseResult: Hashable where Value: Hashable, Failure: Hashable {}

extension PromiseResult where Failure: Error {
  /// Creates a result from a `Result`: a success becomes a value, and a failure becomes an error.
  @inlinable
  public init(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self = .value(value)
    case .failure(let error): self = .error(error)
    }
  }
}

extension Result {
  /// Creates a `Result` with the same outcome. Returns `nil` for a cancellation, which a `Result` cannot express.
  @inlinable
  public init?(_ result: PromiseResult<Success, Failure>) {
    switch result {
    case .value(let value): self = .success(value)
    case .error(let error): self = .failure(error)
    case .cancelled: return nil
    }
  }
}
