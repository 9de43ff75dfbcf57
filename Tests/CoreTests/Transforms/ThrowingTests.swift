import Overmorrow
import OvermorrowFlow
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
    "2.1 2.21 2.24 2.26 an error thrown by a closure rejects its operator's promise, not the source",
    arguments: [false, true])
  func operators(isResolved: Bool) {
    func check<E: Error>(_ error: E, after first: E) {
      let (value, resolver) = Promise<Int, E>.makeWithResolver()
      let (failed, rejecter) = Promise<Int, E>.makeWithResolver()
      if isResolved { resolver.fulfill(with: 1) }
      if isResolved { rejecter.reject(with: first) }
      let children = [
        value.then(on: .immediate) { _ throws(E) in throw error },
        value.map(on: .immediate) { _ throws(E) in throw error },
        value.flatMap(on: .immediate) { _ throws(E) -> Promise<Int, E> in throw error },
        failed.recover(on: .immediate) { _ throws(E) -> Int in throw error },
      ]
      resolver.fulfill(with: 1)
      rejecter.reject(with: first)
      for child in children {
        #expect(child.result?.isCancelled == (error is CancellationError), "\(error)")
        #expect(child.result?.error as? Refusal == error as? Refusal, "\(error)")
      }
      #expect((value.result?.value, failed.result?.error as? Refusal) == (1, .first), "\(error)")
    }
    check(Refusal.second, after: .first)
    check(Refusal.third as any Error, after: Refusal.first)
    check(CancellationError() as any Error, after: Refusal.first)
  }

  @Test("2.26 a promise rejected with CancellationError stays rejected, and so do its children")
  func rejected() {
    let promise = Subject(rejected: CancellationError())
    #expect(promise.result?.error is CancellationError)
    #expect(promise.map(on: .immediate) { $0 + 1 }.result?.error is CancellationError)
  }
}
