import Overmorrow
import Testing

@Suite(.inTurn) struct ThenTests {
  @Test("2.1 2.24 then runs for a value, and passes every result on", arguments: Ending.allCases)
  func plain(ending: Ending) {
    let result: PromiseResult<Int, Reason> = ending.result(7, "no")
    let seen = Recorder<Int>()
    let promise = Promise(with: result)
    let child = promise.then(on: .immediate) { seen.record($0) }
    #expect(seen.entries == (ending == .value ? [7] : []))
    #expect(child.result == result)
    #expect(child == promise, "nothing is left to wait for")
  }

  @Test("2.1 a then that may throw runs for a value, and passes every result on", arguments: Ending.allCases)
  func throwing(ending: Ending) {
    let result: PromiseResult<Int, Refusal> = ending.result(7, .first)
    let seen = Recorder<Int>()
    let child = Promise(with: result).then(on: .immediate) { value throws(Refusal) in seen.record(value) }
    #expect(seen.entries == (ending == .value ? [7] : []))
    #expect(child.result == result)
  }

  @Test("2.1 2.21 what then throws rejects the promise returned, not the one observed")
  func thrown() {
    let promise = Promise<Int, Refusal>(fulfilled: 7)
    let child = promise.then(on: .immediate) { _ throws(Refusal) in throw .second }
    #expect(child.result == .error(.second))
    #expect(promise.result == .value(7))
  }

  @Test("2.1 then throws anything where the failure is any error")
  func thrownAny() {
    let child = Promise<Int, any Error>(fulfilled: 7).then(on: .immediate) { _ in throw Refusal.third }
    #expect(child.result?.error as? Refusal == .third)
  }

  @Test("2.1 then on a promise that cannot fail")
  func never() {
    let seen = Recorder<Int>()
    let child = Promise<Int, Never>(fulfilled: 7).then(on: .immediate) { seen.record($0) }
    #expect(seen.entries == [7])
    #expect(child.result == .value(7))
  }
}
