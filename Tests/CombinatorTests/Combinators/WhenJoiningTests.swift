import Overmorrow
import Testing

@Suite(.heavy) struct WhenJoiningTests {
  /// The forms, with the results that decide and those that do not; all give a value or an error that tells which.
  enum Form: CaseIterable {
    case fulfilled, tuple, first, firstFulfilled

    func combine(_ inputs: [Promise<Int, Flaw>], cancelling: Bool) -> Promise<String, Flaw> {
      switch self {
      case .fulfilled:
        let all = when(fulfilled: inputs, cancelOnFailure: cancelling, joining: true)
        return all.map(on: .immediate) { "\($0)" }
      case .tuple:
        let all = when(fulfilled: inputs[0], inputs[1], inputs[2], cancelOnFailure: cancelling, joining: true)
        return all.map(on: .immediate) { "\([$0, $1, $2])" }
      case .first:
        let first = when(first: inputs, cancelRemaining: cancelling, joining: true)
        return first.map(on: .immediate) { "\($0)" }
      case .firstFulfilled:
        return when(firstFulfilled: inputs, cancelRemaining: cancelling, joining: true)
          .mapResult(on: .immediate) { $0.map { "\($0)" }.mapError { "\($0.errors)" } }
      }
    }

    var deciding: PromiseResult<Int, Flaw> {
      switch self {
      case .fulfilled, .tuple: .error("no")
      case .first, .firstFulfilled: .value(7)
      }
    }

    var result: PromiseResult<String, Flaw> { deciding.map { "\($0)" } }
  }

  @Test(
    "5.4 the decision asks the losers at once, and is told when the last of them has finished", arguments: Form.allCases
  )
  func waits(form: Form) {
    let ((all, held), inputs) = Input.feed(3) { (form.combine($0, cancelling: true), $0) }
    inputs[1].resolver.resolve(with: form.deciding)
    #expect(requests(inputs) == [1, 0, 1])
    #expect(all.result == nil)
    inputs[2].resolver.cancel()
    #expect(all.result == nil)
    inputs[0].resolver.fulfill(with: 3)
    #expect(all.result == form.result)
    withExtendedLifetime(held) {}
  }

  @Test(
    "5.4 losers that cancel when they are asked let the result come inside the call that decides",
    arguments: Form.allCases)
  func obedient(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0, cancelling: true) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    inputs[2].resolver.resolve(with: form.deciding)
    #expect(all.result == form.result)
    #expect(requests(inputs) == [1, 1, 0])
  }

  @Test("5.4 without cancelling, the losers are waited for and not asked", arguments: Form.allCases)
  func withoutCancelling(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0, cancelling: false) }
    inputs[0].resolver.resolve(with: form.deciding)
    #expect(requests(inputs) == [0, 0, 0])
    inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == nil)
    inputs[2].resolver.fulfill(with: 2)
    #expect(all.result == form.result)
  }

  @Test("5.4 the first decision counts, whatever the losers decide later", arguments: Form.allCases)
  func firstCounts(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0, cancelling: true) }
    inputs[1].resolver.resolve(with: form.deciding)
    inputs[0].resolver.reject(with: "late")
    inputs[2].resolver.fulfill(with: 99)
    #expect(all.result == form.result)
  }

  @Test(
    "5.4 an input that has decided before is told only when the others have finished", arguments: Form.allCases, 0..<3)
  func decidedBefore(form: Form, position: Int) {
    let (all, inputs) = Input.feed(2) { pending in
      var promises = pending
      promises.insert(Promise(with: form.deciding), at: position)
      return form.combine(promises, cancelling: true)
    }
    #expect(requests(inputs) == [1, 1])
    #expect(all.result == nil)
    for input in inputs { input.resolver.cancel() }
    #expect(all.result == form.result)
  }

  @Test("5.4 no failure, nothing to wait for: joining makes no difference")
  func noDecision() {
    let (all, inputs) = Input.feed(3) { Form.fulfilled.combine($0, cancelling: true) }
    for (index, input) in inputs.enumerated() { input.resolver.fulfill(with: index) }
    #expect(all.result == .value("[0, 1, 2]"))
    #expect(when(fulfilled: [Promise<Int, Flaw>](), joining: true).result == .value([]))
    #expect(when(first: [Promise<Int, Flaw>](), joining: true).result == .cancelled)
  }

  @Test(
    "5.4 3.6 a request to cancel is one vote on each input, before the decision and after it", arguments: Form.allCases)
  func votes(form: Form) {
    let (all, inputs) = Input.feed(3) { form.combine($0, cancelling: false) }
    inputs[0].resolver.resolve(with: form.deciding)
    all.requestCancel()
    #expect(requests(inputs) == [0, 1, 1])
    for input in inputs { input.resolver.cancel() }
    #expect(all.result == form.result)
  }

  @Test("5.4 a decision keeps no value of the others, although they go on")
  func valuesGo() {
    let tracker = Tracker()
    let (all, inputs) = CancelProbe<Tracker.Tracked, Flaw>.feed(3) { when(fulfilled: $0, joining: true) }
    inputs[0].resolver.fulfill(with: tracker.make())
    #expect(tracker.count == 1)
    inputs[1].resolver.reject(with: "no")
    #expect(tracker.count == 0)
    inputs[2].resolver.fulfill(with: tracker.make())
    #expect(all.result?.error == "no")
    #expect(tracker.count == 0)
  }

  @Test("5.4 11.6 decisions and ends on several threads at once: the result comes last, once, and is one of theirs")
  func racing() async {
    struct Round: Sendable {
      let all: Promise<[Int], Flaw>
      let inputs: [Input]
      let unresolved = Counter()
      let observed = Counter()

      init() {
        let (made, inputs) = Input.feed(9) { promises in
          let watched = promises.map { $0.tap() }
          return (when(fulfilled: promises, cancelOnFailure: true, joining: true), watched)
        }
        self.inputs = inputs
        all = made.0
        let watched = made.1
        all.always(on: .immediate) { [observed, unresolved] _ in
          observed.increment()
          for promise in watched where promise.result == nil { unresolved.increment() }
        }
      }
    }
    let threads: [@Sendable (Round) -> Void] = (0..<3).map { part in
      { round in
        for index in stride(from: part, to: 9, by: 3) {
          index < 5
            ? round.inputs[index].resolver.fulfill(with: index) : round.inputs[index].resolver.reject(with: "\(index)")
        }
      }
    }
    let possible = (5..<9).map { PromiseResult<[Int], Flaw>.error("\($0)") }
    await race(
      rounds: 150, { Round() }, threads,
      check: { round in
        guard let result = round.all.result, possible.contains(result), round.observed.count == 1,
          round.unresolved.count == 0
        else { return "\(round.all), \(round.unresolved.count) unresolved" }
        return nil
      })
  }

  @Test("5.5 one of 100,000 inputs that fails is told when the others have been cancelled")
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
