import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The votes and requests of a retry.
@Suite(.inTurn) struct RetryCancellationTests {
  private let probe = Probe()

  @Test("6.5 a request ends a delay between attempts at once, and leaves no timer")
  func duringDelay() {
    let (clock, calls) = (TestClock(), Counter())
    let policy = Policy(backoff: .constant(.seconds(3600)))
    let promise = Subject.retry(policy, on: .immediate, clock: clock) { _ in calls.failedAttempt() }
    #expect(clock.sleeperCount == 1)
    promise.requestCancel()
    #expect((promise.result, clock.sleeperCount, calls.count) == (.cancelled, 0, 1))
  }

  @Test("21.14 a request or a missed deadline during the delay returns the retry")
  func budgetDuringDelay() async throws {
    let clock = TestClock()
    let budget = PromiseRetryBudget(minimum: 1, window: .seconds(86_400), clock: clock)
    var policy = Policy(backoff: .constant(.seconds(60)))
    policy.budget = budget
    let promise = Subject.retry(policy, on: .immediate, clock: clock) { _ in Subject(rejected: .first) }
    #expect(budget.takeRetry() == nil)
    let final = Subject.retry(policy, on: .immediate, clock: clock) { _ in Subject(rejected: .second) }
    #expect((final.result, clock.sleeperCount) == (.error(.second), 1), "no delay before the last error")
    promise.requestCancel()
    #expect(budget.takeRetry() != nil)

    let task = Task { [policy] in try await withRetry(policy, clock: clock) { _ throws(Refusal) in throw .first } }
    await clock.waitForSleepers(1)
    #expect(budget.takeRetry() == nil)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(budget.takeRetry() != nil)

    policy.deadline = .seconds(61)
    let pause = PromisePause()
    let here = PromiseContext.immediate.paused(by: pause)
    let late = Subject.retry(policy, on: here, clock: clock) { _ in Subject(rejected: .third) }
    pause.suspend()
    tick(clock, by: .seconds(62))
    #expect(budget.takeRetry() == nil)
    pause.resume()
    #expect(late.result == .error(.third))
    #expect(budget.takeRetry() != nil)
  }

  @Test("3.6 6.12 after a thousand immediate attempts the call returns, and a request ends the retry")
  func withoutEnd() async throws {
    let calls = Counter()
    @Sendable func retry(attempts: Int) -> Subject {
      Subject.retry(Policy(attempts: attempts), on: .immediate) { _ in calls.failedAttempt() }
    }
    #expect((retry(attempts: 1000).result, calls.count) == (.error(.first), 1000))
    let results = try await onOwnThread("two calls to return whose attempts go on") {
      // A thread that returns twice between attempts is enough under a sanitizer, which slows each attempt down.
      let (endless, long) = (retry(attempts: .max), retry(attempts: isSanitized ? 2001 : 10_001))
      endless.requestCancel()
      return [endless, long].map { $0.waitForResult(timeout: .seconds(20)) }
    }
    #expect(results == [.cancelled, .error(.first)])
  }

  @Test(
    "3.6 6.5 6.11 a request reaches the running attempt, whose value counts, and prevents further attempts",
    arguments: [1, 2, 30], Ending.allCases)
  func duringAttempt(number: Int, ending: Ending) {
    let calls = Counter()
    let promise = Subject.retry(Policy(attempts: 99), on: .immediate) { [probe] in
      calls.increment()
      return $0 == number ? probe.take() : Subject(rejected: .first)
    }
    promise.requestCancel()
    #expect(probe.requestCount == 1)
    #expect(promise.result == nil, "the attempt has not complied yet")
    probe.resolver.resolve(with: ending.result(7, .first))
    #expect((promise.result, calls.count) == (ending == .value ? .value(7) : .cancelled, number))
  }

  @Test("6.5 a request inside or between attempts prevents the next attempt", arguments: [false, true])
  func betweenAttempts(isInside: Bool) {
    let (executor, calls, retry) = (ManualContext(), Counter(), Holder<Subject>())
    retry.value = Subject.retry(on: executor.context) { _ in
      calls.increment()
      if isInside { retry.value?.requestCancel() }
      return Subject(rejected: .first)
    }
    executor.runNext()
    #expect(calls.count == 1)
    if !isInside { retry.value?.requestCancel() }
    executor.runAll()
    #expect((retry.value?.result, calls.count) == (.cancelled, 1))
  }

  @Test("6.5 a retry releases its closures when it ends, however it ends", arguments: Ending.allCases)
  func releases(ending: Ending) {
    let tracker = Tracker()
    let promise = Subject.retry(
      Policy().onlyIf(tracker.work { _ in true }).retryAfter(tracker.work { _ in nil }), on: .immediate,
      tracker.work { number in number < 3 ? Subject(rejected: .first) : Subject(with: ending.result(3, .second)) })
    #expect((promise.result, tracker.count) == (ending.result(3, .second), 0))
  }

  @Test("6.5 a request that races with attempts ends the retry once, without later attempts")
  func races() async {
    await race(
      rounds: 500,
      {
        let (executor, begun, ended) = (ManualContext(), Counter(), Counter())
        let promise = Subject.retry(Policy(attempts: 50), on: executor.context) { _ in begun.failedAttempt() }
        promise.tap(on: .immediate) { _ in ended.increment() }
        return (executor: executor, begun: begun, ended: ended, promise: promise)
      },
      { _ = $0.executor.runAll() }, { $0.promise.requestCancel() },
      check: { round in
        let (begun, isOver) = (round.begun.count, round.promise.result != nil)
        round.executor.runAll()
        guard round.ended.count == 1, let result = round.promise.result else {
          return "ended \(round.ended.count) times"
        }
        if isOver, round.begun.count > begun { return "an attempt began afterwards" }
        return result == .cancelled || result == .error(.first) ? nil : "\(result)"
      })
  }
}
