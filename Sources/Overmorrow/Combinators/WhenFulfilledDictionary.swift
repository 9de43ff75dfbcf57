/// A promise for the values of all promises, by their keys.
///
/// ```swift
/// when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts["title"], texts["body"]) }
/// ```
///
/// - Fulfils: when every input has, with the values under the keys of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
///   - joining: Whether to wait until all the inputs have finished, also when one has decided.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
public func when<Key: Sendable, Value, Failure>(
  fulfilled promises: [Key: Promise<Value, Failure>], cancelOnFailure: Bool = false, joining: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<[Key: Value], Failure> {
  let keys = Array(promises.keys)
  return when(
    fulfilled: Array(promises.values), cancelOnFailure: cancelOnFailure, joining: joining, fileID: fileID, line: line
  )
  .transformValue(on: .immediate, token: nil) { .value(Dictionary(uniqueKeysWithValues: zip(keys, $0))) }
}
