import Overmorrow
import Testing

@Suite(.inTurn) struct WhenCancelOnFailureTests {
  @Test("5.1 cancelOnFailure asks all the other inputs when one is rejected, although they are held and observed")
  func rejection() {
    let ((all, held), inputs) = Input.feed(3) { promises in
      (when(fulfilled: promises, cancelOnFailure: true), promises.map { $0.makeChild() } + promises)
    }
    #expect(requests(inputs) == [0, 0, 0])
    inputs[1].resolver.reject(with: "no")
    #expect(all.result == .error("no"))
    #expect(requests(inputs) == [1, 0, 1])
    withExtendedLifetime((held, inputs)) {}
  }

  @Test("5.1 cancelOnFailure asks the other inputs when one is cancelled")
  func cancellation() {
    let (all, inputs) = Input.feed(3) { when(fulfilled: $0, cancelOnFailure: true) }
    inputs[2].resolver.cancel()
    #expect(all.result == .cancelled)
    #expect(requests(inputs) == [1, 1, 0])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.1 without cancelOnFailure a failure asks nobody")
  func without() {
    let (all, inputs) = Input.feed(3) { when(fulfilled: $0) }
    inputs[0].resolver.reject(with: "no")
    inputs[1].resolver.cancel()
    #expect(all.result == .error("no"))
    #expect(requests(inputs) == [0, 0, 0])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.1 cancelOnFailure asks nobody as long as all goes well")
  func success() {
    let (all, inputs) = Input.feed(3) { when(fulfilled: $0, cancelOnFailure: true) }
    for (index, input) in inputs.enumerated() { input.resolver.fulfill(with: index) }
    #expect(all.result == .value([0, 1, 2]))
    #expect(requests(inputs) == [0, 0, 0])
  }

  @Test("5.1 cancelOnFailure asks the inputs behind one that has failed already, too", arguments: 0..<3)
  func failedBefore(position: Int) {
    let (all, inputs) = Input.feed(2) { pending in
      var promises = pending
      promises.insert(Promise(rejected: "no"), at: position)
      return when(fulfilled: promises, cancelOnFailure: true)
    }
    #expect(all.result == .error("no"))
    #expect(requests(inputs) == [1, 1])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.1 cancelOnFailure reports the first failure, although the others cancel inside it")
  func obedientInputs() {
    let (all, inputs) = Input.feed(3) { when(fulfilled: $0, cancelOnFailure: true) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    let seen = Recorder<PromiseResult<[Int], Flaw>>()
    all.always(on: .immediate) { seen.record($0) }
    inputs[1].resolver.reject(with: "no")
    #expect(seen.entries == [.error("no")])
    // Asked once each, also when one that was asked fails in its turn.
    #expect(requests(inputs) == [1, 0, 1])
  }

  @Test("5.1 cancelOnFailure asks the other inputs of a tuple, too")
  func tuple() {
    let first = CancelProbe<Int, Flaw>()
    let a = first.take()
    let second = CancelProbe<String, Flaw>()
    let b = second.take()
    let all = when(fulfilled: a, b, cancelOnFailure: true)
    second.resolver.reject(with: "no")
    #expect(all.result?.error == "no")
    #expect(first.requestCount == 1)
    withExtendedLifetime((a, b)) {}
  }

  @Test("5.1 cancelOnFailure asks the inputs of a tuple behind one that has failed already, too")
  func tupleFailedBefore() {
    let input = CancelProbe<Int, Flaw>()
    let a = input.take()
    let all = when(fulfilled: Promise<Bool, Flaw>(rejected: "no"), a, cancelOnFailure: true)
    #expect(all.result?.error == "no")
    #expect(input.requestCount == 1)
    withExtendedLifetime(a) {}
  }

  @Test("5.1 without cancelOnFailure a failure asks no other input of a tuple")
  func tupleWithout() {
    let first = CancelProbe<Int, Flaw>()
    let a = first.take()
    let second = CancelProbe<String, Flaw>()
    let b = second.take()
    let all = when(fulfilled: a, b)
    second.resolver.cancel()
    #expect(all.result?.isCancelled == true)
    #expect(first.requestCount == 0)
    withExtendedLifetime((a, b)) {}
  }

  @Test("5.1 the promise of a when that nobody holds any more still asks the other inputs on failure")
  func droppedResult() {
    let (_, inputs) = Input.feed(2) { _ = when(fulfilled: $0, cancelOnFailure: true) }
    #expect(requests(inputs) == [0, 0])
    inputs[0].resolver.reject(with: "no")
    #expect(requests(inputs) == [0, 1])
  }
}
