import Overmorrow
import Testing

/// The operators that measure time, as marble diagrams.
@Suite(.inTurn) struct TimeDiagramTests {
  private let clock = TestClock()

  private func expect<Failure>(
    _ text: String, location: SourceLocation = #_sourceLocation,
    _ makeOutput: ([MarbleDiagram.Input]) -> Promise<Character, Failure>
  ) {
    let diagram = MarbleDiagram(text)
    let drawn = diagram.drawn(tick: { clock.advance(by: .seconds(1)) }, makeOutput)
    #expect(drawn == diagram.description, sourceLocation: location)
    #expect(clock.sleeperCount == 0, "no timer is left", sourceLocation: location)
  }

  @Test("a diagram is drawn with what happens, not with what its text says")
  func drawing() {
    let diagram = MarbleDiagram("in ?-\nask --?\nout a")
    #expect(diagram.description == "in ?--\nask --?\nout a--")
    #expect(diagram.drawn(tick: {}, { $0[0] }) == "in --?\nask --?\nout --x")
  }

  @Test(
    "6.1 3.6 a delay starts when its promise resolves, and passes requests up",
    arguments: [
      "in --a---\nout -----a", "in --#---\nout -----#", "in --x---\nout -----x", "in a---\nout ---a",
      "in --?---\nask --?---\nout --x---",
    ])
  func delay(text: String) {
    expect(text) { $0[0].delay(on: .immediate, .seconds(3), clock: clock) }
  }

  @Test(
    "6.2 a timeout passes on a result in time, and otherwise fails",
    arguments: [
      "in --a-\nout --a-", "in --#-\nout --#-", "in --x-\nout --x-", "in a---\nout a---",
      "in ---?-\nout ---#-", "in --?-\nask --?-\nout --x-",
    ])
  func timeout(text: String) {
    expect(text) { $0[0].timeout(on: .immediate, .seconds(3), clock: clock) }
  }
}
