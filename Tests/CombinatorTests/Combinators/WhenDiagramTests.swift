import Overmorrow
import Testing

/// What the combinators do over time, as diagrams.
@Suite(.inTurn) struct WhenDiagramTests {
  @Test(
    "5.2 the first input that is fulfilled or rejected decides, and the others are asked to cancel",
    arguments: [
      """
      one ---?
      two ---b
      out ---b
      """,
      """
      one --#
      two --?
      out --#
      """,
      """
      one -x
      two ---b
      out ---b
      """,
      """
      one -x
      two ---x
      out ---x
      """,
    ])
  func first(text: String) {
    expect(text) { when(first: $0, cancelRemaining: true) }
  }

  @Test(
    "5.3 rejections wait for a value until all inputs are rejected",
    arguments: [
      """
      one -#
      two ---b
      out ---b
      """,
      """
      one -#
      two ---#
      out ---#
      """,
      """
      one -a
      two -?
      out -a
      """,
    ])
  func firstFulfilled(text: String) {
    expect(text) { when(firstFulfilled: $0, cancelRemaining: true) }
  }

  @Test(
    "5.1 all values are waited for, and the first failure decides at once",
    arguments: [
      """
      one ---a
      two -b
      out ---a
      """,
      """
      one -#
      two -?
      out -#
      """,
      """
      one -?
      two -?
      ask -?
      out -x
      """,
    ])
  func fulfilled(text: String) {
    expect(text) { inputs in
      let all = when(fulfilled: inputs, cancelOnFailure: true)
      return all.map(on: .immediate) { $0[0] }
    }
  }

  private func expect<Failure>(
    _ text: String, _ makeOutput: ([MarbleDiagram.Input]) -> Promise<Character, Failure>
  ) {
    let diagram = MarbleDiagram(text)
    #expect(diagram.drawn(tick: {}, makeOutput) == diagram.description)
  }
}
