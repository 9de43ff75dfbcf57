import Overmorrow
import Testing

@Suite(.inTurn) struct UpcastTests {
  @Test(
    "2.4 upcast widens the failure type to any Error, without a submission to a context", arguments: Ending.allCases,
    [false, true])
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

  @Test("2.4 upcast widens the failure type Never so that steps may throw")
  func widensNever() {
    let promise: Promise<Int, any Error> = Promise<Int, Never>(fulfilled: 7).upcast
    #expect(promise.result?.value == 7)
    #expect(promise.map(on: .immediate) { _ -> Int in throw Refusal.third }.result?.error as? Refusal == .third)
    #expect(Promise<Int, Never>(with: .cancelled).upcast.result?.isCancelled == true)
  }
}
