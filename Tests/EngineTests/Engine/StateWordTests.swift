import Testing

@testable import Overmorrow

@Suite(.inTurn) struct StateWordTests {
  /// One word for each row of the table of transitions, without and with two waiters where that is possible.
  static let pending = [word(.pending, list: 0), word(.pending, list: 64)]
  static let claimed = [word(.claimed, list: 0), word(.claimed, list: 64)]
  static let adopting = [word(.adopting, list: 0), word(.adopting, list: 64)]
  static let open = Outcome.allCases.flatMap { [word(phase($0), list: 0), word(phase($0), list: 64)] }
  static let closed = Outcome.allCases.map(StateWord.closed)

  static func word(_ phase: StateWord.Phase, list: UInt) -> StateWord { StateWord(bits: phase.rawValue | list) }

  static func phase(_ outcome: Outcome) -> StateWord.Phase {
    switch outcome {
    case .value: .value
    case .error: .error
    case .cancelled: .cancelled
    }
  }

  // MARK: Layout

  @Test("layout: the phase, the list and the outcome of a word do not disturb one another")
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

  @Test("layout: an empty pending word is zero, and the bits of the phase are those of the box")
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

  @Test("a description names the phase and says whether somebody waits")
  func descriptions() {
    #expect(Self.word(.pending, list: 0).description == "pending, nobody waits")
    #expect(Self.word(.adopting, list: 64).description == "adopting, somebody waits")
    #expect(StateWord.closed(.error).description == "error, closed")
    #expect(Self.open[0].description == "value, nobody waits")
  }

  // MARK: The dashes of the table; `StateWordExplorationTests` has the rest of it

  /// A change that some words do not allow.
  enum Change: String, Codable {
    case adopting, publishing, handingOut, ending

    func apply(to word: StateWord) {
      switch self {
      case .adopting: _ = word.adopting()
      case .publishing: _ = word.publishing(.value)
      case .handingOut: _ = word.handingOut()
      case .ending: _ = word.ending(taking: 0)
      }
    }

    /// What the change says that it needs.
    var need: String {
      switch self {
      case .adopting, .publishing: "\(self) needs a claimed core"
      case .handingOut: "handing out needs a resolved, open core with waiters"
      case .ending: "ending needs a resolved, open core"
      }
    }
  }

  private static let dashes: [(Change, UInt)] = [
    (.adopting, [pending[0], adopting[1], open[1], closed[0]]),
    (.publishing, [pending[1], adopting[0], open[0], closed[1]]),
    (.handingOut, [pending[1], claimed[0], open[0], closed[2]]),
    (.ending, [pending[1], adopting[0], closed[2]]),
  ].flatMap { (change: Change, words: [StateWord]) in words.map { (change, $0.bits) } }

  @Test("table: a change traps on a word that does not allow it, and names the word", arguments: dashes)
  func traps(_ change: Change, _ bits: UInt) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [change, bits] in
      change.apply(to: StateWord(bits: bits))
    }
    #expect(hasSaid(result, "\(change.need), found \(StateWord(bits: bits))"))
  }
}

/// Whether a process that was meant to trap has said why. Optimised code traps without a word.
func hasSaid(_ result: ExitTest.Result?, _ message: String) -> Bool {
  guard let result else { return false }
  #if DEBUG
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains(message)
  #else
    return true
  #endif
}
