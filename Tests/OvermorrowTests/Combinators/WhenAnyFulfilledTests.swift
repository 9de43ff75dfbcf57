import Overmorrow
import Testing

@Suite(.inTurn) struct WhenAnyFulfilledTests {
  typealias Input = CancelProbe<Int, Flaw>
  typealias Results = PromiseKeyedResults<String, Int, Flaw>
  typealias Errors = PromiseKeyedErrors<String, Flaw>

  private func keyed<T>(_ inputs: [T]) -> [String: T] {
    Dictionary(uniqueKeysWithValues: zip(["a", "b", "c", "d"], inputs))
  }

  @Test("5.3 any waits for all, and gives the values and the reasons by key")
  func some() {
    let (any, inputs) = Input.feed(3) { when(anyFulfilled: keyed($0)) }
    inputs[1].resolver.fulfill(with: 1)
    inputs[0].resolver.reject(with: "no")
    #expect(any.result == nil)
    inputs[2].resolver.cancel()
    #expect(any.result == .value(Results(values: ["b": 1], reasons: ["a": "no"], cancelled: ["c"])))
  }

  @Test("5.3 any of none that is fulfilled fails with the reasons by key")
  func none() {
    let (any, inputs) = Input.feed(2) { when(anyFulfilled: keyed($0)) }
    inputs[1].resolver.cancel()
    inputs[0].resolver.reject(with: "no")
    #expect(any.result == .error(Errors(reasons: ["a": "no"], cancelled: ["b"])))
  }

  @Test("5.3 any of inputs that are all cancelled is cancelled")
  func allCancelled() {
    let (any, inputs) = Input.feed(2) { when(anyFulfilled: keyed($0)) }
    for input in inputs { input.resolver.cancel() }
    #expect(any.result == .cancelled)
  }

  @Test("5.3 any of no input at all fails at once with an error that says so")
  func empty() {
    let any = when(anyFulfilled: [String: Promise<Int, Flaw>]())
    #expect(any.result?.error?.isEmpty == true)
    #expect(any.result?.error?.description == "there was no promise to wait for")
  }

  @Test("5.3 3.6 a request to cancel is one vote on each input")
  func votes() {
    let ((any, child), inputs) = Input.feed(2) { (when(anyFulfilled: keyed($0)), $0[0].makeChild()) }
    any.requestCancel()
    #expect(inputs.map(\.requestCount) == [0, 1])
    child.requestCancel()
    #expect(inputs.map(\.requestCount) == [1, 1])
    withExtendedLifetime(inputs) {}
  }
}
