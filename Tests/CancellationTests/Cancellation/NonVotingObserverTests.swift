import Overmorrow
import Testing

/// `tap`, `onCancel` and `ignoringCancel`, which take part in cancellation in ways of their own.
@Suite(.inTurn) struct NonVotingObserverTests {
  private let probe = CancelProbe<Int, Flaw>()

  private static let taps = [
    VoteScenario("tap() does not pass a request on, even as the only child", [.tap], .drop, .ask(0), .requests(0)),
    VoteScenario(
      "tap() does not keep the other children's request from going up, asked or not", [.tap, .tap, .child],
      .drop, .ask(0), .requests(0), .ask(2), .requests(1)),
    VoteScenario(
      "tap(on:) does not keep the other children's request from going up",
      [.tapWithCallback, .child, .tapWithCallback],
      .drop, .ask(1), .requests(1)),
    VoteScenario(
      "tap(on:) is no child that could have asked: dropping the handle is no request", [.tapWithCallback],
      .drop, .requests(0)),
    VoteScenario("a request to a child of tap() ends at the tap", [.behindTap], .drop, .ask(0), .requests(0)),
  ]

  private static let onCancels = [
    VoteScenario(
      "onCancel as the only child passes a request on", [.onCancel], .drop, .requests(0), .ask(0), .requests(1)),
    VoteScenario(
      "onCancel as the only child of a held promise passes a request on when the handle goes", [.onCancel],
      .ask(0), .requests(0), .drop, .requests(1)),
    VoteScenario(
      "an onCancel that has not asked does not keep the others' request from going up", [.onCancel, .onCancel, .child],
      .drop, .ask(2), .requests(1)),
    VoteScenario(
      "onCancel that has asked waits for a child that has not", [.child, .onCancel],
      .drop, .ask(1), .requests(0), .ask(0), .requests(1)),
    VoteScenario(
      "onCancel that asks after the others did changes nothing", [.child, .onCancel],
      .ask(0), .ask(1), .requests(0), .drop, .requests(1), .ask(1), .requests(1)),
    VoteScenario(
      "of several onCancel and nobody else, the first that asks is enough", [.onCancel, .onCancel, .onCancel],
      .drop, .ask(1), .requests(1)),
    VoteScenario(
      "onCancel beside a tap is still the only one that counts", [.tap, .onCancel],
      .drop, .ask(0), .requests(0), .ask(1), .requests(1)),
    VoteScenario(
      "onCancel beside ignoringCancel does not get a request through", [.ignoringCancel, .onCancel],
      .drop, .ask(1), .ask(0), .requests(0)),
    VoteScenario(
      "a request passes through onCancel in the middle of a chain", [.behindOnCancel], .drop, .ask(0), .requests(1)),
  ]

  private static let ignoring = [
    VoteScenario(
      "ignoringCancel() does not pass a request on", [.ignoringCancel, .behindIgnoringCancel],
      .drop, .ask(0), .ask(1), .requests(0)),
    VoteScenario(
      "ignoringCancel() keeps the other children's request from going up, for good", [.child, .ignoringCancel],
      .letGo(1), .ask(0), .drop, .requests(0)),
  ]

  @Test(
    "3.3 11.9 a tap has no vote, onCancel has one only if nobody else has, and ignoringCancel keeps it for ever",
    arguments: taps + onCancels + ignoring)
  func votes(in scenario: VoteScenario) {
    scenario.run {
      let probe = CancelProbe<Int, Flaw>()
      return (probe, scenario.children.map { $0.make(probe.promise) })
    }
  }

  @Test("3.3 each of them has the result of its parent, although it was asked to cancel", arguments: Ending.allCases)
  func followsItsParent(ending: Ending) {
    let log = Recorder<PromiseResult<Int, Flaw>>()
    let promise = probe.promise
    promise.tap(on: .immediate) { log.record($0) }
    let children = [
      promise.tap(), promise.tap().makeChild(), promise.onCancel(on: .immediate) {}, promise.ignoringCancel(),
    ]
    for child in children { child.requestCancel() }
    #expect(children.allSatisfy { $0.result == nil })
    probe.resolver.resolve(with: ending.result(8, "no"))
    #expect(children.map(\.result) == Array(repeating: ending.result(8, "no"), count: 4))
    #expect(log.entries == [ending.result(8, "no")])
  }
}
