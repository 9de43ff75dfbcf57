import Overmorrow
import Testing

/// The results of an input that decide, the requests to the other inputs, and the moment at which the combinator
/// resolves.
@Suite(.heavy) struct WhenDecisionTests {
  @Test(
    "5.1 5.2 5.3 5.4 5.13 the first deciding input counts, at once or, joining, when all inputs have ended",
    arguments: Decision.all, Ending.allCases)
  func firstCounts(decision: Decision, late: Ending) {
    for (joining, harmless) in [false, true].flatMap({ joining in decision.form.harmless.map { (joining, $0) } }) {
      let log = Recorder<String>()
      let (all, inputs) = Input.feed(3) { decision.form.combine($0, joining: joining) }
      all.always(on: .immediate) { log.record("\($0)") }
      inputs[0].resolver.resolve(with: harmless.result(0, "before"))
      log.record("before")
      decision.decide(inputs[1])
      log.record("decided")
      inputs[2].resolver.resolve(with: late.result(99, "late"))
      log.record("after")
      let result = "\(decision.outcome)"
      #expect(
        log.entries == (joining ? ["before", "decided", result, "after"] : ["before", result, "decided", "after"]))
      #expect(requests(inputs) == [0, 0, 0])
    }
  }

  @Test(
    "5.1 5.3 5.4 all values arrive in the order of the inputs, with the last of them",
    arguments: WhenForm.gathering, [false, true])
  func gathers(form: WhenForm, joining: Bool) {
    let (all, inputs) = Input.feed(3) { form.combine($0, cancelling: true, joining: joining) }
    for index in [2, 0, 1] {
      #expect(all.result == nil)
      inputs[index].resolver.fulfill(with: index)
    }
    #expect(all.result == .value([0, 1, 2]))
    #expect(requests(inputs) == [0, 0, 0])
    let fulfilled = (0..<3).map { Promise<Int, Flaw>(fulfilled: $0) }
    #expect(form.combine(fulfilled, joining: joining).result == .value([0, 1, 2]))
  }

  @Test(
    "5.1 5.2 5.3 5.4 a decision asks the other inputs only with cancellation, and waits only when joining",
    arguments: Decision.all, [(true, false), (true, true), (false, false), (false, true)])
  func asks(decision: Decision, options: (cancelling: Bool, joining: Bool)) {
    let ((all, held), inputs) = Input.feed(3) { promises in
      let all = decision.form.combine(promises, cancelling: options.cancelling, joining: options.joining)
      return (all, promises.map { $0.makeChild() } + promises)
    }
    #expect(requests(inputs) == [0, 0, 0])
    decision.decide(inputs[1])
    #expect(all.result == (options.joining ? nil : decision.outcome))
    inputs[2].resolver.cancel()
    #expect(all.result == (options.joining ? nil : decision.outcome))
    #expect(requests(inputs) == (options.cancelling ? [1, 0, 1] : [0, 0, 0]))
    inputs[0].resolver.fulfill(with: 3)
    #expect(all.result == decision.outcome)
    withExtendedLifetime(held) {}
  }

  @Test(
    "5.1 5.2 5.3 5.4 an input that decided before creation counts, and the others are asked or awaited",
    arguments: Decision.lookingAtAll, 0..<3)
  func decidedBefore(decision: Decision, position: Int) {
    for (cancelling, joining) in [(false, false), (true, false), (true, true)] {
      let (all, inputs) = Input.feed(2) { pending in
        var promises = pending
        promises.insert(Promise(with: decision.result(7)), at: position)
        return decision.form.combine(promises, cancelling: cancelling, joining: joining)
      }
      #expect(requests(inputs) == (cancelling ? [1, 1] : [0, 0]))
      #expect(all.result == (joining ? nil : decision.outcome))
      for input in inputs { input.resolver.cancel() }
      #expect(all.result == decision.outcome)
    }
  }

  @Test(
    "5.1 5.2 5.3 of inputs that ended before, the first deciding one in the array counts",
    arguments: Decision.all.filter { $0.form != .dictionary }, Ending.allCases)
  func endedBefore(decision: Decision, later: Ending) {
    let decided = [decision.result(7), later.result(99, "later")].map { Promise<Int, Flaw>(with: $0) }
    for harmless in decision.form.harmless {
      let before = Promise<Int, Flaw>(with: harmless.result(0, "before"))
      #expect(decision.form.combine([before] + decided).result == decision.outcome)
      let (all, inputs) = Input.feed(1) { decision.form.combine([before, before] + $0) }
      #expect(all.result == nil)
      withExtendedLifetime(inputs) {}
    }
    let (all, inputs) = Input.feed(1) { decision.form.combine($0 + decided) }
    #expect(all.result == decision.outcome)
    withExtendedLifetime(inputs) {}
  }

  @Test(
    "5.1 5.2 5.3 5.4 without inputs, a when is fulfilled, and a race is cancelled or fails",
    arguments: WhenForm.allCases.filter { $0 != .tuple }, [false, true])
  func empty(form: WhenForm, flag: Bool) {
    let races: [WhenForm: PromiseResult<[Int], Flaw>] = [
      .first: .cancelled, .firstFulfilled: .error("there was no promise to wait for"),
    ]
    #expect(form.combine([], cancelling: flag, joining: flag).result == races[form] ?? .value([]))
  }

  @Test(
    "5.1 5.2 5.3 5.4 a decision stands even if the others end when they are asked to cancel",
    arguments: Decision.all, [false, true])
  func obedient(decision: Decision, joining: Bool) {
    let (all, inputs) = Input.feed(3) { decision.form.combine($0, cancelling: true, joining: joining) }
    inputs[0].resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    inputs[2].resolver.onRequestCancel(on: .immediate) { $0.reject(with: "asked") }
    let seen = Recorder<PromiseResult<[Int], Flaw>>()
    all.always(on: .immediate) { seen.record($0) }
    decision.decide(inputs[1])
    #expect(seen.entries == [decision.outcome])
    #expect(requests(inputs) == [1, 0, 1])
  }

  @Test(
    "5.1 5.2 5.3 a combinator without handles still asks the other inputs after a decision", arguments: Decision.all)
  func droppedResult(decision: Decision) {
    let (_, inputs) = Input.feed(2) { _ = decision.form.combine($0, cancelling: true) }
    #expect(requests(inputs) == [0, 0])
    decision.decide(inputs[0])
    #expect(requests(inputs) == [0, 1])
  }

  @Test(
    "5.2 5.3 5.10 a race is cancelled when its last input is cancelled",
    arguments: [WhenForm.first, .firstFulfilled],
    [1, 3, 1000])
  func allCancelled(form: WhenForm, count: Int) {
    let (all, inputs) = Input.feed(count) { form.combine($0 + $0) }
    for input in inputs.reversed() {
      #expect(all.result == nil)
      input.resolver.cancel()
    }
    #expect(all.result == .cancelled)
    let cancelled = Promise<Int, Flaw>(with: .cancelled)
    #expect(form.combine(Array(repeating: cancelled, count: count)).result == .cancelled)
  }

  // MARK: Joining

  @Test("5.4 11.6 a joined failure on several threads is delivered once, after all inputs have ended")
  func racing() async {
    let unresolved = Counter()
    let possible = (5..<9).map { PromiseResult<[Int], Flaw>.error("\($0)") }
    await race(
      rounds: 150,
      {
        WhenRound(9) { promises in
          let watched = promises.map { $0.tap() }
          return when(fulfilled: promises, cancelOnFailure: true, joining: true).always(on: .immediate) { _ in
            for promise in watched where promise.result == nil { unresolved.increment() }
          }
        }
      },
      WhenRound.threads(3) { $0 < 5 ? $1.fulfill(with: $0) : $1.reject(with: "\($0)") },
      check: { unresolved.count == 0 ? $0.finding(possible) : "\(unresolved.count) unresolved" })
  }

  @Test("5.5 joined, a failure among 100,000 inputs is delivered after all others have ended")
  func many() {
    let count = scaled(100_000)
    let (all, inputs) = Input.feed(count) { when(fulfilled: $0, cancelOnFailure: true, joining: true) }
    for input in inputs.dropLast() { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    inputs[count / 2].resolver.reject(with: "no")
    #expect(all.result == nil)
    inputs[count - 1].resolver.cancel()
    #expect(all.result == .error("no"))
    #expect(inputs.filter { $0.requestCount == 1 }.count == count - 1)
  }
}
