/// Returns a promise for the values of all inputs, under the keys of the inputs.
///
/// ```swift
/// when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts["title"], texts["body"]) }
/// ```
///
/// - Fulfils: when all inputs are fulfilled, with their values under the keys of the inputs. If there are no inputs, at
///   once.
/// - Fails: if an input is rejected before any input is cancelled, with the error of the first rejected input.
/// - Cancels: if an input is cancelled before any input is rejected. A request to cancel withdraws one vote on each
///   input.
/// - Parameters:
///   - promises: The inputs.
///   - cancelOnFailure: Whether the other inputs are asked to cancel as soon as an input is rejected or cancelled.
///     `false` by default.
///   - joining: Whether the returned promise is resolved only after all inputs have finished, even if an input has
///     already decided the result. `false` by default.
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
