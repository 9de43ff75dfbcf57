import Overmorrow
import Testing

@Suite(.inTurn) struct WhenSettledDictionaryTests {
  private func keyed<T>(_ inputs: [T]) -> [String: T] {
    Dictionary(uniqueKeysWithValues: zip(["a", "b", "c", "d"], inputs))
  }

  @Test("5.3 every result is there by its key, when the last one has come")
  func results() {
    let (all, inputs) = Input.feed(3) { when(settled: keyed($0)) }
    inputs[1].resolver.fulfill(with: 1)
    inputs[0].resolver.reject(with: "no")
    #expect(all.result == nil)
    inputs[2].resolver.cancel()
    #expect(all.result == .value(["a": .error("no"), "b": .value(1), "c": .cancelled]))
  }

  @Test("5.3 inputs of which none is fulfilled give their results, too")
  func none() {
    let (all, inputs) = Input.feed(2) { when(settled: keyed($0)) }
    inputs[1].resolver.cancel()
    inputs[0].resolver.cancel()
    #expect(all.result == .value(["a": .cancelled, "b": .cancelled]))
  }

  @Test("5.3 no input at all is fulfilled at once, and so are inputs that are all resolved")
  func atOnce() {
    #expect(when(settled: [String: Promise<Int, Flaw>]()).result == .value([:]))
    #expect(when(settled: ["a": Promise<Int, Flaw>(rejected: "no")]).result == .value(["a": .error("no")]))
  }

  @Test("5.14 3.6 a request to cancel is one vote on each input, and the results tell what came of it")
  func votes() {
    let ((all, child), inputs) = Input.feed(2) { (when(settled: keyed($0)), $0[0].makeChild()) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    all.requestCancel()
    #expect(inputs.map(\.requestCount) == [0, 1])
    #expect(all.result == nil)
    child.requestCancel()
    #expect(all.result == .value(["a": .cancelled, "b": .cancelled]))
    withExtendedLifetime(inputs) {}
  }
}
