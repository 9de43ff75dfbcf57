import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct OperationsWordTests {
  private let promise = Promise<Int, Never>(fulfilled: 7)

  private func isValue(_ verdict: OperationResult) -> Bool {
    if case .value = verdict { true } else { false }
  }

  @Test("a function is stored as its address, or in a box with its captures", arguments: [false, true])
  func isKept(isBoxed: Bool) {
    let tracker = Tracker()
    var traits: Traits = .onValue
    let word =
      if isBoxed {
        OperationsWord(
          { [tracked = tracker.make()] operation, _, _ in
            withExtendedLifetime(tracked) { operation == .run ? .value : .cancelled }
          }, in: &traits)
      } else {
        OperationsWord({ operation, _, _ in operation == .run ? .value : .cancelled }, in: &traits)
      }
    #expect(traits == (isBoxed ? [.onValue, .boxed] : .onValue))
    #expect(isValue(word.whole(isBoxed: isBoxed)(.run, promise.handle.core, nil)))
    #expect(!isValue(word.whole(isBoxed: isBoxed)(.forward, promise.handle.core, nil)))
    #expect(tracker.count == (isBoxed ? 1 : 0))
    if isBoxed { word.free() }
    #expect(tracker.count == 0)
  }
}
