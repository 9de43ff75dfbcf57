import Testing

@testable import Overmorrow

@Suite(.inTurn) struct OneCallTests {
  private let calls = Recorder<String>()

  private func make(holding right: OnceFlag = OnceFlag()) -> OneCall {
    OneCall(holding: right, { [calls] in calls.record("made") }, ifDropped: { [calls] in calls.record("dropped") })
  }

  @Test("a call is made once, and its replacement is not made")
  func isMadeOnce() {
    let call = make()
    call()
    call()
    withExtendedLifetime(call) {}
    _ = consume call
    #expect(calls.entries == ["made"])
  }

  @Test("a dropped call makes its replacement, and one with atLatest is made itself")
  func isDropped() {
    _ = make()
    _ = OneCall(atLatest: { [calls] in calls.record("at the latest") })
    #expect(calls.entries == ["dropped", "at the latest"])
  }

  @Test("of calls that share a right, exactly one is made")
  func sharesRight() {
    let right = OnceFlag()
    let (first, second) = (make(holding: right), make(holding: right))
    second()
    first()
    #expect(calls.entries == ["made"])
    _ = right.take()
    _ = make(holding: right)
    #expect(calls.entries == ["made"])
  }
}
