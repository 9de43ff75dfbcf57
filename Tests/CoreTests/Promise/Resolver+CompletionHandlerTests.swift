import Overmorrow
import Testing

@Suite(.inTurn) struct CompletionHandlerTests {
  private typealias IntPromise = Promise<Int, any Error>

  @Test(
    "1.9 a value fulfils, an error rejects or, with the predicate, cancels, and nil rejects",
    arguments: [7, nil], [nil, .first, .second] as [Refusal?])
  func calls(value: Int?, error: Refusal?) {
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.completionHandler { $0 as? Refusal == .second }(value, error)
    let isFailure = value == nil
    #expect(promise.result?.value == value)
    #expect(promise.result?.isCancelled == (isFailure && error == .second))
    #expect(promise.result?.error as? Refusal == (isFailure && error == .first ? .first : nil))
    #expect(promise.result?.error as? PromiseError == (isFailure && error == nil ? .callbackWithoutResult : nil))
  }

  @Test("1.9 without a predicate, even CancellationError rejects the promise")
  func noPredicate() {
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.completionHandler()(nil, CancellationError())
    #expect(promise.result?.error is CancellationError)
  }

  @Test("1.9 an optional value that is nil is a value")
  func optionalValue() {
    let (promise, resolver) = Promise<Int?, any Error>.makeWithResolver()
    resolver.completionHandler()(.some(nil), Refusal.first)
    #expect(promise.result?.value == .some(nil))
  }

  @Test("1.9 a completion handler that is released without a call cancels the promise")
  func dropped() {
    let callback = Holder<@Sendable (Int?, (any Error)?) -> Void>()
    let promise = IntPromise(on: .immediate) { callback.value = $0.completionHandler() }
    #expect(promise.result == nil)
    callback.value = nil
    #expect(promise.result?.isCancelled == true)
  }

  @Test("1.9 the predicate may use the resolver itself")
  func reentrantPredicate() {
    let (promise, resolver) = IntPromise.makeWithResolver()
    resolver.completionHandler { _ in
      resolver.fulfill(with: 7)
      return true
    }(nil, Refusal.first)
    #expect(promise.result?.value == 7)
  }
}
