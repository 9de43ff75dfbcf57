import Overmorrow
import Testing

@Suite(.inTurn) struct RecoverTests {
  @Test("2.1 recover puts a value in the place of an error, and no failure is left", arguments: Ending.allCases)
  func plain(ending: Ending) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    let child: Promise<Int, Never> = promise.recover(on: .immediate) { $0 == "no" ? 8 : 9 }
    switch ending {
    case .value: #expect(child.result?.value == 7)
    case .error: #expect(child.result?.value == 8)
    case .cancelled: #expect(child.result?.isCancelled == true)
    }
  }

  @Test("2.1 what recover throws is the new failure")
  func thrown() {
    let promise = Promise<Int, Reason>(rejected: "no")
    #expect(promise.recover(on: .immediate) { _ throws(Refusal) -> Int in throw .second }.result == .error(.second))
    let any = promise.recover(on: .immediate) { _ -> Int in throw Refusal.third }
    #expect(any.result?.error as? Refusal == .third)
  }
}
