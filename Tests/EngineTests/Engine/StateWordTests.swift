import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct StateWordTests {
  /// Words for each row of the transition table, without and with waiters where that is possible.
  private static let pending = [word(.pending, list: 0), word(.pending, list: 64)]
  private static let claimed = [word(.claimed, list: 0), word(.claimed, list: 64)]
  private static let adopting = [word(.adopting, list: 0), word(.adopting, list: 64)]
  private static let open = Outcome.allCases.flatMap { [word(phase($0), list: 0), word(phase($0), list: 64)] }
  private static let closed = Outcome.allCases.map(StateWord.closed)

  static func word(_ phase: StateWord.Phase, list: UInt) -> StateWord { StateWord(bits: phase.rawValue | list) }

  static func phase(_ outcome: Outcome) -> StateWord.Phase {
    switch outcome {
    case .value: .value
    case .error: .error
    case .cancelled: .cancelled
    }
  }

  // MARK: Layout

  @Test("the phase, the list and the outcome of a word are independent")
  func layout() {
    for phase in [StateWord.Phase.pending, .claimed, .adopting, .value, .error, .cancelled] {
      for list in [0, 8, UInt.max & ~31, StateWord.closedList] {
        let word = Self.word(phase, list: list)
        #expect(word.phase == phase)
        #expect(word.list == list)
        #expect(word.isPending == (phase == .pending))
        #expect(word.isClosed == (list == StateWord.closedList))
        #expect(word.isResolved == [.value, .error, .cancelled].contains(phase))
        #expect(word.outcome.map(Self.phase) == (word.isResolved ? phase : nil))
      }
    }
  }

  @Test("an empty pending word is zero, and the phases have their fixed bits")
  func constants() {
    #expect(StateWord.empty(.pending).bits == 0)
    #expect(StateWord.empty(.claimed).bits == 0b001)
    #expect(StateWord.empty(.adopting).bits == 0b010)
    #expect(StateWord.closed(.value).bits == UInt.max << 3 | 0b100)
    #expect(StateWord.closed(.error).bits == UInt.max << 3 | 0b101)
    #expect(StateWord.closed(.cancelled).bits == UInt.max << 3 | 0b110)
    #expect(StateWord(bits: 0b011).phase == nil)
    #expect(StateWord(bits: 0b111).phase == nil)
  }

  @Test("a description names the phase and says whether there are waiters")
  func descriptions() {
    #expect(Self.word(.pending, list: 0).description == "pending, no waiters")
    #expect(Self.word(.adopting, list: 64).description == "adopting, has waiters")
    #expect(StateWord.closed(.error).description == "error, closed")
    #expect(Self.open[0].description == "value, no waiters")
  }

  // MARK: Transitions that the table forbids

  /// A change that some words forbid.
  enum Change: String, Codable {
    case adopting, publishing, handingOut, closing

    func apply(to word: StateWord) {
      switch self {
      case .adopting: _ = word.adopting()
      case .publishing: _ = word.publishing(.value)
      case .handingOut: _ = word.handingOut()
      case .closing: _ = word.closing(taking: 0)
      }
    }

    /// The precondition that the trap message names.
    var need: String {
      switch self {
      case .adopting, .publishing: "\(self) needs a claimed core"
      case .handingOut: "handing out needs a resolved, open core with waiters"
      case .closing: "closing needs a resolved, open core"
      }
    }
  }

  /// A change of a word that forbids it.
  struct Forbidden: Codable {
    var change: Change
    var bits: UInt
  }

  private static let forbidden: [Forbidden] = [
    (.adopting, [pending[0], adopting[1], open[1], closed[0]]),
    (.publishing, [pending[1], adopting[0], open[0], closed[1]]),
    (.handingOut, [pending[1], claimed[0], open[0], closed[2]]),
    (.closing, [pending[1], adopting[0], closed[2]]),
  ].flatMap { (change: Change, words: [StateWord]) in words.map { Forbidden(change: change, bits: $0.bits) } }

  @Test("a transition traps on a word that does not allow it, naming the word", arguments: forbidden)
  func traps(_ forbidden: Forbidden) async throws {
    let result = try await ExitArgument.passing(forbidden) {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let forbidden = try ExitArgument.taken(Forbidden.self)
        forbidden.change.apply(to: StateWord(bits: forbidden.bits))
      }
    }
    #expect(hasSaid(result, "\(forbidden.change.need), found \(StateWord(bits: forbidden.bits))"))
  }

  // MARK: All sequences of events on a promise with up to four waiters

  private static let space = Exploration<StateModel, StateEvent>(
    from: StateModel(),
    [.claim, .adopt, .take, .push, .drain, .end, .goOn, .handOut, .remove] + Outcome.allCases.map(StateEvent.publish)
  ) { $0.after($1, pushing: 4) }

  @Test("I1 to I6, I8: the word agrees with a naive model after every sequence of events")
  func agreement() {
    #expect(Self.space.firstWrongNode { node in node.mistake } == nil)
    // Checks that the search covers the intended cases: every phase, with up to four waiters.
    #expect(Set(Self.space.nodes.compactMap(\.word.phase)).count == 6)
    #expect(Self.space.nodes.contains { $0.waiting.count == 4 })
    #expect(Self.space.nodes.contains { $0.batch.count == 4 })
    #expect(Self.space.nodes.contains { $0.hasNewcomer })
    #expect(Self.space.nodes.contains { $0.isClosed && $0.handedOut.count == 3 })
    #expect(Self.space.nodes.contains { $0.drainersGone == 1 && $0.isClosed })
    #expect(Self.space.edges.contains { $0.event == .push && $0.from.isClosed })
  }

  @Test("I4 a resolved, closed word without waiters can be reached from every state")
  func noDeadEnd() {
    let stuck = Self.space.pathToDeadEnd { $0.word.isClosed && $0.batch.isEmpty }
    #expect(stuck == nil)
  }

  @Test("I9 a drainer takes at most two lists and leaves newcomers to another drainer")
  func boundedDrainer() {
    #expect(Set(Self.space.nodes.map(\.drains)) == [0, 1, 2])
    #expect(Self.space.edges.allSatisfy { $0.to.drains == $0.from.drains || [.drain, .goOn].contains($0.event) })
    // Whatever is registered in the meantime, the drainer has a step that brings it closer to its end.
    let steps: Set<StateEvent> = [.drain, .end, .goOn, .handOut]
    let able = Set(Self.space.edges.filter { steps.contains($0.event) && $0.from != $0.to }.map(\.from))
    #expect(Self.space.nodes.allSatisfy { $0.outcome == nil || $0.isClosed || able.contains($0) })
  }
}

/// Whether a process that had to trap printed the message. Optimised code traps without a message.
func hasSaid(_ result: ExitTest.Result?, _ message: String) -> Bool {
  guard let result else { return false }
  #if DEBUG
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains(message)
  #else
    return true
  #endif
}
