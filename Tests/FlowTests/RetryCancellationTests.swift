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

  /// No closure for `until`, and one.
  private static let tests: [(@Sendable (Int) -> Bool)?] = [nil, { _ in true }]

  @Test("6.21 a request cancels a retry whose failed attempt waits for its context")
  func failedBefore() {
    let (executor, calls, conditions) = (ManualContext(), Counter(), Counter())
    let policy = Policy().onlyIf { _ in conditions.increment() > 0 }
    for isRight in Self.tests {
      let promise = Subject.retry(policy, on: executor.context, { _ in calls.failedAttempt() }, until: isRight)
      executor.runNext()
      #expect((promise.result, executor.count) == (nil, 1))
      promise.requestCancel()
      #expect(promise.result == .cancelled, "with until: \(isRight != nil)")
      executor.runAll()
    }
    #expect((calls.count, conditions.count) == (2, 0))
  }

  @Test("6.21 after a request, the failure of the attempt cancels the retry at once", arguments: [1, 2])
  func failsAfterwards(number: Int) {
    let executor = ManualContext()
    for isRight in Self.tests {
      let probe = Probe()
      let promise = Subject.retry(
        Policy(), on: executor.context, { $0 == number ? probe.take() : Subject(rejected: .first) }, until: isRight)
      executor.runAll()
      promise.requestCancel()
      #expect((promise.result, probe.requestCount) == (nil, 1))
      probe.resolver.reject(with: .first)
      #expect((promise.result, executor.count) == (.cancelled, 1), "with until: \(isRight != nil)")
      executor.runAll()
    }
  }

  @Test("6.21 a request inside an attempt cancels the retry when the attempt fails")
  func insideAttempt() {
    let (executor, retry, attempt) = (ManualContext(), Holder<Subject>(), Probe())
    retry.value = Subject.retry(on: executor.context) { _ in
      retry.value?.requestCancel()
      return attempt.take()
    }
    executor.runAll()
    #expect((retry.value?.result, attempt.requestCount) == (nil, 1))
    attempt.resolver.reject(with: .first)
    #expect(retry.value?.result == .cancelled)
    executor.runAll()
  }

  @Test("6.11 6.20 6.21 after a request, a value still counts", arguments: [false, true])
  func valueAfterwards(isRight: Bool) {
    let executor = ManualContext()
    let plain = Subject.retry(on: executor.context) { [probe] _ in probe.take() }
    let other = Probe()
    let tested = Subject.retry(Policy(), on: executor.context, { _ in other.take() }, until: { _ in isRight })
    executor.runAll()
    for (promise, probe) in [(plain, probe), (tested, other)] {
      promise.requestCancel()
      probe.resolver.fulfill(with: 7)
    }
    #expect((plain.result, tested.result) == (.value(7), nil), "the value is not tested before its turn")
    executor.runAll()
    #expect(tested.result == (isRight ? .value(7) : .cancelled))
  }

  @Test("6.21 a request cancels a retry that waits after a thousand attempts")
  func afterManyAttempts() async {
    let (executor, calls) = (ManualContext(), Counter())
    let promise = Subject.retry(Policy(attempts: .max), on: executor.context) { _ in calls.failedAttempt() }
    while calls.count < 1000 { executor.runNext() }
    // The turn of the step that follows the last attempt submits the next attempt.
    executor.runNext()
    #expect((calls.count, executor.count) == (1000, 1))
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    executor.runAll()
    #expect(calls.count == 1000)
  }

  @Test("6.5 a retry releases its closures when it ends, however it ends", arguments: Ending.allCases)
  func releases(ending: Ending) {
    let tracker = Tracker()
    let promise = Subject.retry(
      Policy().onlyIf(tracker.work { _ in true }).retryAfter(tracker.work { _ in nil }), on: .immediate,
      tracker.work { number in number < 3 ? Subject(rejected: .first) : Subject(with: ending.result(3, .second)) })
    #expect((promise.result, tracker.count) == (ending.result(3, .second), 0))
  }

  @Test("6.21 a request that races with the attempt's failure cancels the retry without its context")
  func racesWithFailure() async {
    await race(
      rounds: 1000,
      {
        let (executor, probe) = (ManualContext(), Probe())
        let promise = Subject.retry(on: executor.context) { _ in probe.take() }
        executor.runAll()
        return (executor: executor, probe: probe, promise: promise)
      },
      { $0.probe.resolver.reject(with: .first) }, { $0.promise.requestCancel() },
      check: { round in
        let result = round.promise.result
        round.executor.runAll()
        return result == .cancelled ? nil : "\(String(describing: result))"
      })
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
