import Overmorrow
import Testing

@Suite(.inTurn) struct FlatMapErrorTests {
  @Test("2.1 flatMapError adopts another promise in the place of an error", arguments: Ending.allCases)
  func adopts(ending: Ending) {
    let (inner, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let child = Promise<Int, Reason>(rejected: "no").flatMapError(on: .immediate) { _ in inner }
    #expect(child.result == nil)
    resolver.resolve(with: ending.result(8, "other"))
    #expect(child.result == ending.result(8, "other"))
  }

  @Test("2.1 flatMapError lets a value and a cancellation be", arguments: [Ending.value, .cancelled])
  func others(ending: Ending) {
    let runs = Counter()
    let child = Promise<Int, Reason>(with: ending.result(7, "no")).flatMapError(on: .immediate) { _ in
      runs.increment()
      return Promise<Int, Flaw>(fulfilled: 8)
    }
    #expect(child.result == ending.result(7, ""))
    #expect(runs.count == 0)
  }
}
