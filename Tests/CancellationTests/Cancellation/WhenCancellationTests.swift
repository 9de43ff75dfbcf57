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

  /// What happens to a form and its two inputs, one thing after the other.
  struct Scenario: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
      /// The form is asked to cancel, or let go.
      case ask, letGo
      /// Another child of the first input is asked; the other handle of the first input goes.
      case askSibling, drop
      /// The first input resolves such that it decides nothing.
      case resolve
      /// So many requests have reached each input.
      case requests(Int, Int)
    }

    let testDescription: String
    /// Whether the first input has another handle, and whether it has another child.
    let isHeld: Bool
    let hasSibling: Bool
    let steps: [Step]

    init(_ sentence: String, isHeld: Bool = false, hasSibling: Bool = false, _ steps: Step...) {
      testDescription = sentence
      self.isHeld = isHeld
      self.hasSibling = hasSibling
      self.steps = steps
    }

    static let all = [
      Scenario("a request goes to every input", .requests(0, 0), .ask, .ask, .requests(1, 1)),
      Scenario(
        "a request is one vote on each input: what others want goes on", hasSibling: true,
        .ask, .requests(0, 1), .askSibling, .requests(1, 1)),
      Scenario(
        "a request waits for inputs that are held", isHeld: true, .ask, .requests(0, 1), .drop, .requests(1, 1)),
      Scenario("a request after one input has resolved goes to the other", .resolve, .ask, .requests(0, 1)),
      Scenario(
        "dropping the result asks nobody, and the inputs' other children do not get through", hasSibling: true,
        .letGo, .requests(0, 0), .askSibling, .requests(0, 0)),
    ]
  }

  @Test("3.6 a request to a when is one vote on each input", arguments: Form.all, Scenario.all)
  func requests(of form: Form, in scenario: Scenario) {
    let sibling = scenario.hasSibling ? probes[0].makeSibling() : nil
    var held = scenario.isHeld ? probes[0].promise : nil
    var gathered: AnyChild? = form.make(probes[0].take(), probes[1].take())
    for step in scenario.steps {
      switch step {
      case .ask: gathered?.requestCancel()
      case .letGo: gathered = nil
      case .askSibling: sibling?.requestCancel()
      case .drop: held = nil
      case .resolve:
        probes[0].resolver.resolve(with: form.description.hasPrefix("first") ? .cancelled : .value(1))
      case .requests(let first, let second): #expect(counts == [first, second])
      }
    }
    #expect(gathered?.isResolved != true)
    for probe in probes { probe.resolver.cancel() }
    #expect(gathered?.isCancelled != false)
    withExtendedLifetime(held) {}
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
