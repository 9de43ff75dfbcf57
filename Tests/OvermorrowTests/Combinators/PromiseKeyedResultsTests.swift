import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseKeyedResultsTests {
  private let results = PromiseKeyedResults<String, Int, Refusal>([
    "a": .value(1), "b": .error(.second), "c": .cancelled,
  ])

  @Test("5.3 results are sorted by their kind")
  func sorted() {
    #expect(results == PromiseKeyedResults(values: ["a": 1], reasons: ["b": .second], cancelled: ["c"]))
    #expect(Set([results, results]).count == 1)
  }

  @Test("5.3 requiredValue gives the value that is there")
  func requiredValue() throws {
    #expect(try results.requiredValue(for: "a") == 1)
  }

  @Test("5.3 requiredValue throws the reason of a rejected input, and CancellationError for a cancelled one")
  func requiredReason() {
    #expect(throws: Refusal.second) { try results.requiredValue(for: "b") }
    #expect(throws: CancellationError.self) { try results.requiredValue(for: "c") }
  }

  @Test("5.3 requiredValue throws an error that names the missing key")
  func missing() {
    #expect(throws: PromiseMissingKeyError(key: "d")) { try results.requiredValue(for: "d") }
    #expect("\(PromiseMissingKeyError(key: "d"))" == "there is no promise under the key d")
  }

  @Test("5.3 requiredValue throws any error as it is")
  func anyError() {
    let results = PromiseKeyedResults<Int, Int, any Error>([1: .error(Refusal.first)])
    #expect(throws: Refusal.first) { try results.requiredValue(for: 1) }
  }

  @Test("5.3 the error of a dictionary tells every reason, in the order of the keys")
  func errors() {
    let error = PromiseKeyedErrors(reasons: ["b": "two", "a": "one"], cancelled: ["c"])
    #expect("\(error)" == "none of 3 promises was fulfilled: a: one; b: two; c: cancelled")
    #expect(!error.isEmpty)
    #expect(Set([error, error]).count == 1)
    #expect(PromiseKeyedErrors<String, Flaw>(reasons: [:]).isEmpty)
  }
}
