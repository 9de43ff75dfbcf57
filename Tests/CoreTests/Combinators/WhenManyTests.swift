import Dispatch
import Overmorrow
import Testing

/// Many inputs, several threads, and re-entrant calls. The tests are serialized, because their threads spin.
@Suite(.serialized, .heavy) struct WhenManyTests {
  /// The forms that take an array.
  private static let decisions = Decision.all.filter { $0.form != .tuple }

  @Test(
    "5.5 a thousand inputs keep their order, in whatever order they resolve",
    arguments: [WhenForm.fulfilled, .dictionary, .bounded])
  func thousandFulfilled(form: WhenForm) {
    let (all, inputs) = Input.feed(1000) { form.combine($0) }
    // 617 and 1000 are coprime, so each input is fulfilled once, in a scattered order.
    for step in 0..<1000 {
      #expect(all.result == nil)
      let index = step * 617 % 1000
      inputs[index].resolver.fulfill(with: index)
    }
    #expect(all.result == .value(Array(0..<1000)))
  }

  @Test("5.5 when one of a thousand inputs decides, the other 999 are asked once", arguments: decisions)
  func thousandCancelled(decision: Decision) {
    let (all, inputs) = Input.feed(1000) { decision.form.combine($0, cancelling: true) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    decision.decide(inputs[500])
    #expect(all.result == decision.outcome)
    #expect(inputs.filter { $0.requestCount == 1 }.count == 999)
    #expect(inputs[500].requestCount == 0)
  }

  @Test("5.5 11.4 a combinator holds no lock while it calls code that uses the same promises")
  func reentrant() {
    let log = Recorder<String>()
    let more = Recorder<Promise<[Int], Flaw>>()
    let ((all, join), inputs) = Input.feed(3) { promises in
      (
        when(fulfilled: promises, cancelOnFailure: true),
        { @Sendable in more.record(when(fulfilled: promises, cancelOnFailure: true)) }
      )
    }
    for (index, input) in inputs.enumerated() {
      input.resolver.onRequestCancel(on: .immediate) { resolver in
        log.record("asked \(index)")
        all.requestCancel()
        resolver.reject(with: "answer \(index)")
        join()
      }
    }
    all.always(on: .immediate) { result in
      log.record("\(result)")
      join()
      inputs[2].resolver.fulfill(with: 2)
    }
    inputs[0].resolver.reject(with: "no")
    #expect(log.entries.filter { $0 == "error(no)" }.count == 1)
    #expect(log.entries.filter { $0 == "asked 1" }.count == 1)
    #expect(Set(log.entries).count == log.entries.count)
    #expect(more.entries.count == log.entries.count)
    #expect(more.entries.allSatisfy { $0.result?.error != nil })
  }

  // MARK: Threads

  private typealias Round = WhenRound<[Int], Flaw>

  private static func round(_ form: WhenForm, cancelling: Bool = false) -> Round {
    Round(12) { form.combine($0, cancelling: cancelling) }
  }

  @Test(
    "5.1 11.6 inputs fulfilled on several threads give all their values in order, once",
    arguments: [WhenForm.fulfilled, .bounded])
  func racingValues(form: WhenForm) async {
    await race(
      rounds: 150, { Self.round(form) }, Round.threads(4) { $1.fulfill(with: $0) },
      check: { $0.finding([.value(Array(0..<12))]) })
  }

  @Test(
    "5.1 5.5 of inputs that fail on several threads at once, exactly one decides",
    arguments: [WhenForm.fulfilled, .bounded])
  func racingFailures(form: WhenForm) async {
    let threads = Round.threads(4) { index, resolver in
      switch index {
      case 0..<6: resolver.fulfill(with: index)
      case 6..<9: resolver.cancel()
      default: resolver.reject(with: "\(index)")
      }
    }
    await race(
      rounds: 150, { Self.round(form, cancelling: true) }, threads,
      check: { $0.finding([.cancelled, .error("9"), .error("10"), .error("11")]) })
  }

  @Test("5.1 when a request races with resolving inputs, each input is asked at most once")
  func racingRequest() async {
    // Half of the inputs wait for a request.
    let threads = Round.threads(2) { if $0 % 4 < 2 { $1.fulfill(with: $0) } } + [{ $0.all.requestCancel() }]
    await race(
      rounds: 150, { Self.round(.fulfilled) }, threads,
      check: { round in
        for input in round.inputs where input.resolver.hasRequestedCancel { input.resolver.cancel() }
        let asked = requests(round.inputs)
        guard asked.allSatisfy({ $0 <= 1 }), asked[2] + asked[3] == 2 else { return "\(round.all), asked \(asked)" }
        return round.finding([.cancelled])
      })
  }

  @Test("5.2 of inputs that resolve on several threads, one wins and pending ones are asked")
  func racingFirst() async {
    let threads = Round.threads(4) { index, resolver in
      switch index {
      case 0..<3: resolver.fulfill(with: index)
      case 3: resolver.cancel()
      default: break
      }
    }
    await race(
      rounds: 150, { Self.round(.first, cancelling: true) }, threads,
      check: { round in
        guard let winner = round.all.result?.value?.first, round.inputs[winner].requestCount == 0,
          round.inputs[4...].allSatisfy({ $0.requestCount == 1 })
        else { return "\(round.all), asked \(requests(round.inputs))" }
        return round.finding((0..<3).map { .value([$0]) })
      })
  }

  @Test(
    "5.2 5.3 inputs that are cancelled on several threads at once cancel the race once",
    arguments: [WhenForm.first, .firstFulfilled])
  func racingCancellations(form: WhenForm) async {
    await race(
      rounds: 150, { Self.round(form, cancelling: true) }, Round.threads(4) { $1.cancel() },
      check: { $0.finding([.cancelled]) })
  }
}
