import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseTimeoutErrorTests {
  @Test("6.2 6.17 timeout errors are equal when they are the same case with the same error")
  func equality() {
    let all: [PromiseTimeoutError<Flaw>] = [.timedOut, .rejected("a"), .rejected("b")]
    for (row, left) in all.enumerated() {
      for (column, right) in all.enumerated() { #expect((left == right) == (row == column)) }
    }
    #expect(Set(all + all).count == 3)
  }

  @Test("6.2 6.17 a timeout error says what happened")
  func description() {
    #expect("\(PromiseTimeoutError<Flaw>.timedOut)" == "the promise timed out")
    #expect("\(PromiseTimeoutError<Flaw>.rejected("no"))" == "no")
  }
}
