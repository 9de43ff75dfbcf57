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

  @Test("the word says what a naive model of a promise says, after every sequence of events")
  func agreement() {
    #expect(Self.space.firstWrongNode { node in node.mistake } == nil)
    // The space is what it was meant to be: every phase, with up to four waiters.
    #expect(Set(Self.space.nodes.compactMap(\.word.phase)).count == 6)
    #expect(Self.space.nodes.contains { $0.waiting.count == 4 })
    #expect(Self.space.nodes.contains { $0.batch.count == 4 })
    #expect(Self.space.nodes.contains { $0.hasNewcomer })
    #expect(Self.space.nodes.contains { $0.isClosed && $0.handedOut.count == 3 })
    #expect(Self.space.nodes.contains { $0.drainersGone == 1 && $0.isClosed })
  }

  @Test("I1 a resolved promise never changes")
  func neverChanges() {
    let wrong = Self.space.firstWrongEdge { edge in
      edge.from.word.isResolved && edge.to.word.outcome != edge.from.word.outcome
        ? "the outcome changed" : nil
    }
    #expect(wrong == nil)
  }

  @Test("I2 a promise resolves only by publishing while its claim is taken")
  func onlyByPublishing() {
    let resolving = Self.space.edges.filter { !$0.from.word.isResolved && $0.to.word.isResolved }
    #expect(!resolving.isEmpty)
    for edge in resolving {
      guard case .publish(let outcome) = edge.event else {
        Issue.record("\(edge.event) resolved \(edge.from)")
        continue
      }
      #expect(edge.from.word.phase == .claimed && edge.from.claim == .taken)
      #expect(edge.to.word.outcome == outcome)
    }
  }

  @Test("I3 exactly one claim succeeds")
  func oneClaim() {
    #expect(Self.space.nodes.allSatisfy { $0.claims <= 1 })
    #expect(Self.space.nodes.allSatisfy { $0.claims == 0 || $0.word.phase != .pending })
    #expect(Self.space.nodes.allSatisfy { $0.claims == 1 || $0.word.phase == .pending })
    // It stays one while it is lent and taken back: at no time have two the right to publish.
    let wrong = Self.space.firstWrongNode { node in
      node.word.claiming() != nil && node.word.taking() != nil ? "two may resolve" : nil
    }
    #expect(wrong == nil)
  }

  @Test("I4 every waiter pushed is handed out exactly once")
  func exactlyOnce() {
    let wrong = Self.space.firstWrongNode { node in
      (node.handedOut + node.batch + node.waiting).sorted() == node.registered.sorted()
        ? nil : "waiters were lost, or doubled"
    }
    #expect(wrong == nil)
    let ends = Self.space.nodes.filter { $0.word.isClosed && $0.batch.isEmpty }
    #expect(!ends.isEmpty)
    #expect(ends.allSatisfy { $0.handedOut.sorted() == $0.registered.sorted() })
  }

  @Test("I4 from everywhere, the end can be reached: resolved, closed, everybody handed out")
  func noDeadEnd() {
    let stuck = Self.space.wayToDeadEnd { $0.word.isClosed && $0.batch.isEmpty }
    #expect(stuck == nil)
  }

  @Test("I5 waiters are handed out in the order in which they were pushed")
  func inOrder() {
    let wrong = Self.space.firstWrongNode { node in
      Array(node.registered.prefix(node.handedOut.count)) == node.handedOut
        ? nil : "\(node.handedOut) came out"
    }
    #expect(wrong == nil)
  }

  @Test("I6 once closed, nothing is ever pushed, and the word stays as it is")
  func closedForGood() {
    let closed = Self.space.edges.filter { $0.from.isClosed }
    #expect(closed.contains { $0.event == .push })
    #expect(closed.allSatisfy { $0.to.word == $0.from.word && $0.to.links == $0.from.links })
    #expect(closed.filter { $0.event == .push }.allSatisfy { $0.to.isRefused })
  }

  @Test("I8 a waiter pushed while an earlier one has not been handed out is handed out after it")
  func newcomersWait() {
    let pushes = Self.space.edges.filter { $0.event == .push && !$0.from.batch.isEmpty }
    #expect(!pushes.isEmpty)
    // The newcomer is not put into what the drainer hands out now, and the drainer has to come back for it.
    for edge in pushes {
      #expect(edge.to.batch == edge.from.batch)
      #expect(!edge.to.isClosed && edge.to.word.list == edge.to.registered.last)
    }
    // No waiter runs by itself before all that were pushed have been started.
    let wrong = Self.space.firstWrongNode { node in
      node.isClosed && node.handedOut != node.registered ? "it has ended too early" : nil
    }
    #expect(wrong == nil)
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
