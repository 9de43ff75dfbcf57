import Overmorrow
import Testing

@Suite(.inTurn) struct PromiseTests {
  @Test("1.5 a promise made with a value is fulfilled with it")
  func fulfilled() {
    #expect(Promise<Int, String>(fulfilled: 7).result == .value(7))
  }

  @Test @MainActor func mainPass() async {
    let result = await Promise<Int, Reason>(fulfilled: 7).map(on: .main) { $0 + 1 }.outcome()
    #expect(result == .value(8))
    #expect(PromiseContext.auto == .main)
  }
}
