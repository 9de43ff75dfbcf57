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

/// A promise for what becomes of several promises, once all have ended; rejected with an ``ErrorDictionary`` if none was
/// fulfilled.
public func any<Key: SendableMetatype, Value>(_ promises: [Key: Promise<Value>]) -> Promise<AnyResult<Key, Value>> {
  let (keys, inputs) = (Array(promises.keys), Array(promises.values))
  typealias Outcome = Promise<AnyResult<Key, Value>>.Core
  let byKey = Kept<([PromiseResult<Kept<Value>, any Error>]) -> Outcome>({ results in
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
  return Promise<AnyResult<Key, Value>>(
    of: inputs,
    when(settled: inputs.map(\.core)).flatMapResult(on: .immediate) { results in
      results.value.map(byKey.value) ?? Outcome(with: .cancelled)
    })
}
