import Overmorrow
import Testing

@Suite(.inTurn) struct WhenFirstTests {
  @Test("5.2 the first input that is fulfilled decides, and what comes later changes nothing")
  func fulfilled() {
    let (first, inputs) = Input.feed(3) { when(first: $0) }
    #expect(first.result == nil)
    inputs[1].resolver.fulfill(with: 1)
    #expect(first.result == .value(1))
    inputs[0].resolver.fulfill(with: 0)
    inputs[2].resolver.reject(with: "late")
    #expect(first.result == .value(1))
  }

  @Test("5.2 the first input that is rejected decides")
  func rejected() {
    let (first, inputs) = Input.feed(2) { when(first: $0) }
    inputs[1].resolver.reject(with: "no")
    inputs[0].resolver.fulfill(with: 0)
    #expect(first.result == .error("no"))
  }

  @Test("5.2 inputs that are cancelled are ignored, as long as there are others")
  func ignoresCancelled() {
    let (first, inputs) = Input.feed(3) { when(first: $0) }
    inputs[0].resolver.cancel()
    inputs[2].resolver.cancel()
    #expect(first.result == nil)
    inputs[1].resolver.fulfill(with: 1)
    #expect(first.result == .value(1))
  }

  @Test("5.2 it is cancelled when the last of the inputs is cancelled, and not before")
  func allCancelled() {
    let (first, inputs) = Input.feed(3) { when(first: $0) }
    inputs[1].resolver.cancel()
    inputs[2].resolver.cancel()
    #expect(first.result == nil)
    inputs[0].resolver.cancel()
    #expect(first.result == .cancelled)
  }

  @Test("5.2 no input at all is cancelled at once", arguments: [false, true])
  func empty(cancelRemaining: Bool) {
    #expect(when(first: [Promise<Int, Flaw>](), cancelRemaining: cancelRemaining).result == .cancelled)
  }

  @Test("5.2 inputs that are all cancelled make a promise that is cancelled already")
  func cancelledAlready() {
    let cancelled = Promise<Int, Flaw>(with: .cancelled)
    #expect(when(first: [cancelled, cancelled, cancelled]).result == .cancelled)
  }

  @Test("5.2 an input that is resolved decides at once; of several, the first one of the array")
  func resolvedAlready() {
    let cancelled = Promise<Int, Flaw>(with: .cancelled)
    let (value, error) = (Promise<Int, Flaw>(fulfilled: 1), Promise<Int, Flaw>(rejected: "no"))
    let (results, inputs) = Input.feed(1) { pending in
      [
        when(first: pending + [value, error]).result,
        when(first: [cancelled, error] + pending + [value]).result,
        when(first: [cancelled, cancelled] + pending).result,
      ]
    }
    #expect(results == [.value(1), .error("no"), nil])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.2 5.13 the observers run once, inside the call that decides")
  func observers() {
    let log = Recorder<String>()
    let (first, inputs) = Input.feed(2) { when(first: $0) }
    first.then(on: .immediate) { log.record("\($0)") }
    log.record("before")
    inputs[1].resolver.fulfill(with: 1)
    log.record("after")
    inputs[0].resolver.fulfill(with: 0)
    #expect(log.entries == ["before", "1", "after"])
  }

  @Test("5.2 5.10 a promise may be an input several times")
  func sameTwice() {
    let (first, input) = Input.feed { when(first: [$0, $0]) }
    input.resolver.cancel()
    #expect(first.result == .cancelled)
  }

  // MARK: cancelRemaining

  @Test("5.2 cancelRemaining asks all the others when one is fulfilled, although they are held and observed")
  func cancelRemaining() {
    let ((first, held), inputs) = Input.feed(3) { promises in
      (when(first: promises, cancelRemaining: true), promises.map { $0.makeChild() } + promises)
    }
    inputs[1].resolver.fulfill(with: 1)
    #expect(first.result == .value(1))
    #expect(requests(inputs) == [1, 0, 1])
    withExtendedLifetime((held, inputs)) {}
  }

  @Test("5.2 cancelRemaining asks the others when one is rejected, too")
  func cancelRemainingOnRejection() {
    let (first, inputs) = Input.feed(2) { when(first: $0, cancelRemaining: true) }
    inputs[0].resolver.reject(with: "no")
    #expect(first.result == .error("no"))
    #expect(requests(inputs) == [0, 1])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.2 without cancelRemaining nobody is asked")
  func withoutCancelRemaining() {
    let (first, inputs) = Input.feed(3) { when(first: $0) }
    inputs[0].resolver.fulfill(with: 0)
    #expect(first.result == .value(0))
    #expect(requests(inputs) == [0, 0, 0])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.2 cancelRemaining asks those around an input that was resolved before, too", arguments: 0..<3)
  func cancelRemainingResolvedBefore(position: Int) {
    let (first, inputs) = Input.feed(2) { pending in
      var promises = pending
      promises.insert(Promise(fulfilled: 7), at: position)
      return when(first: promises, cancelRemaining: true)
    }
    #expect(first.result == .value(7))
    #expect(requests(inputs) == [1, 1])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.2 with cancelRemaining the winner stays the winner, although the others resolve inside it")
  func obedientInputs() {
    let (first, inputs) = Input.feed(3) { when(first: $0, cancelRemaining: true) }
    inputs[0].resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    inputs[1].resolver.onRequestCancel(on: .immediate) { $0.reject(with: "asked") }
    let seen = Recorder<PromiseResult<Int, Flaw>>()
    first.always(on: .immediate) { seen.record($0) }
    inputs[2].resolver.fulfill(with: 2)
    #expect(seen.entries == [.value(2)])
    #expect(requests(inputs) == [1, 1, 0])
  }
}

extension WhenFirstTests {
  @Test("5.2 without brackets, the first of two or more inputs decides as in an array", arguments: 0..<3)
  func withoutBrackets(decider: Int) {
    let inputs = (0..<3).map { _ in IntProbe(complying: true) }
    let first = when(
      first: inputs[0].take(), inputs[1].take(), inputs[2].take(), cancelRemaining: true)
    inputs[decider].resolver.fulfill(with: decider)
    #expect(first.result == .value(decider))
    #expect(inputs.enumerated().allSatisfy { $0 == decider || $1.requestCount == 1 })
  }
}
