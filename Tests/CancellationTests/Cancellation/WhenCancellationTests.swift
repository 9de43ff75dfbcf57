import Overmorrow
import Testing

/// How `when` takes part in cancellation.
@Suite(.inTurn) struct WhenCancellationTests {
  /// One of the forms, on two promises.
  struct Form: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable (Promise<Int, ProbeError>, Promise<Int, ProbeError>) -> AnyChild

    static let all = [
      Form(description: "fulfilled: array") { AnyChild(when(fulfilled: [$0, $1])) },
      Form(description: "fulfilled: array, cancelOnFailure") {
        AnyChild(when(fulfilled: [$0, $1], cancelOnFailure: true))
      },
      Form(description: "fulfilled: tuple") { AnyChild(when(fulfilled: $0, $1)) },
      Form(description: "fulfilled: tuple, cancelOnFailure") {
        AnyChild(when(fulfilled: $0, $1, cancelOnFailure: true))
      },
      Form(description: "first") { AnyChild(when(first: [$0, $1])) },
      Form(description: "first, cancelRemaining") { AnyChild(when(first: [$0, $1], cancelRemaining: true)) },
      Form(description: "fulfilled: array, joining") {
        AnyChild(when(fulfilled: [$0, $1], cancelOnFailure: true, joining: true))
      },
      Form(description: "fulfilled: dictionary") { AnyChild(when(fulfilled: ["a": $0, "b": $1])) },
      Form(description: "first fulfilled") { AnyChild(when(firstFulfilled: [$0, $1])) },
    ]
  }

  private let probes = [IntProbe(), IntProbe()]
  private var counts: [Int] { probes.map(\.requestCount) }

  @Test("3.6 a when has one vote on each input", arguments: Form.all, OperatorPropagationTests.scenarios)
  func votes(of form: Form, in scenario: VoteScenario) {
    for index in 0...1 {
      let probes = [IntProbe(), IntProbe()]
      scenario.run("of input \(index)") {
        let gathered = form.make(probes[0].promise, probes[1].promise)
        probes[1 - index].drop()
        return (probes[index], [gathered] + scenario.children.map { _ in probes[index].makeSibling() })
      }
      withExtendedLifetime(probes) {}
    }
  }

  @Test("3.6 a request after one input has resolved goes to the other, which decides", arguments: Form.all)
  func oneResolved(of form: Form) {
    let gathered = form.make(probes[0].take(), probes[1].take())
    probes[0].resolver.resolve(with: form.description.hasPrefix("first") ? .cancelled : .value(1))
    #expect(!gathered.isResolved)
    gathered.requestCancel()
    gathered.requestCancel()
    #expect(counts == [0, 1])
    probes[1].resolver.cancel()
    #expect(gathered.isCancelled)
  }

  @Test("3.6 the same promise given twice is asked once, when both its votes are withdrawn", arguments: Form.all)
  func sameTwice(of form: Form) {
    let gathered = form.make(probes[0].promise, probes[0].promise)
    probes[0].drop()
    #expect(probes[0].requestCount == 0)
    gathered.requestCancel()
    #expect(probes[0].requestCount == 1)
  }

  @Test("3.6 a request goes through nested forms", arguments: Form.all)
  func nested(of form: Form) {
    let other = IntProbe()
    let gathered = form.make(when(first: [probes[0].take(), probes[1].take()]), other.take())
    gathered.requestCancel()
    #expect(counts == [1, 1])
    #expect(other.requestCount == 1)
  }

  @Test(
    "5.1 cancelOnFailure asks the others directly, whoever else wants them",
    arguments: [.error(.failed), .cancelled] as [PromiseResult<Int, ProbeError>])
  func cancelOnFailure(_ result: PromiseResult<Int, ProbeError>) {
    let sibling = probes[1].makeSibling()
    let gathered = when(fulfilled: [probes[0].take(), probes[1].take()], cancelOnFailure: true)
    probes[0].resolver.resolve(with: result)
    #expect(gathered.result != nil)
    #expect(counts == [0, 1])
    #expect(!sibling.isResolved)
  }

  @Test("5.2 cancelRemaining asks the others directly, whoever else wants them")
  func cancelRemaining() {
    let sibling = probes[1].makeSibling()
    let gathered = when(first: [probes[0].take(), probes[1].take()], cancelRemaining: true)
    probes[0].resolver.fulfill(with: 1)
    #expect(gathered.result == .value(1))
    #expect(counts == [0, 1])
    #expect(!sibling.isResolved)
  }

  @Test("5.2 an input that is cancelled does not make cancelRemaining ask the others")
  func cancelledInput() {
    let gathered = when(first: [probes[0].take(), probes[1].take()], cancelRemaining: true)
    probes[0].resolver.cancel()
    #expect(gathered.result == nil)
    #expect(counts == [0, 0])
  }

  @Test("3.6 nothing is left of the inputs and of the result when all is done", arguments: [true, false])
  func leaks(cancelled: Bool) {
    let tracker = Tracker()
    do {
      let inputs = (0..<2).map { _ in CancelProbe<Tracker.Tracked, Flaw>(complying: cancelled) }
      let all = when(fulfilled: inputs.map(\.promise), cancelOnFailure: true)
      let first = when(first: inputs.map(\.promise), cancelRemaining: true)
      let both = when(fulfilled: inputs[0].promise, inputs[1].promise, cancelOnFailure: true)
      for input in inputs { input.drop() }
      if cancelled {
        all.requestCancel()
        first.requestCancel()
        #expect(inputs.map(\.requestCount) == [0, 0])
        both.requestCancel()
        #expect(inputs.map(\.requestCount) == [1, 1])
        #expect(first.result?.isCancelled == true)
      } else {
        for input in inputs { input.resolver.fulfill(with: tracker.make()) }
        #expect(tracker.count == 2)
      }
      #expect(all.result != nil)
      #expect(both.result != nil)
    }
    #expect(tracker.count == 0)
  }
}
