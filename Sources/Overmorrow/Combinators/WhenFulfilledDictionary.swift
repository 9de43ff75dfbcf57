/// As `when(fulfilled:)` of an array, but the values are under the keys of the inputs.
///
/// ```swift
/// when(fulfilled: ["title": fetchTitle(), "body": fetchBody()]).then { texts in show(texts["title"], texts["body"]) }
/// ```
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
