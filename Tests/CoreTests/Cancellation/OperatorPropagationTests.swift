import Overmorrow
import Testing

/// The behaviour that all operators with a vote share.
@Suite(.inTurn) struct OperatorPropagationTests {
  /// The first child is the operator's promise. The listed children are registered after it.
  static let scenarios = [
    VoteScenario(
      "without a handle, a request to the only child is passed up once", [],
      .drop, .requests(0), .ask(0), .requests(1), .ask(0), .requests(1)),
    VoteScenario(
      "a request is passed up when the last handle is released", [],
      .ask(0), .requests(0), .drop, .requests(1)),
    VoteScenario(
      "the request is passed up when the last of several children has requested cancellation", [.child],
      .drop, .ask(1), .ask(1), .requests(0), .ask(0), .requests(1)),
    VoteScenario(
      "a sibling without a request holds the request back", [.child],
      .drop, .ask(0), .ask(0), .requests(0), .ask(1), .requests(1)),
    VoteScenario(
      "3.8 releasing the handles of the child and its parent is no request", [], .release(0), .drop, .requests(0)),
    VoteScenario(
      "a child without handles still has its vote", [.child], .release(0), .drop, .ask(1), .requests(0)),
  ]

  @Test(
    "3.2 3.4 3.8 a child has one vote, and the last withdrawn vote passes the request up",
    arguments: VotingOperator.all,
    scenarios)
  func votes(of voter: VotingOperator, in scenario: VoteScenario) {
    scenario.run {
      let applied = voter.apply(Tracker().make())
      return (applied.probe, [applied.child] + scenario.children.map { _ in applied.probe.makeSibling() })
    }
  }

  @Test(
    "3.1 3.2 an asked child is cancelled with its parent, which then releases the callback",
    arguments: VotingOperator.all)
  func cancelledByParent(of voter: VotingOperator) {
    let tracker = Tracker()
    let applied = voter.apply(tracker.make())
    applied.probe.drop()
    #expect(tracker.count == (voter.hasCallback ? 1 : 0))
    applied.child.requestCancel()
    #expect(!applied.child.isResolved)
    applied.probe.resolver.cancel()
    #expect(applied.child.isCancelled)
    #expect(tracker.count == 0)
  }
}
