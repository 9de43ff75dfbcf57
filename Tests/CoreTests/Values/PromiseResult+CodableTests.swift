import Foundation
import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseResultCodableTests {
  private typealias IntResult = PromiseResult<Int, Reason>
  private typealias OptionalResult = PromiseResult<Int?, Reason?>

  private func read(_ json: String) throws -> [IntResult] {
    try JSONDecoder().decode([IntResult].self, from: Data(json.utf8))
  }

  @Test("1.2 1.16 each result is encoded under its own key and can be decoded")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let results: [IntResult] = [.value(7), .error("no"), .cancelled]
    let json = try encoder.encode(results)
    #expect(String(decoding: json, as: UTF8.self) == #"[{"value":7},{"error":{"text":"no"}},{"cancelled":true}]"#)
    #expect(try JSONDecoder().decode([IntResult].self, from: json) == results)
    #expect(try PropertyListDecoder().decode([IntResult].self, from: PropertyListEncoder().encode(results)) == results)
  }

  @Test("1.2 nil values, nil errors, cancellations and nested results can be decoded")
  func optionals() throws {
    let results: [OptionalResult] = [.value(nil), .value(7), .error(nil), .error("no"), .cancelled]
    #expect(try JSONDecoder().decode([OptionalResult].self, from: JSONEncoder().encode(results)) == results)
    let nested: [PromiseResult<IntResult, Reason>] = [.value(.cancelled)]
    #expect(try JSONDecoder().decode([PromiseResult].self, from: JSONEncoder().encode(nested)) == nested)
  }

  @Test(
    "1.2 1.16 input without exactly one key is rejected with its position",
    arguments: ["{}", #"{"other":7}"#, #"{"value":7,"error":{"text":"no"}}"#, #"{"value":7,"cancelled":true}"#])
  func wrongKeys(json: String) throws {
    let error = #expect(throws: DecodingError.self) { try read("[\(json)]") }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error)) is not dataCorrupted")
      return
    }
    #expect(context.codingPath.map(\.intValue) == [0])
  }

  @Test(
    "1.2 input with a wrong type or without a keyed container is rejected",
    arguments: ["false", "null", "1", #""true""#].map { #"{"cancelled":\#($0)}"# }
      + [#"{"value":"seven"}"#, #"{"value":null}"#, #"{"error":"no"}"#, #"{"error":null}"#]
      + ["7", "[7]", "null", #""value""#])
  func wrong(json: String) {
    #expect(throws: DecodingError.self) { try read("[\(json)]") }
  }
}
