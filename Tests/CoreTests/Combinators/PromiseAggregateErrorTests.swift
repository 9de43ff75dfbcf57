import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseAggregateErrorTests {
  @Test("5.3 the errors are the reasons without the gaps, and the description shows both")
  func errors() {
    let error = PromiseAggregateError<Flaw>(reasons: ["a", nil, "b"])
    #expect(error.errors == ["a", "b"])
    #expect(!error.isEmpty)
    #expect(error.finishingOrder == [0, 1, 2])
    #expect(error.description == "none of 3 promises was fulfilled: a; b; 1 cancelled")
    #expect(PromiseAggregateError(reasons: ["a"]).description == "none of 1 promises was fulfilled: a")
    let nothing = PromiseAggregateError<Flaw>(reasons: [])
    #expect(nothing.isEmpty && nothing.errors == [])
  }

  @Test("5.3 errors are equal if their reasons are equal and arrived in the same order")
  func equality() {
    let error = PromiseAggregateError(reasons: ["a", "b"])
    #expect(error == PromiseAggregateError(reasons: ["a", "b"], finishingOrder: [0, 1]))
    #expect(error != PromiseAggregateError(reasons: ["a", "b"], finishingOrder: [1, 0]))
    #expect(Set([error, error]).count == 1)
  }
}
