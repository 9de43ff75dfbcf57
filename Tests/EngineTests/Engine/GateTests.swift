import OvermorrowTesting
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct GateTests {
  private enum When: CaseIterable { case pending, resolved }

  @Test(
    "2.6 4.1 a report whose token was invalidated before its registration drops its callback",
    arguments: When.allCases)
  private func isShut(when: When) {
    let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
    let (token, tracker, context) = (PromiseInvalidationToken(), Tracker(), ManualContext())
    if when == .resolved { resolver.fulfill(with: 1) }
    let gate = token.gate
    token.invalidate()
    let tracked = tracker.make()
    promise.report(LibraryPart.self, on: context.context, gate: gate, .init { [tracked] _ in _ = tracked })
    _ = consume tracked
    #expect(tracker.count == 0)
    if when == .pending { #expect(promise.handle.core.state.list == 0) }
    resolver.fulfill(with: 1)
    #expect(context.count == 0)
  }
}
