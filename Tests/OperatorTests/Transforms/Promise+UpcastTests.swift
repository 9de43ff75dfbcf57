import Overmorrow
import Testing

@Suite(.inTurn) struct UpcastTests {
  @Test("2.4 upcast widens the failure to any error, without a hop", arguments: Ending.allCases, [false, true])
  func widens(ending: Ending, isResolved: Bool) {
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    if isResolved { resolver.resolve(with: ending.result(7, .second)) }
    let child: Promise<Int, any Error> = promise.upcast
    if !isResolved {
      #expect(child.result == nil)
      resolver.resolve(with: ending.result(7, .second))
    }
    switch ending {
    case .value: #expect(child.result?.value == 7)
    case .error: #expect(child.result?.error as? Refusal == .second)
    case .cancelled: #expect(child.result?.isCancelled == true)
    }
  }

  @Test("2.4 upcast widens from Never too", arguments: [Ending.value, .cancelled])
  func widensNever(ending: Ending) {
    let promise = Promise<Int, Never>(with: ending == .value ? .value(7) : .cancelled)
    let child: Promise<Int, any Error> = promise.upcast
    #expect(child.result?.value == (ending == .value ? 7 : nil))
    #expect(child.result?.isCancelled == (ending == .cancelled))
  }

  @Test("2.4 a widened chain goes on with what throws")
  func chain() {
    let child = Promise<Int, Never>(fulfilled: 7).upcast.map(on: .immediate) { _ -> Int in throw Refusal.third }
    #expect(child.result?.error as? Refusal == .third)
  }
}
