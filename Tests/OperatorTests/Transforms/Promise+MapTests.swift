import Overmorrow
import Testing

@Suite(.inTurn) struct MapTests {
  @Test("2.1 map replaces the value, and lets the rest be", arguments: Ending.allCases)
  func plain(ending: Ending) {
    let promise = Promise<Int, Reason>(with: ending.result(7, "no"))
    #expect(promise.map(on: .immediate) { "\($0)!" }.result == ending.result("7!", "no"))
  }

  @Test("2.1 a map that may throw replaces the value, and lets the rest be", arguments: Ending.allCases)
  func throwing(ending: Ending) {
    let promise = Promise<Int, Refusal>(with: ending.result(7, .first))
    #expect(promise.map(on: .immediate) { value throws(Refusal) in "\(value)!" }.result == ending.result("7!", .first))
  }

  @Test("2.1 2.21 what map throws rejects the promise returned, not the one observed")
  func thrown() {
    let promise = Promise<Int, Refusal>(fulfilled: 7)
    let child = promise.map(on: .immediate) { _ throws(Refusal) -> String in throw .second }
    #expect(child.result == .error(.second))
    #expect(promise.result == .value(7))
  }

  @Test("2.1 map throws anything where the failure is any error")
  func thrownAny() {
    let child = Promise<Int, any Error>(fulfilled: 7).map(on: .immediate) { _ -> String in throw Refusal.third }
    #expect(child.result?.error as? Refusal == .third)
  }

  @Test("2.1 a promise that map returns is a value like any other: it is not adopted")
  func nested() {
    let (inner, resolver) = Promise<Int, Reason>.makeWithResolver()
    let child = Promise<Int, Reason>(fulfilled: 7).map(on: .immediate) { _ in inner }
    #expect(child.result?.value == inner)
    withExtendedLifetime(resolver) {}
  }
}
