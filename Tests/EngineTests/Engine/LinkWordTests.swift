import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct LinkWordTests {
  private static let occupied = [LinkWord.Kind.upstream, .asking, .asked].map { LinkWord($0, 64) }

  @Test("the kind, the address and the request mark of a word are independent")
  func layout() {
    for address in [0, 8, UInt.max & ~7] as [UInt] {
      for kind in [LinkWord.Kind.upstream, .asked, .moved, .asking] {
        let word = LinkWord(kind, address)
        #expect(word.kind == kind && word.address == address && word.hasSideTable == (kind == .moved))
        #expect(word.isAsked == (kind == .asked || kind == .asking))
        #expect(word.movingToSideTable(128).address == 128 && word.movingToSideTable(128).hasSideTable)
        #expect(word.movingToSideTable(128).isAsked == word.isAsked)
      }
    }
    #expect(LinkWord.none.bits == 0)
  }

  @Test("attaching to a word that already has a core traps", arguments: occupied.map(\.bits))
  func attachingTraps(_ bits: UInt) async throws {
    let result = try await ExitArgument.passing(bits) {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let bits = try ExitArgument.taken(UInt.self)
        _ = LinkWord(bits: bits).attaching(128)
      }
    }
    #expect(hasSaid(result, "a promise can wait for only one other promise at a time, found \(LinkWord(bits: bits))"))
  }

  // MARK: All sequences of events on two cores, with two requests

  private static let space = Exploration<LinkModel, LinkEvent>(
    from: LinkModel(), [.ask, .withdraw, .tell, .attach, .detach(0), .detach(1), .close, .makeSideTable]
  ) { $0.after($1) }

  @Test("the word and the side table agree with a naive model")
  func agreement() {
    #expect(Self.space.firstWrongNode(\.mistake) == nil)
    #expect(Set(Self.space.nodes.map(\.word.kind)).count == 4)
    // Checks that the search covers the intended cases: a side table that is created while the vote is being withdrawn,
    // and one that exists across an adoption.
    #expect(Self.space.nodes.contains { $0.sideTable?.isLent == true && $0.asker?.hasWithdrawn == true })
    #expect(Self.space.nodes.contains { $0.asker?.core == 0 && $0.cores[0].count == .withAsker && $0.linked == 1 })
    #expect(Self.space.nodes.contains { $0.sideTable != nil && $0.linked == 1 && $0.requests == 2 })
  }

  @Test("R1 a closed core that no request uses has released all counts")
  func counts() {
    let wrong = Self.space.firstWrongNode { node in
      node.isClosed && node.asker == nil && !node.cores.allSatisfy { $0.count == .released } ? "a core is left" : nil
    }
    #expect(wrong == nil)
    let stuck = Self.space.pathToDeadEnd { $0.isClosed && $0.asker == nil && $0.requests == 2 }
    #expect(stuck == nil)
  }

  @Test("R2 each vote is withdrawn once or dropped once, and a request leaves none")
  func votes() {
    let wrong = Self.space.firstWrongNode { node in
      guard node.asker == nil, node.cores.contains(where: { $0.vote == .held }) else { return nil }
      return node.isAsked || node.isClosed ? "a vote is left" : nil
    }
    #expect(wrong == nil)
    let changes = Self.space.edges.flatMap { zip($0.from.cores, $0.to.cores).map { ($0.vote, $1.vote) } }
    #expect(changes.allSatisfy { $0 == $1 || $0 == .held })
    #expect(Self.space.nodes.contains { $0.isAsked && $0.cores.contains { $0.vote == .forgotten } })
  }
}
