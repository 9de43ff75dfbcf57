import Testing

@testable import Overmorrow

/// All that can happen to the request word of a promise with up to two cores to wait for and two handlers.
@Suite(.inTurn) struct RequestWordExplorationTests {
  static let events: [RequestEvent] = [
    .ask, .told, .attach, .detach(0), .detach(1), .add, .replace, .close, .borrow,
    .giveBack,
  ]

  static let space = Exploration<RequestModel, RequestEvent>(from: RequestModel()) { node in
    events.compactMap { event in node.after(event, offering: 2).map { (event, $0) } }
  }

  @Test(
    "the word says what a naive account of cores and handlers says, after every sequence of events")
  func agreement() {
    #expect(Self.space.firstWrongNode { node in node.mistake } == nil)
    #expect(Set(Self.space.nodes.map(\.word.kind)).count == 5)
    #expect(Self.space.nodes.contains { $0.nodes.count == 3 })
    #expect(Self.space.nodes.contains { $0.isAsked && $0.coreInWord != nil && !$0.isAsking })
  }

  @Test(
    "R1 the word owns what it points to, until somebody takes the address out and deals with it")
  func ownership() {
    let wrong = Self.space.firstWrongNode { node in
      guard !node.isAsking, node.mistake == nil else { return nil }
      for core in node.cores {
        let isThere = core.count == .inWord || core.count == .inHandler
        if node.isClosed, isThere { return "a closed word keeps a core" }
        if core.count == .inHandler, core.vote != .held {
          return "a handler keeps a core without a vote"
        }
        if core.count == .inWord, (core.vote == .held) == node.isAsked {
          return "the vote does not fit the kind"
        }
        if core.count == .released, core.vote == .held {
          return "a core was released and its vote left"
        }
      }
      if node.isClosed || node.isAsked, node.handlers.contains(.waiting) {
        return "a handler was forgotten"
      }
      return nil
    }
    #expect(wrong == nil)
  }

  @Test(
    "R1 from everywhere, the end can be reached: closed, and everything that was offered dealt with"
  )
  func noLeak() {
    let stuck = Self.space.wayToDeadEnd { node in
      node.isClosed && node.cores.allSatisfy { $0.count == .released }
        && !node.handlers.contains(.waiting)
    }
    #expect(stuck == nil)
  }

  @Test("R2 a handler leaves the word once, and not to run after the promise closed")
  func handlersOnce() {
    let wrong = Self.space.firstWrongEdge { edge in
      for (before, after) in zip(edge.from.handlers, edge.to.handlers) where before != after {
        if before != .waiting { return "a handler that was \(before) became \(after)" }
        if after == .ran, edge.from.isClosed { return "a handler ran after the promise closed" }
      }
      return nil
    }
    #expect(wrong == nil)
    let late = Self.space.edges.filter { $0.from.isClosed && $0.event == .add }
    #expect(!late.isEmpty)
    #expect(late.allSatisfy { $0.to.handlers.last == .refused })
  }

  @Test(
    "R3 once asked, whatever is attached is told at once, and each vote is withdrawn exactly once")
  func toldAtOnce() {
    let late = Self.space.edges.filter { $0.from.isAsked && !$0.from.isClosed }
    let handlers = late.filter { $0.event == .add }
    #expect(!handlers.isEmpty)
    #expect(handlers.allSatisfy { $0.to.handlers.last == .ran })
    let cores = late.filter { $0.event == .attach && $0.to.cores.count > $0.from.cores.count }
    #expect(!cores.isEmpty)
    #expect(cores.allSatisfy { $0.to.cores.last?.vote == .withdrawn })
    let settled = Self.space.nodes.filter { $0.isAsked && !$0.isClosed && !$0.isAsking }
    #expect(settled.allSatisfy { node in node.cores.allSatisfy { $0.vote != .held } })
  }

  @Test("R4 what was borrowed stays in the word, with its count, until it is given back, and can be asked meanwhile")
  func borrowing() {
    let borrowed = Self.space.nodes.filter(\.isBorrowed)
    #expect(borrowed.contains { $0.isAsked } && borrowed.contains { !$0.nodes.isEmpty })
    for edge in Self.space.edges where edge.from.isBorrowed {
      #expect(edge.to.coreInWord == edge.from.coreInWord)
      #expect(edge.to.nodes == edge.from.nodes && !edge.to.isClosed)
    }
    #expect(Self.space.edges.contains { $0.from.isBorrowed && $0.event == .ask && $0.to.isAsking })
  }
}
