import Testing

@testable import Overmorrow

@Suite(.inTurn) struct OperationsWordTests {
  private let promise = Promise<Int, Never>(fulfilled: 7)

  private func isValue(_ verdict: OperationResult) -> Bool {
    if case .value = verdict { true } else { false }
  }

  @Test("a function that captures nothing is kept as its address, and is called by it")
  func alone() {
    var traits: Traits = .onValue
    let word = OperationsWord({ operation, _, _ in operation == .run ? .value : .cancelled }, in: &traits)
    #expect(traits == .onValue)
    #expect(isValue(word(isBoxed: false, .run, promise.handle.core, nil)))
    #expect(!isValue(word.whole(isBoxed: false)(.pass, promise.handle.core, nil)))
  }

  @Test("a function that captures something lies in a box, and goes with it")
  func boxed() {
    let tracker = Tracker()
    var traits: Traits = .onValue
    let word = OperationsWord(
      { [tracked = tracker.make()] operation, _, _ in
        withExtendedLifetime(tracked) { operation == .run ? .value : .cancelled }
      }, in: &traits)
    #expect(traits == [.onValue, .boxed])
    #expect(isValue(word(isBoxed: true, .run, promise.handle.core, nil)))
    #expect(!isValue(word.whole(isBoxed: true)(.pass, promise.handle.core, nil)))
    #expect(tracker.count == 1)
    word.end()
    #expect(tracker.count == 0)
  }
}
