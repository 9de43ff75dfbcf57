import Overmorrow
import Testing

@Suite(.inTurn) struct MapErrorTests {
  @Test("2.1 mapError replaces the error, and lets the rest be", arguments: Ending.allCases)
  func plain(ending: Ending) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    #expect(promise.mapError(on: .immediate) { $0.text + "!" }.result == ending.result(7, "no!"))
  }

  @Test("2.1 mapError takes an error by return and by throw", arguments: Ending.allCases, [false, true])
  func throwing(ending: Ending, isThrown: Bool) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    let child = promise.mapError(on: .immediate) { error throws(Refusal) -> Refusal in
      if isThrown { throw .second }
      return .third
    }
    #expect(child.result == ending.result(7, isThrown ? .second : .third))
  }

  @Test("2.1 mapError throws anything where the new failure is any error")
  func thrownAny() {
    let child = Promise<Int, Reason>(rejected: "no").mapError(on: .immediate) { _ -> any Error in throw Refusal.third }
    #expect(child.result?.error as? Refusal == .third)
  }
}
