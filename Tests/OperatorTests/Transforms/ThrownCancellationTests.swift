import Overmorrow
import Testing

/// Closures that throw `CancellationError`.
@Suite(.inTurn) struct ThrownCancellationTests {
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

  @Test("2.26 an operator whose closure throws CancellationError is cancelled, and the promise before it is as it was")
  func operators() {
    for isResolved in [true, false] {
      let (value, resolver) = Subject.makeWithResolver()
      let (failed, rejecter) = Subject.makeWithResolver()
      if isResolved { resolver.fulfill(with: 1) }
      if isResolved { rejecter.reject(with: Refusal.first) }
      let results = [
        value.then(on: .immediate) { _ in throw CancellationError() },
        value.map(on: .immediate) { _ in throw CancellationError() },
        value.flatMap(on: .immediate) { _ throws(any Error) -> Subject in throw CancellationError() },
        failed.recover(on: .immediate) { _ throws(any Error) -> Int in throw CancellationError() },
      ]
      resolver.fulfill(with: 1)
      rejecter.reject(with: Refusal.first)
      #expect(results.map { $0.result?.isCancelled } == [true, true, true, true], "resolved before: \(isResolved)")
      #expect(value.result?.value == 1)
      #expect(failed.result?.error is Refusal)
    }
  }

  @Test("2.26 a promise that is rejected with CancellationError is rejected, and so are those behind it")
  func rejected() {
    let promise = Subject(rejected: CancellationError())
    #expect(promise.result?.error is CancellationError)
    #expect(promise.map(on: .immediate) { $0 + 1 }.result?.error is CancellationError)
  }
}
