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

  @Test("table: each change touches what it is about, and nothing else")
  func changes() {
    for marks in 0..<256 as Range<UInt32> {
      let word = VoteWord(bits: 3 << 8 | marks)
      #expect(word.adding().bits == 4 << 8 | marks)
      #expect(word.addingAdopter().bits == 4 << 8 | marks | 32)
      #expect(word.withdrawing().word.bits == 2 << 8 | marks | 2)
      #expect(word.forgetting().word.bits == 2 << 8 | marks)
      #expect(word.asking().word.bits == 3 << 8 | marks | 2)
      #expect(word.sealing().word.bits == 3 << 8 | marks | 1)
      #expect(word.passingOnWhileHeld().bits == 3 << 8 | marks | 4)
      #expect(word.exposing().bits == 3 << 8 | marks | 8)
      #expect(word.waitingForRequest().bits == 3 << 8 | marks | 16)
      #expect(word.suppressing().bits == 3 << 8 | marks | 64)
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
