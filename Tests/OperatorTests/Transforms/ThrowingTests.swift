import Overmorrow
import Testing

/// Closures that throw.
@Suite(.inTurn) struct ThrowingTests {
  typealias Subject = Promise<Int, any Error>

  @Test("2.26 a body or a load that throws CancellationError cancels its promise")
  func starters() {
    let stop = { @Sendable () throws(any Error) -> Void in throw CancellationError() }
    #expect(Subject(on: .immediate) { _ in try stop() }.result?.isCancelled == true)
    #expect(LazyPromise<Int, any Error>(on: .immediate) { _ in try stop() }.promise.result?.isCancelled == true)
    let load = PromiseCache<Int, Int, any Error>().promise(for: 1, on: .immediate) { _ in
      try stop()
      return Subject(fulfilled: 1)
    }
    #expect(load.result?.isCancelled == true)
    #expect(Subject.withProgress(on: .immediate) { _, _ in try stop() }.promise.result?.isCancelled == true)
  }

  @Test(
    "2.1 2.21 2.26 any error that a closure throws rejects the promise of its operator, CancellationError cancels it, and the promise before it is as it was",
    arguments: [false, true], [Refusal.third, CancellationError()] as [any Error])
  func operators(isResolved: Bool, error: any Error) {
    let (value, resolver) = Subject.makeWithResolver()
    let (failed, rejecter) = Subject.makeWithResolver()
    if isResolved { resolver.fulfill(with: 1) }
    if isResolved { rejecter.reject(with: Refusal.first) }
    let children = [
      value.then(on: .immediate) { _ in throw error },
      value.map(on: .immediate) { _ in throw error },
      value.flatMap(on: .immediate) { _ throws(any Error) -> Subject in throw error },
      failed.recover(on: .immediate) { _ throws(any Error) -> Int in throw error },
    ]
    resolver.fulfill(with: 1)
    rejecter.reject(with: Refusal.first)
    #expect(children.map { $0.result?.isCancelled } == Array(repeating: error is CancellationError, count: 4))
    #expect(children.map { $0.result?.error as? Refusal } == Array(repeating: error as? Refusal, count: 4))
    #expect(value.result?.value == 1)
    #expect(failed.result?.error as? Refusal == .first)
  }

  @Test(
    "2.1 2.21 2.24 an error of the type that a closure may throw rejects a promise of its own, not the one observed",
    arguments: [false, true])
  func typed(isResolved: Bool) {
    let (value, resolver) = Promise<Int, Refusal>.makeWithResolver()
    let (failed, rejecter) = Promise<Int, Reason>.makeWithResolver()
    if isResolved { resolver.fulfill(with: 7) }
    if isResolved { rejecter.reject(with: "no") }
    let children = [
      value.then(on: .immediate) { _ throws(Refusal) in throw .second },
      value.map(on: .immediate) { _ throws(Refusal) -> Int in throw .second },
      value.flatMap(on: .immediate) { _ throws(Refusal) -> Promise<Int, Refusal> in throw .second },
      failed.recover(on: .immediate) { _ throws(Refusal) -> Int in throw .second },
    ]
    resolver.fulfill(with: 7)
    rejecter.reject(with: "no")
    #expect(children.map(\.result) == Array(repeating: .error(.second), count: 4))
    #expect(value.result == .value(7))
    #expect(failed.result == .error("no"))
  }

  @Test("2.26 a promise that is rejected with CancellationError is rejected, and so are those behind it")
  func rejected() {
    let promise = Subject(rejected: CancellationError())
    #expect(promise.result?.error is CancellationError)
    #expect(promise.map(on: .immediate) { $0 + 1 }.result?.error is CancellationError)
  }
}
