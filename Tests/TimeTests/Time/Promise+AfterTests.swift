import Overmorrow
import Testing

@Suite(.inTurn) struct AfterTests {
  private let executor = ManualContext()

  typealias Outcome = PromiseResult<Int, Flaw>

  private let clock = TestClock()

  @Test(
    "1.5 it cancels inside a request to cancel, and its timer is gone",
    arguments: [Outcome.value(1), .error("no"), .cancelled])
  func cancels(result: Outcome) {
    let promise = Promise(with: result, after: .seconds(10), clock: clock)
    #expect(clock.sleeperCount == 1)
    promise.requestCancel()
    #expect((promise.result, clock.sleeperCount) == (.cancelled, 0))
  }

  @Test("1.5 a request between the end of the delay and the turn of the context still cancels")
  func cancelsWhileHandedOver() async {
    let promise = Promise<Int, Flaw>(on: executor.context, fulfilled: 1, after: .seconds(1), clock: clock)
    await clock.advance(by: .seconds(1))
    await executor.waitForWork()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    executor.runAll()
    #expect(promise.result == .cancelled)
  }
}
