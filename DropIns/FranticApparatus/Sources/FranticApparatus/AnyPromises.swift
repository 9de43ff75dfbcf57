internal import Overmorrow

/// The outcomes of several promises. At least one of the promises was fulfilled.
public struct AnyResult<Key: Hashable, Value> {
  /// The values of the fulfilled promises, by key.
  public let values: [Key: Value]
  /// The errors of the rejected promises, by key.
  public let reasons: [Key: any Error]

  /// Creates the outcomes of several promises from their values and errors.
  public init(values: [Key: Value], reasons: [Key: any Error]) {
    self.values = values
    self.reasons = reasons
  }

  /// Returns the value for a key.
  ///
  /// - Throws: The error for the key, or ``PromiseError/unknownReason`` if the key has neither a value nor an error.
  public func requiredValue(for key: Key) throws -> Value {
    if let value = values[key] { return value }
    throw reasons[key] ?? PromiseError.unknownReason
  }
}

/// Returns a promise for the outcomes of several promises. The promise returned is resolved when all inputs are
/// resolved. If no input is fulfilled, the promise returned is rejected with an ``ErrorDictionary``.
public func any<Key, Value>(_ promises: [Key: Promise<Value>]) -> Promise<AnyResult<Key, Value>> {
  let (keys, inputs) = (Array(promises.keys), Array(promises.values))
  typealias Outcome = Promise<AnyResult<Key, Value>>.Core
  return Promise<AnyResult<Key, Value>>(
    of: inputs,
    settled(when(settled: inputs.map(\.core))) { results in
      var (values, reasons): ([Key: Value], [Key: any Error]) = ([:], [:])
      for (key, result) in zip(keys, results) {
        if case .value(let value) = result {
          values[key] = value.value
        } else {
          reasons[key] = result.error ?? PromiseError.unknownReason
        }
      }
      if values.isEmpty { return Outcome(rejected: ErrorDictionary(errors: reasons)) }
      return Outcome(fulfilled: Kept(AnyResult(values: values, reasons: reasons)))
    })
}

/// Continues with the promise that a closure returns for the results. The types need not be `Sendable`: `mapped`
/// explains why.
private func settled<Results, Output>(
  _ core: Overmorrow.Promise<Results, Never>, _ body: @escaping (Results) -> Promise<Output>.Core
) -> Promise<Output>.Core {
  let body = Kept(body)
  return core.flatMapResult(on: .immediate) { $0.value.map(body.value) ?? Promise<Output>.Core(with: .cancelled) }
}
