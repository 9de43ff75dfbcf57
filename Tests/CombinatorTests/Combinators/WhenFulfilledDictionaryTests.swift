import Overmorrow
import Testing

@Suite(.inTurn) struct WhenFulfilledDictionaryTests {
  @Test("5.3 the values come under the keys of the inputs")
  func values() {
    let (all, inputs) = Input.feed(3) { when(fulfilled: ["a": $0[0], "b": $0[1], "c": $0[2]]) }
    for index in [2, 0] {
      inputs[index].resolver.fulfill(with: index)
      #expect(all.result == nil)
    }
    inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == .value(["a": 0, "b": 1, "c": 2]))
  }

  @Test("5.3 no input at all is fulfilled at once, and so are inputs that are all fulfilled")
  func atOnce() {
    #expect(when(fulfilled: [Int: Promise<Int, Flaw>]()).result == .value([:]))
    let inputs = [1: Promise<Int, Flaw>(fulfilled: 10), 2: Promise(fulfilled: 20)]
    #expect(when(fulfilled: inputs).result == .value([1: 10, 2: 20]))
  }

  @Test(
    "5.3 the first rejection or cancellation decides",
    arguments: [.error("no"), .cancelled] as [PromiseResult<Int, Flaw>])
  func failure(_ result: PromiseResult<Int, Flaw>) {
    let (all, inputs) = Input.feed(2) { when(fulfilled: ["a": $0[0], "b": $0[1]]) }
    inputs[1].resolver.resolve(with: result)
    #expect(all.result == result.map { _ in [:] })
    #expect(requests(inputs) == [0, 0])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.3 cancelOnFailure asks the others, joining waits for them")
  func options() {
    let ((all, held), inputs) = Input.feed(2) { promises in
      (when(fulfilled: ["a": promises[0], "b": promises[1]], cancelOnFailure: true, joining: true), promises)
    }
    inputs[0].resolver.reject(with: "no")
    #expect(requests(inputs) == [0, 1])
    #expect(all.result == nil)
    inputs[1].resolver.cancel()
    #expect(all.result == .error("no"))
    withExtendedLifetime(held) {}
  }

  @Test("5.3 3.6 a request to cancel is one vote on each input")
  func votes() {
    let ((all, child), inputs) = Input.feed(2) { (when(fulfilled: ["a": $0[0], "b": $0[1]]), $0[0].makeChild()) }
    all.requestCancel()
    #expect(requests(inputs) == [0, 1])
    child.requestCancel()
    #expect(requests(inputs) == [1, 1])
    withExtendedLifetime(inputs) {}
  }
}
