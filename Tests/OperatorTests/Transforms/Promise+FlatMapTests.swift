import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct FlatMapTests {
  @Test("2.4 flatMap adopts the promise returned, whatever becomes of it", arguments: Ending.allCases, [false, true])
  func adopts(ending: Ending, isLater: Bool) {
    let (inner, resolver) = Promise<String, Reason>.makeWithResolver()
    let child = Promise<Int, Reason>(fulfilled: 7).flatMap(on: .immediate) { _ in inner }
    if isLater { #expect(child.result == nil) }
    resolver.resolve(with: ending.result("7!", "no"))
    #expect(child.result == ending.result("7!", "no"))
  }

  @Test("2.4 flatMap adopts a promise that is resolved already, at once", arguments: Ending.allCases)
  func adoptsResolved(ending: Ending) {
    let child = Promise<Int, Reason>(fulfilled: 7).flatMap(on: .immediate) { value in
      Promise<String, Reason>(with: ending.result("\(value)!", "no"))
    }
    #expect(child.result == ending.result("7!", "no"))
  }

  @Test("2.1 flatMap lets an error and a cancellation be", arguments: [Ending.error, .cancelled])
  func others(ending: Ending) {
    let runs = Counter()
    let child = Promise<Int, Reason>(with: ending.result(7, "no")).flatMap(on: .immediate) { _ in
      runs.increment()
      return Promise<String, Reason>(fulfilled: "")
    }
    #expect(child.result == ending.result("", "no"))
    #expect(runs.count == 0)
  }

  @Test("2.4 a flatMap that may throw adopts too, and lets the rest be", arguments: Ending.allCases)
  func throwing(ending: Ending) {
    let child = Promise<Int, Refusal>(with: ending.result(7, .first))
      .flatMap(on: .immediate) { value throws(Refusal) in Promise<String, Refusal>(fulfilled: "\(value)!") }
    #expect(child.result == ending.result("7!", .first))
  }

  @Test("2.1 what flatMap throws rejects the promise returned")
  func thrown() {
    let child = Promise<Int, Refusal>(fulfilled: 7)
      .flatMap(on: .immediate) { _ throws(Refusal) -> Promise<String, Refusal> in throw .second }
    #expect(child.result == .error(.second))
    let any = Promise<Int, any Error>(fulfilled: 7)
      .flatMap(on: .immediate) { _ -> Promise<String, any Error> in throw Refusal.third }
    #expect(any.result?.error as? Refusal == .third)
  }

  @Test("2.4 the promise that flatMap returns is not resolved on the context, but where the adopted one is")
  func noHop() {
    let executor = ManualContext()
    let (inner, resolver) = Promise<Int, Reason>.makeWithResolver()
    let child = Promise<Int, Reason>(fulfilled: 7).flatMap(on: executor.context) { _ in inner }
    executor.runAll()
    resolver.fulfill(with: 8)
    #expect(child.result == .value(8))
    #expect(executor.count == 0)
  }

  @Test("2.4 a request to cancel goes to the promise that flatMap waits for: the source, then the one returned")
  func requests() {
    let (inner, innerOrigin) = CancelProbe<Int, Reason>.feed { Holder($0) }
    let (child, origin) = CancelProbe<Int, Reason>.feed { source in
      source.flatMap(on: .immediate) { _ in
        defer { inner.value = nil }
        return inner.value ?? Promise(fulfilled: 0)
      }
    }
    origin.resolver.fulfill(with: 7)
    child.requestCancel()
    #expect(innerOrigin.requestCount == 1)
    #expect(origin.requestCount == 0)

    let (early, earlyOrigin) = CancelProbe<Int, Reason>.feed { $0.flatMap(on: .immediate) { Promise(fulfilled: $0) } }
    early.requestCancel()
    #expect(earlyOrigin.requestCount == 1)
  }
}
