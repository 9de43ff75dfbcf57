import Overmorrow
import Testing

/// The votes and requests of `when`.
@Suite(.inTurn) struct WhenVotesTests {
  @Test(
    "5.1 5.2 5.3 3.6 a request withdraws one vote on each pending input, and siblings vote separately",
    arguments: WhenForm.allCases, [false, true])
  func isAVote(form: WhenForm, childFirst: Bool) {
    let endings: [Ending?] = [nil] + form.harmless
    for (cancelling, joining, ending) in endings.flatMap({ [(false, false, $0), (true, false, $0), (true, true, $0)] })
    {
      let note: Comment = "\(cancelling), \(joining), \(String(describing: ending))"
      let ((all, child), inputs) = Input.feed(3) {
        (form.combine($0, cancelling: cancelling, joining: joining), $0[1].makeChild())
      }
      if let ending { inputs[0].resolver.resolve(with: ending.result(0, "no")) }
      let first = ending == nil ? 1 : 0
      for _ in 0..<2 { childFirst ? child.requestCancel() : all.requestCancel() }
      #expect(requests(inputs) == (childFirst ? [0, 0, 0] : [first, 0, 1]), note)
      for _ in 0..<2 { childFirst ? all.requestCancel() : child.requestCancel() }
      #expect(requests(inputs) == [first, 1, 1], note)
      #expect(all.result == nil)
      withExtendedLifetime(inputs) {}
    }
  }

  @Test("5.1 5.10 3.6 an input given twice is asked once and counts in both places", arguments: WhenForm.allCases)
  func sameTwice(form: WhenForm) {
    let (all, input) = Input.feed { form.combine([$0, $0]) }
    #expect(input.requestCount == 0)
    all.requestCancel()
    #expect(input.requestCount == 1)
    input.resolver.fulfill(with: 7)
    #expect(all.result == .value(form.isRace ? [7] : [7, 7]))
  }

  @Test(
    "5.1 5.2 5.3 if inputs comply with a request, the combinator is cancelled, otherwise their values count",
    arguments: WhenForm.allCases, [false, true])
  func asked(form: WhenForm, complies: Bool) {
    let (all, inputs) = Input.feed(2) { form.combine($0) }
    if complies { for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } } }
    all.requestCancel()
    #expect(requests(inputs) == [1, 1])
    #expect(all.result == (complies ? .cancelled : nil))
    for input in inputs { input.resolver.fulfill(with: 3) }
    #expect(all.result == (complies ? .cancelled : .value(form.isRace ? [3] : [3, 3])))
  }

  @Test(
    "5.1 5.2 5.3 5.4 3.6 a request after the decision asks no input unless the combinator joins",
    arguments: Decision.all, [false, true])
  func late(decision: Decision, joining: Bool) {
    let (all, inputs) = Input.feed(3) { decision.form.combine($0, joining: joining) }
    decision.decide(inputs[0])
    all.requestCancel()
    #expect(requests(inputs) == (joining ? [0, 1, 1] : [0, 0, 0]))
    for input in inputs { input.resolver.cancel() }
    #expect(all.result == decision.outcome)
  }
}
