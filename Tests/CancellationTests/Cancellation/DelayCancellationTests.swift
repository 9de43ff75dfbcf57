import Overmorrow
import OvermorrowTesting
import Testing

/// How `delay` takes part in cancellation.
@Suite(.inTurn) struct DelayCancellationTests {
  private let clock = TestClock()
  private let probe = IntProbe()

  /// When the delayed promise is asked to cancel.
  enum Asking: CaseIterable { case never, before, during }

  @Test(
    "6.1 11.9 a result is delayed, also when cancelling was asked for; but a cancellation that was asked for is passed on at once, and the timer goes",
    arguments: Ending.allCases, Asking.allCases)
  func results(ending: Ending, asking: Asking) async {
    let delayed = probe.take().delay(on: .immediate, .seconds(10), clock: clock)
    if asking == .before { delayed.requestCancel() }
    probe.resolver.resolve(with: ending.result(4, .failed))
    if asking != .before { #expect(clock.sleeperCount == 1) }
    if asking == .during { delayed.requestCancel() }
    if ending == .cancelled, asking != .never {
      #expect(delayed.result == .cancelled)
      #expect(clock.sleeperCount == 0)
    } else {
      await clock.advance(by: .seconds(9))
      #expect(delayed.result == nil)
      await clock.advance(by: .seconds(1))
      #expect(await delayed.outcome() == ending.result(4, .failed))
    }
  }
}
