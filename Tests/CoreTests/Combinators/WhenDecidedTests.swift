import Overmorrow
import Testing

/// A combinator that is decided leaves nothing behind on the inputs that are still pending.
@Suite(.heavy) struct WhenDecidedTests {
  private typealias TrackedInput = CancelProbe<Tracker.Tracked, Flaw>

  @Test(
    "3.6 5.1 5.2 5.3 5.9 a decision withdraws the combinator's vote on pending inputs",
    arguments: Decision.all, [false, true])
  func vote(decision: Decision, requestedBefore: Bool) {
    let ((all, child), inputs) = Input.feed(2) { (decision.form.combine($0), $0[1].makeChild()) }
    if requestedBefore { child.requestCancel() }
    #expect(inputs[1].requestCount == 0)
    decision.decide(inputs[0])
    #expect(all.result == decision.outcome)
    #expect(inputs[1].requestCount == (requestedBefore ? 1 : 0))
    // Now the vote of the other child is withdrawn, too.
    child.requestCancel()
    #expect(inputs[1].requestCount == 1)
  }

  @Test(
    "3.6 5.1 5.2 5.3 a combinator that is decided at creation leaves no vote on its inputs",
    arguments: Decision.all, [false, true])
  func decidedAtOnce(decision: Decision, isFirst: Bool) {
    let decided = Promise<Int, Flaw>(with: decision.result(7))
    let ((all, child), inputs) = Input.feed(1) { promises in
      (decision.form.combine(isFirst ? [decided] + promises : promises + [decided]), promises[0].makeChild())
    }
    #expect(all.result == decision.outcome)
    child.requestCancel()
    #expect(inputs[0].requestCount == 1)
  }

  @Test(
    "5.1 5.2 5.3 a decided combinator retains no values, even if it was asked to cancel",
    arguments: Decision.all, [false, true])
  func value(decision: Decision, askedBefore: Bool) {
    let tracker = Tracker()
    let (_, inputs) = TrackedInput.feed(2) { promises in
      let all = decision.form.combine(promises)
      if askedBefore { all.requestCancel() }
    }
    #expect(inputs.map(\.requestCount) == (askedBefore ? [1, 1] : [0, 0]))
    inputs[0].resolver.resolve(with: decision.result(tracker.make()))
    #expect(tracker.count == 0)
    inputs[1].resolver.fulfill(with: tracker.make())
    #expect(tracker.count == 0)
  }

  @Test(
    "5.1 5.3 5.4 5.5 5.9 a rejected combinator retains neither earlier nor later values, even if it joins",
    arguments: WhenForm.gathering, [false, true])
  func otherValues(form: WhenForm, joining: Bool) {
    let tracker = Tracker()
    let (all, inputs) = TrackedInput.feed(3) { form.combine($0, joining: joining) }
    inputs[0].resolver.fulfill(with: tracker.make())
    #expect(tracker.count == 1)
    inputs[1].resolver.reject(with: "no")
    #expect(tracker.count == 0)
    #expect(all.result?.error == (joining ? nil : "no"))
    inputs[2].resolver.fulfill(with: tracker.make())
    #expect(all.result?.error == "no")
    #expect(tracker.count == 0)
  }

  @Test(
    "5.1 5.2 5.3 a combinator leaks nothing, however its inputs end",
    arguments: WhenForm.allCases, [nil] + Ending.allCases)
  func nothingIsLeft(form: WhenForm, ending: Ending?) {
    let tracker = Tracker()
    for (cancelling, asked) in [(false, false), (true, false), (false, true)] {
      let (_, inputs) = TrackedInput.feed(2) { promises in
        let all = form.combine(promises, cancelling: cancelling)
        if asked { all.requestCancel() }
      }
      inputs[0].resolver.fulfill(with: tracker.make())
      if let ending { inputs[1].resolver.resolve(with: ending.result(tracker.make(), "no")) }
    }
    #expect(tracker.count == 0)
  }

  @Test(
    "5.1 5.2 5.3 observers of a combinator are released with its result while inputs are pending",
    arguments: Decision.all)
  func observersGo(decision: Decision) {
    let tracker = Tracker()
    let (_, inputs) = Input.feed(3) { promises in
      let object = tracker.make()
      decision.form.combine(promises).always(on: .immediate) { _ in _ = object }
    }
    #expect(tracker.count == 1)
    decision.decide(inputs[1])
    #expect(tracker.count == 0)
    withExtendedLifetime(inputs) {}
  }

  @Test("5.5 5.9 a decision among 100,000 inputs releases all the others")
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

  @Test("3.6 5.2 a decision that races with requests resolves and asks inputs at most once")
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
          // Whichever thread was first, all votes on these inputs are withdrawn at the end.
          round.inputs[4...].allSatisfy({ $0.requestCount == 1 })
        else { return "\(round.first), asked \(round.inputs.map(\.requestCount))" }
        return nil
      })
  }
}
