/// What became of several promises, by their keys.
public struct PromiseKeyedResults<Key: Hashable & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  /// The values of those that were fulfilled.
  public let values: [Key: Value]
  /// The errors of those that were rejected.
  public let reasons: [Key: Failure]
  /// The keys of those that were cancelled.
  public let cancelled: Set<Key>

  /// Results that are known by kind.
  ///
  /// - Parameters:
  ///   - values: The values of those that were fulfilled.
  ///   - reasons: The errors of those that were rejected.
  ///   - cancelled: The keys of those that were cancelled.
  public init(values: [Key: Value], reasons: [Key: Failure], cancelled: Set<Key> = []) {
    self.values = values
    self.reasons = reasons
    self.cancelled = cancelled
  }

  /// Sorts results by their kind.
  ///
  /// - Parameter results: What became of each promise.
  public init(_ results: [Key: PromiseResult<Value, Failure>]) {
    values = results.compactMapValues(\.value)
    reasons = results.compactMapValues(\.error)
    cancelled = Set(results.lazy.filter(\.value.isCancelled).map(\.key))
  }
}

extension PromiseKeyedResults where Failure: Error {
  /// The value under a key that one cannot do without.
  ///
  /// - Parameter key: The key of an input.
  /// - Returns: The value of that input.
  /// - Throws: The error that the input was rejected with; `CancellationError` if it was cancelled;
  ///   ``PromiseMissingKeyError`` if there was no such input.
  public func requiredValue(for key: Key) throws -> Value {
    if let value = values[key] { return value }
    if let reason = reasons[key] { throw reason }
    throw cancelled.contains(key) ? CancellationError() : PromiseMissingKeyError(key: key)
  }
}

extension PromiseKeyedResults: Equatable where Value: Equatable, Failure: Equatable {}
extension PromiseKeyedResults: Hashable where Value: Hashable, Failure: Hashable {}

/// A value was required of a promise that there was not.
public struct PromiseMissingKeyError<Key: Hashable & Sendable>: Error, Hashable {
  /// What was asked for.
  public let key: Key

  /// An error that names a key.
  ///
  /// - Parameter key: What was asked for.
  public init(key: Key) { self.key = key }
}

extension PromiseMissingKeyError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String { "there is no promise under the key \(key)" }
}
