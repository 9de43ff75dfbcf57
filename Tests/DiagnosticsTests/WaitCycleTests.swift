import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine

/// The texts of a cycle of waits.
@Suite(.inTurn) struct WaitCycleTests {
  private typealias Number = Promise<Int, any Error>

  /// The node of a promise that the library has made for itself, which has no place.
  private func promise() -> (node: WaitNode, clause: String) {
    (WaitNode(Number(with: .cancelled, fileID: "Overmorrow/A.swift", line: 1)), "waits for")
  }

  /// The node of a task that is unknown, so that its place is unknown, too.
  private func task(_ number: Int) -> (node: WaitNode, clause: String) {
    (WaitNode(task: .max - number), "waits for its turn, which is taken by")
  }

  @Test("15.40 in a cycle's text, running code without a place keeps its line")
  func unknownPlaces() {
    #expect(
      WaitCycle([task(1), promise()]).links == [
        "a task waits for its turn, which is taken by a promise", "a promise waits for a task",
      ])
    #expect(
      WaitCycle([promise(), task(1)]).links == [
        "a promise waits for a task", "a task waits for its turn, which is taken by a promise",
      ])
    #expect(
      WaitCycle([promise(), promise(), task(1)]).links == WaitCycle([promise(), task(1)]).links,
      "two promises without places have one line")
    #expect(WaitCycle([promise(), promise()]).links == ["a promise waits for itself"])
  }

  @Test("15.40 the text of a long cycle has 19 waits and the number of others")
  func longCycle() {
    for (count, last) in [(20, nil), (21, "and 2 more"), (1000, "and 981 more")] {
      let links = WaitCycle((0..<count).map { task($0) }).links
      #expect(links.count == 20)
      #expect(links.dropLast().allSatisfy { $0 == "a task waits for its turn, which is taken by a task" })
      #expect(links.last == last ?? links[0])
    }
  }
}
