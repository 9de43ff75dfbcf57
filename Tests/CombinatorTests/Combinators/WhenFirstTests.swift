import Overmorrow
import Testing

@Suite(.inTurn) struct WhenFirstTests {
  @Test("5.2 5.4 no input at all is cancelled at once", arguments: [false, true])
  func empty(flag: Bool) {
    #expect(when(first: [Promise<Int, Flaw>](), cancelRemaining: flag, joining: flag).result == .cancelled)
  }

  @Test("5.2 an input that is resolved decides at once; of several, the first one of the array")
  func resolvedAlready() {
    let cancelled = Promise<Int, Flaw>(with: .cancelled)
    let (value, error) = (Promise<Int, Flaw>(fulfilled: 1), Promise<Int, Flaw>(rejected: "no"))
    let (results, inputs) = Input.feed(1) { pending in
      [
        when(first: pending + [value, error]).result,
        when(first: [cancelled, error] + pending + [value]).result,
        when(first: [cancelled, cancelled] + pending).result,
      ]
    }
    #expect(results == [.value(1), .error("no"), nil])
    withExtendedLifetime(inputs) {}
  }
}
