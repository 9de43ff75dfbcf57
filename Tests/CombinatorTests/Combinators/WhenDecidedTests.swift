import Overmorrow
import Testing

/// What a combinator that is decided leaves behind on the inputs that go on: nothing.
@Suite(.heavy) struct WhenDecidedTests {
  enum Form: CaseIterable {
    case fulfilled, tuple, dictionary, first, firstFulfilled

    /// Combines two promises.
    func combine<V: Sendable>(_ a: Promise<V, Flaw>, _ b: Promise<V, Flaw>) -> AnyChild {
      switch self {
      case .fulfilled: AnyChild(when(fulfilled: [a, b]))
      case .tuple: AnyChild(when(fulfilled: a, b))
      case .dictionary: AnyChild(when(fulfilled: [0: a, 1: b]))
      case .first: AnyChild(when(first: [a, b]))
      case .firstFulfilled: AnyChild(when(firstFulfilled: [a, b]))
      }
    }

    /// A result of one input that decides.
    func deciding<V: Sendable>(_ value: V) -> PromiseResult<V, Flaw> {
      switch self {
      case .fulfilled, .tuple, .dictionary: .error("no")
      case .first, .firstFulfilled: .value(value)
      }
    }
  }

  @Test("3.6 5.1 5.2 5.3 5.9 the vote on an input that goes on goes with the decision", arguments: Form.allCases)
  func vote(form: Form) {
    let ((all, child), inputs) = Input.feed(2) { (form.combine($0[0], $0[1]), $0[1].makeChild()) }
    inputs[0].resolver.resolve(with: form.deciding(1))
    #expect(all.isResolved)
    #expect(inputs[1].requestCount == 0)
    // It is no longer wanted elsewhere.
    child.requestCancel()
    #expect(inputs[1].requestCount == 1)
  }

  @Test("3.6 5.1 5.2 5.3 a vote that goes with the decision does not count as a request", arguments: Form.allCases)
  func noRequest(form: Form) {
    let (all, inputs) = Input.feed(2) { form.combine($0[0], $0[1]) }
    inputs[0].resolver.resolve(with: form.deciding(1))
    #expect(all.isResolved)
    #expect(inputs[1].requestCount == 0)
    withExtendedLifetime(inputs) {}
  }

  @Test("3.6 5.1 5.2 5.3 the others' requests go through as soon as it is decided", arguments: Form.allCases)
  func lastVote(form: Form) {
    let ((all, child), inputs) = Input.feed(2) { (form.combine($0[0], $0[1]), $0[1].makeChild()) }
    child.requestCancel()
    #expect(inputs[1].requestCount == 0)
    inputs[0].resolver.resolve(with: form.deciding(1))
    #expect(inputs[1].requestCount == 1)
    withExtendedLifetime((all, child)) {}
  }

  @Test(
    "3.6 5.1 5.2 5.3 no vote is left by one that is decided when it is made", arguments: Form.allCases, [false, true])
  func decidedAtOnce(form: Form, isFirst: Bool) {
    let decided = Promise<Int, Flaw>(with: form.deciding(1))
    let ((all, child), inputs) = Input.feed(1) { promises in
      (
        isFirst ? form.combine(decided, promises[0]) : form.combine(promises[0], decided), promises[0].makeChild()
      )
    }
    #expect(all.isResolved)
    child.requestCancel()
    #expect(inputs[0].requestCount == 1)
  }

  @Test("5.1 5.2 5.3 what the input was resolved with is not kept by one that is decided", arguments: Form.allCases)
  func value(form: Form) {
    let tracker = Tracker()
    let inputs: [CancelProbe<Tracker.Tracked, Flaw>] = [CancelProbe(), CancelProbe()]
    do {
      let (a, b) = (inputs[0].take(), inputs[1].take())
      _ = form.combine(a, b)
    }
    inputs[0].resolver.resolve(with: form.deciding(tracker.make()))
    #expect(tracker.count == 0)
    inputs[1].resolver.fulfill(with: tracker.make())
    #expect(tracker.count == 0)
  }

  @Test("5.1 5.9 values that had come are not kept by one that is rejected, although an input goes on")
  func earlierValues() {
    let tracker = Tracker()
    let (all, inputs) = CancelProbe<Tracker.Tracked, Flaw>.feed(3) { when(fulfilled: $0) }
    inputs[0].resolver.fulfill(with: tracker.make())
    #expect(tracker.count == 1)
    inputs[1].resolver.reject(with: "no")
    #expect(tracker.count == 0)
    withExtendedLifetime((all, inputs)) {}
  }

  @Test(
    "5.1 values are not kept either by one that was asked to cancel before it was decided", arguments: Form.allCases)
  func askedBefore(form: Form) {
    let tracker = Tracker()
    let inputs: [CancelProbe<Tracker.Tracked, Flaw>] = [CancelProbe(), CancelProbe()]
    do {
      let (a, b) = (inputs[0].take(), inputs[1].take())
      form.combine(a, b).requestCancel()
    }
    #expect(inputs.map(\.requestCount) == [1, 1])
    inputs[0].resolver.resolve(with: form.deciding(tracker.make()))
    #expect(tracker.count == 0)
    withExtendedLifetime(inputs) {}
  }

  @Test("5.5 5.9 a decision of 100,000 inputs lets go of all the others")
  func many() {
    let count = scaled(100_000)
    let ((all, children), inputs) = Input.feed(count) { promises in
      (when(first: promises), promises.map { $0.makeChild() })
    }
    inputs[count - 1].resolver.fulfill(with: 1)
    #expect(all.result == .value(1))
    for child in children { child.requestCancel() }
    #expect(inputs.dropLast().allSatisfy { $0.requestCount == 1 })
  }

  @Test(
    "3.6 5.2 a decision against a request, and against the ends of the others: each is asked at most once, and settles")
  func racing() async {
    await race(
      rounds: 300,
      {
        let (made, inputs) = Input.feed(6) { (when(first: $0), $0.map { $0.makeChild() }) }
        let (first, children) = made
        return (first: first, children: children, inputs: inputs)
      },
      { $0.inputs[0].resolver.fulfill(with: 0) },
      { $0.first.requestCancel() },
      { round in
        for index in 1..<4 { round.inputs[index].resolver.fulfill(with: index) }
        for index in 4..<6 { round.children[index].requestCancel() }
      },
      check: { round in
        guard let value = round.first.result?.value, (0..<4).contains(value),
          round.inputs[..<4].allSatisfy({ $0.requestCount <= 1 }),
          // Whatever came first, in the end these are no longer wanted.
          round.inputs[4...].allSatisfy({ $0.requestCount == 1 })
        else { return "\(round.first), asked \(round.inputs.map(\.requestCount))" }
        return nil
      })
  }
}
