import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct PropagatingCancellationTests {
  private let calls = Counter()
  private let probe = CancelProbe<Int, Flaw>()

  /// Child 0 is the shared promise itself; the others are its children.
  private static let scenarios = [
    VoteScenario(
      "a held promise passes the request on after all children have requested cancellation", [.child, .child, .child],
      .ask(1), .ask(2), .ask(1), .requests(0), .ask(3), .requests(1)),
    VoteScenario(
      "a direct request calls the callback and is passed on despite another child", [.child],
      .ask(0), .requests(1)),
    VoteScenario(
      "a promise without handles passes the request on", [.child], .release(0), .ask(1), .requests(1)),
    VoteScenario(
      "a request is passed on by onCancel as the only child, not by tap", [.tap, .onCancel],
      .ask(1), .requests(0), .ask(2), .requests(1)),
    VoteScenario(
      "ignoringCancel holds back the request of a held promise", [.child, .ignoringCancel],
      .release(2), .ask(1), .requests(0)),
    VoteScenario("releasing a promise without children is no request", [], .release(0), .requests(0)),
  ]

  @Test("3.4 the request is passed on after the callback, when all children have asked", arguments: scenarios)
  func votes(in scenario: VoteScenario) {
    scenario.run {
      let shared = probe.take().propagatingCancellation(on: .immediate) { _ in calls.increment() }
      return (probe, [AnyChild(shared)] + scenario.children.map { $0.make(shared) })
    }
    #expect(calls.count == probe.requestCount)
  }

  @Test("3.4 the callback receives the promise once, directly before the request is passed on")
  func callback() {
    let log = Recorder<String>()
    let received = Recorder<Promise<Int, Flaw>>()
    probe.resolver.onRequestCancel(on: .immediate) { _ in log.record("producer") }
    let shared = probe.take().propagatingCancellation(on: .immediate) { promise in
      received.record(promise)
      log.record("callback")
    }
    shared.makeChild().requestCancel()
    shared.makeChild().requestCancel()
    shared.requestCancel()
    #expect(received.entries == [shared])
    #expect(log.entries == ["callback", "producer"])
  }

  @Test(
    "3.4 the request is passed on when its context has run or dropped the callback",
    arguments: [false, true], [false, true])
  func context(isNowOr: Bool, isDropped: Bool) {
    let executor = ManualContext()
    let context: PromiseContext = isNowOr ? .nowOr(executor.context) : executor.context
    let shared = probe.take().propagatingCancellation(on: context) { _ in calls.increment() }
    shared.makeChild().requestCancel()
    #expect(probe.requestCount == 0)
    #expect(executor.count == 1)
    if isDropped { executor.dropAll() } else { executor.runAll() }
    #expect(calls.count == (isDropped ? 0 : 1))
    #expect(probe.requestCount == 1)
  }

  @Test("3.4 without handles, the callback receives a promise with the same result")
  func substitute() {
    let received = Recorder<Promise<Int, Flaw>>()
    let child = probe.take().propagatingCancellation(on: .immediate) { received.record($0) }.makeChild()
    child.requestCancel()
    probe.resolver.fulfill(with: 3)
    #expect(received.entries.map(\.result) == [.value(3)])
    #expect(child.result == .value(3))
  }

  @Test("3.4 3.9 a child that a timeout resolves counts as having asked to cancel")
  func timedOutChild() {
    let shared = probe.take().propagatingCancellation(on: .immediate) { _ in }
    let limited = shared.timeout(on: .immediate, .zero)
    #expect(limited.result == .error(.timedOut))
    #expect(probe.requestCount == 1)
  }

  @Test(
    "3.4 if the parent resolves, the promise takes its result and releases the callback unrun",
    arguments: [false, true])
  func resolved(isBefore: Bool) {
    let tracker = Tracker()
    if isBefore { probe.resolver.fulfill(with: 1) }
    let shared = probe.take().propagatingCancellation(
      on: .immediate, cancelRequested: tracker.callback { _ in _ = calls.increment() })
    let child = shared.makeChild()
    #expect(tracker.count == (isBefore ? 0 : 1))
    probe.resolver.fulfill(with: 1)
    #expect(tracker.count == 0)
    child.requestCancel()
    shared.requestCancel()
    #expect(calls.count == 0)
    #expect(shared.result == .value(1))
  }

  @Test("3.4 a chain through propagatingCancellation() leaves nothing behind", arguments: [true, false])
  func leaks(isHeldToTheEnd: Bool) {
    let tracker = Tracker()
    do {
      let probe = CancelProbe<Tracker.Tracked, Flaw>(complying: true)
      let object = tracker.make()
      var shared: Promise<Tracker.Tracked, Flaw>? =
        probe.take().propagatingCancellation(on: .immediate) { _ in _ = object }
      let child = shared?.then(on: .immediate) { _ in _ = object }
      if !isHeldToTheEnd { shared = nil }
      child?.requestCancel()
      #expect(probe.requestCount == 1)
      #expect((shared != nil) == isHeldToTheEnd)
    }
    #expect(tracker.count == 0)
  }
}
