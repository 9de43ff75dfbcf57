import Overmorrow
import Testing

@Suite(.inTurn) struct MapErrorTests {
  @Test("2.1 mapError replaces the error, and lets the rest be", arguments: Ending.allCases)
  func plain(ending: Ending) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    #expect(promise.mapError(on: .immediate) { $0.text + "!" }.result == ending.result(7, "no!"))
  }
}
