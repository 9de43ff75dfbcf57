/// A promise for the values of those of several promises that are fulfilled, by their keys, if one is at least.
///
/// ```swift
/// let all = when(anyFulfilled: ["news": fetchNews(), "weather": fetchWeather()])
/// all.then { parts in
///   show(parts.values["news"] ?? "no news", parts.values["weather"] ?? "no forecast")
/// }
/// ```
///
/// - Fulfils: when every input has finished and one is fulfilled at least, with the values, and the reasons of the
///   others.
/// - Fails: when every input has finished and none is fulfilled, with their reasons; at once for no input, with an error
///   that says so.
/// - Cancels: when all the inputs are cancelled. A request to cancel counts as one child's request on each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameters:
///   - promises: The inputs.
///   - fileID: Where the promise is made, for ``PromiseDiagnostics``: filled in by the compiler.
///   - line: Where the promise is made: filled in by the compiler.
/// - Complexity: One registration for each input.
public func when<Key: Sendable, Value, Failure>(
  anyFulfilled promises: [Key: Promise<Value, Failure>],
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<PromiseKeyedResults<Key, Value, Failure>, PromiseKeyedErrors<Key, Failure>> {
  let keys = Array(promises.keys)
  return when(settled: Array(promises.values), fileID: fileID, line: line).mapResult(on: .immediate) { settled in
    guard case .value(let settled) = settled else { return .cancelled }
    let results = PromiseKeyedResults(Dictionary(uniqueKeysWithValues: zip(keys, settled)))
    if !results.values.isEmpty { return .value(results) }
    if !settled.isEmpty, results.reasons.isEmpty { return .cancelled }
    return .error(PromiseKeyedErrors(reasons: results.reasons, cancelled: results.cancelled))
  }
}
