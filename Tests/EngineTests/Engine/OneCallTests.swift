import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct OneCallTests {
  private let calls = Recorder<String>()

  private func make(sharing flag: OnceFlag = OnceFlag()) -> OneCall {
    OneCall(sharing: flag, { [calls] in calls.record("made") }, ifDropped: { [calls] in calls.record("dropped") })
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

  @Test("of calls that share a flag, exactly one is made")
  func sharesFlag() {
    let flag = OnceFlag()
    let (first, second) = (make(sharing: flag), make(sharing: flag))
    second()
    first()
    #expect(calls.entries == ["made"])
    _ = flag.take()
    _ = make(sharing: flag)
    #expect(calls.entries == ["made"])
  }
}
