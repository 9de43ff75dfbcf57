import Testing

@testable import Overmorrow

@Suite(.inTurn) struct VoteWordTests {
  @Test("layout: the seven marks and the number of votes do not disturb one another")
  func layout() {
    for count in [0, 1, 2, 1000, (1 << 24) - 1] as [UInt32] {
      for marks in 0..<128 as Range<UInt32> {
        let word = VoteWord(bits: count << 8 | marks)
        #expect(word.count == count)
        #expect(word.isSealed == (marks & 1 != 0))
        #expect(word.hasAsked == (marks & 2 != 0))
        #expect(word.passesOnWhileHeld == (marks & 4 != 0))
        #expect(word.isExposed == (marks & 8 != 0))
        #expect(word.waitsForRequest == (marks & 16 != 0))
        #expect(word.isAdopted == (marks & 32 != 0))
        #expect(word.isSuppressed == (marks & 64 != 0))
      }
    }
  }

  @Test("taking back a vote that was never given traps, and names the word", arguments: ["withdrawn", "forgotten"])
  func traps(_ change: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [change] in
      if change == "withdrawn" {
        _ = VoteWord(bits: 0b0011).withdrawing()
      } else {
        _ = VoteWord(bits: 0b0001).forgetting()
      }
    }
    #expect(hasSaid(result, "a vote was \(change) that was never given"))
  }
}
