import Testing

@testable import Overmorrow

/// All that can happen to a promise with up to four waiters, in every order.
@Suite(.inTurn) struct StateWordExplorationTests {
  static let events: [StateEvent] =
    [.claim, .adopt, .take, .push, .drain, .end, .goOn, .handOut, .remove]
    + Outcome.allCases.map(StateEvent.publish)

  static let space = Exploration<StateModel, StateEvent>(from: StateModel()) { node in
    events.compactMap { event in node.after(event, pushing: 4).map { (event, $0) } }
  }

  @Test("I1 to I6, I8: the word says what a naive model of a promise says, after every sequence of events")
  func agreement() {
    #expect(Self.space.firstWrongNode { node in node.mistake } == nil)
    // The space is what it was meant to be: every phase, with up to four waiters.
    #expect(Set(Self.space.nodes.compactMap(\.word.phase)).count == 6)
    #expect(Self.space.nodes.contains { $0.waiting.count == 4 })
    #expect(Self.space.nodes.contains { $0.batch.count == 4 })
    #expect(Self.space.nodes.contains { $0.hasNewcomer })
    #expect(Self.space.nodes.contains { $0.isClosed && $0.handedOut.count == 3 })
    #expect(Self.space.nodes.contains { $0.drainersGone == 1 && $0.isClosed })
    #expect(Self.space.edges.contains { $0.event == .push && $0.from.isClosed })
  }

  @Test("I4 from everywhere, the end can be reached: resolved, closed, everybody handed out")
  func noDeadEnd() {
    let stuck = Self.space.wayToDeadEnd { $0.word.isClosed && $0.batch.isEmpty }
    #expect(stuck == nil)
  }

  @Test("I9 a drainer takes a list twice at most; then it ends the list, or leaves what has come to another drainer")
  func boundedDrainer() {
    #expect(Set(Self.space.nodes.map(\.drains)) == [0, 1, 2])
    #expect(Self.space.edges.allSatisfy { $0.to.drains == $0.from.drains || [.drain, .goOn].contains($0.event) })
    // Whatever is pushed meanwhile, the drainer has a step that brings it nearer to its end.
    let steps: Set<StateEvent> = [.drain, .end, .goOn, .handOut]
    let able = Set(Self.space.edges.filter { steps.contains($0.event) && $0.from != $0.to }.map(\.from))
    #expect(Self.space.nodes.allSatisfy { $0.outcome == nil || $0.isClosed || able.contains($0) })
  }
}
