import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

/// The samples and the statements of the guides of this module.
@Suite(.inTurn, .expectsIssues) struct TestingGuideTests {
  @Test(.checkedPromises) func aReminderComesAfterAMinute() {
    let clock = TestClock()
    let context = ManualContext()
    let reminder = Reminder(after: .seconds(60), on: context.context, clock: clock)

    clock.advance(by: .seconds(60))  // the time is up, and the callback is queued
    expectPending(reminder.text)
    context.runAll()  // now it has run
    #expect(expectFulfilled(reminder.text) == "tea")
  }

  @Test("6.4 16.4 the test controls the time of a chain and the turns of callbacks")
  func time() {
    do {
      let clock = TestClock()
      let tea = Kettle(clock: clock, context: .immediate).boil()
      clock.advance(by: .seconds(239))
      expectPending(tea)
      clock.advance(by: .seconds(1))
      expectFulfilled(tea)
    }
    do {
      let clock = TestClock()
      let tea = Promise<String, Never>(on: .immediate, fulfilled: "tea", after: .seconds(240), clock: clock)
      clock.advance(by: .seconds(239))
      expectPending(tea)
      clock.advance(by: .seconds(1))
      expectFulfilled(tea)
    }
    let context = ManualContext()
    let doubled = Promise<Int, Never>(fulfilled: 21).map(on: context.context) { $0 * 2 }
    expectPending(doubled)
    context.runNext()
    expectFulfilled(doubled)  // 42
  }

  @Test("6.4 16.16 a sleeping task wakes whenever it begins to sleep")
  func nap() async throws {
    let clock = TestClock()
    let nap = Task { try await clock.sleep(for: .seconds(600)) }
    try await clock.run { try await nap.value }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>) func bothSidesMeet(seed: UInt64) {
    let context = ManualContext(shuffledBy: seed)
    let (left, right) = (Side(on: context.context), Side(on: context.context))
    let meeting = when(fulfilled: left.walk(), right.walk())
    context.runAll()
    expectFulfilled(meeting)
  }

  @Test("16.8 the test waits for an answer from elsewhere")
  func results() async {
    func ask(_ question: String) -> Promise<String, Never> { Promise(on: .utility) { $0.fulfill(with: "late") } }
    let answer = await expectFulfilled(ask("What is the time?"), within: .seconds(60))
    #expect(answer == "late")
  }

  @Test("16.9 an error that no code reads, even a thrown one, fails the test")
  func leaks() {
    let message = "a promise was rejected, and no code read the error"
    expectIssue(message) {
      withPromiseChecks {
        let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
        promise.then(on: .immediate) { print($0) }
        resolver.reject(with: NoAnswer())
      }
      // a promise was rejected, and no code read the error; it was made at Tests/QuestionTests.swift:12
    }
    expectIssue(message) {
      withPromiseChecks {
        let answer = Promise<Int, any Error>(on: .immediate) { _ in throw NoAnswer() }
        answer.then(on: .immediate) { print($0) }
      }
      // fails the test: a promise was rejected, and no code read the error; it was made at Tests/QuestionTests.swift:12
    }
  }

  @Test("6.4 a scheduling clock resolves promises inside its actions and cancels unneeded timers")
  func schedulingClock() async throws {
    let loop = EventLoop()
    let clock = LoopClock(loop: loop)
    let promises = (1...2).map {
      Promise<Int, Never>(on: .immediate, fulfilled: $0, after: .seconds($0), clock: clock)
    }
    let actions = loop.timers.entries.map(\.action)
    #expect(actions.count == 2)
    promises[1].requestCancel()
    #expect(actions[1].value == nil)
    actions[0].value?()
    #expect(expectFulfilled(promises[0]) == 1)
    try await clock.sleep(until: .now, tolerance: nil)
  }
}

// MARK: - Samples that are declarations

private struct Kettle {
  var clock: any Clock<Duration> = ContinuousClock()
  var context = PromiseContext.utility

  func boil() -> Promise<String, any Error> {
    Promise(on: context, fulfilled: "tea", after: .seconds(240), clock: clock)
      .timeout(on: context, .seconds(300), clock: clock)
  }
}

private struct LoopClock: PromiseSchedulingClock {
  let loop: EventLoop
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .milliseconds(1) }

  func schedule(
    at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let timer = loop.addTimer(at: deadline, action)
    return { timer.cancel() }
  }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await Task.sleep(until: deadline, tolerance: tolerance, clock: .continuous)
  }
}

// MARK: - Stand-ins

private final class EventLoop: Sendable {
  let timers = Recorder<LoopTimer>()

  func addTimer(at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> LoopTimer {
    let timer = LoopTimer(action: Holder(action))
    timers.record(timer)
    return timer
  }
}

private struct LoopTimer: Sendable {
  let action: Holder<@Sendable () -> Void>

  func cancel() { action.value = nil }
}

private struct NoAnswer: Error {}

private struct Reminder {
  let text: Promise<String, Never>

  init(after delay: Duration, on context: PromiseContext, clock: TestClock) {
    text = Promise(on: context, fulfilled: "tea", after: delay, clock: clock)
  }
}

private struct Side {
  private let context: PromiseContext

  init(on context: PromiseContext) { self.context = context }

  func walk() -> Promise<Int, Never> {
    Promise(fulfilled: 0).map(on: context) { $0 + 1 }.map(on: context) { $0 + 1 }
  }
}
