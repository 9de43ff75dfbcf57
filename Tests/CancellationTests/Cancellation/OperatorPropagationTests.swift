import Overmorrow
import Testing

/// What holds for every operator whose promise has a vote.
@Suite(.inTurn) struct OperatorPropagationTests {
  @Test("3.2 with the handle gone, a request to the only child goes up, once", arguments: VotingOperator.all)
  func onlyChild(of voter: VotingOperator) {
    let applied = voter.apply(Tracker().make())
    applied.probe.drop()
    #expect(applied.probe.requestCount == 0)
    applied.child.requestCancel()
    #expect(applied.probe.requestCount == 1)
    applied.child.requestCancel()
    #expect(applied.probe.requestCount == 1)
  }

  @Test("3.2 while there is a handle, a request waits; it goes up when the handle goes", arguments: VotingOperator.all)
  func heldHandle(of voter: VotingOperator) {
    let applied = voter.apply(Tracker().make())
    applied.child.requestCancel()
    #expect(applied.probe.requestCount == 0)
    applied.probe.drop()
    #expect(applied.probe.requestCount == 1)
  }

  @Test("3.2 the request goes up when the last of several children has asked", arguments: VotingOperator.all)
  func lastOfSeveral(of voter: VotingOperator) {
    let applied = voter.apply(Tracker().make())
    let sibling = applied.probe.makeSibling()
    applied.probe.drop()
    sibling.requestCancel()
    sibling.requestCancel()
    #expect(applied.probe.requestCount == 0)
    applied.child.requestCancel()
    #expect(applied.probe.requestCount == 1)
  }

  @Test("3.2 a sibling that has not asked keeps the promise going", arguments: VotingOperator.all)
  func interestedSibling(of voter: VotingOperator) {
    let applied = voter.apply(Tracker().make())
    let sibling = applied.probe.makeSibling()
    applied.probe.drop()
    applied.child.requestCancel()
    applied.child.requestCancel()
    #expect(applied.probe.requestCount == 0)
    sibling.requestCancel()
    #expect(applied.probe.requestCount == 1)
  }

  @Test("3.2 3.8 dropping handles is no request, neither the parent's nor the child's", arguments: VotingOperator.all)
  func droppingIsNoRequest(of voter: VotingOperator) {
    let probe: any AnyCancelProbe
    do { probe = voter.apply(Tracker().make()).probe }
    probe.drop()
    #expect(probe.requestCount == 0)
  }

  @Test("3.2 a child that nobody holds any more still has its vote", arguments: VotingOperator.all)
  func droppedChildVotes(of voter: VotingOperator) {
    let probe: any AnyCancelProbe
    do { probe = voter.apply(Tracker().make()).probe }
    let sibling = probe.makeSibling()
    probe.drop()
    sibling.requestCancel()
    #expect(probe.requestCount == 0)
  }

  @Test("3.1 asking is no cancelling: the child is cancelled when its parent is", arguments: VotingOperator.all)
  func cancelledByParent(of voter: VotingOperator) {
    let applied = voter.apply(Tracker().make())
    applied.probe.drop()
    applied.child.requestCancel()
    #expect(!applied.child.isResolved)
    applied.probe.cancel()
    #expect(applied.child.isCancelled)
  }

  @Test("3.2 the callback of a chain that was cancelled is released", arguments: VotingOperator.all)
  func releasesCallback(of voter: VotingOperator) {
    let tracker = Tracker()
    let applied = voter.apply(tracker.make())
    applied.probe.drop()
    #expect(tracker.count == (voter.hasCallback ? 1 : 0))
    applied.child.requestCancel()
    applied.probe.cancel()
    #expect(tracker.count == 0)
  }
}
