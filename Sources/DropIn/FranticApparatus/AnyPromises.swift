internal import Overmorrow

/// What became of several promises, of which at least one was fulfilled.
public struct AnyResult<Key: Hashable, Value> {
  /// The values of those that were fulfilled.
  public let values: [Key: Value]
  /// The errors of those that were rejected.
  public let reasons: [Key: any Error]

  /// What became of several promises.
  public init(values: [Key: Value], reasons: [Key: any Error]) {
    self.values = values
    self.reasons = reasons
  }

  /// The value under a key.
  ///
  /// - Throws: The error under that key; ``PromiseError/unknownReason`` if there is neither.
  public func requiredValue(for key: Key) throws -> Value {
    if let value = values[key] { return value }
    throw reasons[key] ?? PromiseError.unknownReason
  }
}

/// A promise for what becomes of several promises, once all have ended; rejected with an ``ErrorDictionary`` if none
/// was fulfilled.
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

/// What a closure makes of the results. Nothing is asked of the types, as for the values of ``all(_:)``.
private func settled<Results, Output>(
  _ core: Overmorrow.Promise<Results, Never>, _ body: @escaping (Results) -> Promise<Output>.Core
) -> Promise<Output>.Core {
  let body = Kept(body)
  return core.flatMapResult(on: .immediate) { $0.value.map(body.value) ?? Promise<Output>.Core(with: .cancelled) }
}
