import Overmorrow
import Testing

/// `tap`, `onCancel` and `ignoringCancel`, which differ from the other operators in how they take part in cancellation.
@Suite(.inTurn) struct NonVotingObserverTests {
  private let probe = CancelProbe<Int, Flaw>()

  /// The random programs of `RandomProgramTests` cover all other scenarios.
  private static let scenarios = [
    VoteScenario(
      "tap() passes no request on, and does not hold back those of other children", [.tap, .tap, .child],
      .drop, .ask(0), .requests(0), .ask(2), .requests(1)),
    VoteScenario(
      "onCancel passes a request on if it is the only child", [.onCancel], .drop, .requests(0), .ask(0), .requests(1)),
    VoteScenario(
      "onCancel waits for another child and does not hold back its request",
      [.child, .onCancel, .onCancel],
      .drop, .ask(1), .requests(0), .ask(0), .requests(1)),
    VoteScenario(
      "ignoringCancel() holds back the requests of other children permanently",
      [.child, .onCancel, .ignoringCancel],
      .release(2), .ask(0), .ask(1), .drop, .requests(0)),
  ]

  @Test("3.3 11.9 tap has no vote, onCancel votes only alone, and ignoringCancel keeps its vote", arguments: scenarios)
  func votes(in scenario: VoteScenario) {
    scenario.run {
      let probe = CancelProbe<Int, Flaw>()
      return (probe, scenario.children.map { $0.make(probe.promise) })
    }
  }

  @Test(
    "3.3 tap, onCancel and ignoringCancel pass on the result even after a request to cancel",
    arguments: Ending.allCases)
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
