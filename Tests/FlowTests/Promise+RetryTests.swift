import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

@Suite(.heavy) struct RetryTests {
  private let calls = Counter()
  private let clock = TestClock()

  private static func failing(_ number: Int) -> Subject { Subject(rejected: .first) }

  // MARK: Attempts

  @Test(
    "6.5 6.7 attempts continue while they fail, attempts are left and the policy allows one",
    arguments: [
      // The first fulfilled attempt ends the retry. If none is fulfilled, the last error is the result.
      (Policy(attempts: 5), [.error(.first), .error(.first), .value(3)], 3),
      (Policy(), [.error(.first), .error(.second), .error(.third)], 3),
      (Policy(attempts: 50), [.error(.first)], 50),
      // An error that is not worth a retry is final, and so is a cancellation.
      (Policy(attempts: 9).onlyIf { $0 == .first }, [.error(.first), .error(.second)], 2),
      (Policy(), [.cancelled], 1),
      // The first attempt starts whatever the deadline is.
      (Policy(deadline: .seconds(-1)), [.value(1)], 1),
    ] as [(Policy, [PromiseResult<Int, Refusal>], Int)])
  func attempts(policy: Policy, results: [PromiseResult<Int, Refusal>], count: Int) {
    let numbers = Recorder<Int>()
    let promise = Subject.retry(policy, on: .immediate, clock: clock) { number in
      numbers.record(number)
      return Subject(with: results[min(number, results.count) - 1])
    }
    #expect((promise.result, numbers.entries) == (results.last, Array(1...count)))
    #expect(clock.sleeperCount == 0)
  }

  @Test("6.5 the failure type of a retry need not be an Error")
  func plainFailure() {
    #expect(Promise<Int, String>.retry(on: .immediate) { _ in Promise(rejected: "no") }.result == .error("no"))
  }

  @Test(
    "6.5 100,000 attempts that fail at once use no stack and retain nothing",
    arguments: [true, false], [true, false])
  func many(rejected: Bool, onQueue: Bool) async throws {
    let (tracker, most, queue, elsewhere) = (Tracker(), Maximum(), MarkedQueue(), Counter())
    let count = scaled(onQueue ? 20_000 : 100_000)
    let result = try await onSmallStack { [calls] in
      Subject.retry(Policy(attempts: count), on: onQueue ? queue.context : .immediate) { _ in
        let tracked = tracker.make()
        most.record(tracker.count)
        calls.increment()
        if queue.isCurrent != onQueue { elsewhere.increment() }
        if rejected { return Subject(rejected: .second) }
        return Subject(rejected: .first).mapError(on: .immediate) { error in
          withExtendedLifetime(tracked) { _ = error }
          return .second
        }
      }.waitForResult(timeout: .seconds(60))
    }
    #expect((result, calls.count, elsewhere.count) == (.error(.second), count, 0))
    #expect(most.value <= 100)
    // The thread of the last attempt may still be running it.
    #expect(waitUntil { tracker.count == 0 })
  }

  // MARK: Contexts

  @Test("6.5 a success is available inside the call that fulfils the attempt")
  func noDelay() {
    let executor = ManualContext()
    let (attempt, resolver) = Subject.makeWithResolver()
    let promise = Subject.retry(on: executor.context) { _ in attempt }
    #expect(executor.runAll() == 1)
    resolver.fulfill(with: 7)
    #expect((promise.result, executor.count) == (.value(7), 0))
  }

  @Test("6.5 6.12 attempts and the policy's closures run on the context, even after a delay")
  func runsOnContext() async {
    let (queue, places) = (MarkedQueue(), Recorder<Bool>())
    @Sendable func here<T>(_ result: T) -> T {
      places.record(queue.isCurrent)
      return result
    }
    let policy = Policy(attempts: 2, backoff: PromiseRetryBackoff { _ in here(.seconds(1)) })
      .onlyIf { _ in here(true) }.retryAfter { _ in here(nil) }
    let promise = Subject.retry(policy, on: queue.context, clock: clock) { _ in
      here(Subject(on: .utility, rejected: .first, after: .zero))
    }
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(1))
    #expect(await promise.outcome() == .error(.first))
    #expect(places.entries == [true, true, true, true, true])
  }

  @Test("6.5 with nowOr, the first attempt begins inside the call")
  func nowOr() {
    let executor = ManualContext()
    let promise = Subject.retry(on: .nowOr(executor.context)) { Subject(fulfilled: $0) }
    #expect(promise.result == .value(1))
  }

  @Test("6.5 an executor that drops an attempt after the first one cancels the retry")
  func dropped() {
    let (tracker, executor) = (Tracker(), ManualContext())
    let promise = Subject.retry(on: executor.context, tracker.work { _ in Subject(rejected: .first) })
    executor.runNext()
    executor.dropAll()
    #expect((promise.result, tracker.count) == (.cancelled, 0))
  }

  // MARK: Delays

  @Test("6.5 delays follow the backoff on the given clock, with the given generator's jitter")
  func delays() {
    let times = Recorder<Duration>()
    let backoff = PromiseRetryBackoff.exponential(.seconds(4)).jittered(0.5...1)
    let promise = Subject.retry(
      Policy(attempts: 4, backoff: backoff), on: .immediate, clock: clock, generator: SeededGenerator(seed: 5)
    ) { _ in
      times.record(clock.now.offset)
      return Subject(rejected: .first)
    }
    var (expected, generator) = ([Duration.zero], SeededGenerator(seed: 5))
    for attempt in 1...3 {
      let delay = backoff.delay(after: attempt, using: &generator)
      expected.append((expected.last ?? .zero) + delay)
      clock.advance(by: delay - .nanoseconds(1))
      #expect(times.entries.count == attempt)
      clock.advance(by: .nanoseconds(1))
    }
    #expect((promise.result, times.entries) == (.error(.first), expected))
  }

  @Test("6.4 the continuous clock is the default")
  func continuousClock() async {
    let start = ContinuousClock.now
    let policy = Policy(attempts: 2, backoff: .constant(.milliseconds(5)))
    #expect(await Subject.retry(policy, on: .immediate, Self.failing).outcome() == .error(.first))
    #expect(ContinuousClock.now - start >= .milliseconds(5))
  }

  // MARK: The deadline

  @Test("6.5 a delay that would end after the deadline is not begun")
  func deadline() {
    let policy = Policy(attempts: 9, backoff: .exponential(.seconds(2)), deadline: .seconds(10))
    let promise = Subject.retry(policy, on: .immediate, clock: clock) { _ in calls.failedAttempt() }
    // Attempts at 0, 2 and 6 seconds; the next would be at 14.
    clock.advance(by: .seconds(2))
    #expect(promise.result == nil)
    clock.advance(by: .seconds(4))
    #expect((promise.result, calls.count, clock.sleeperCount) == (.error(.first), 3, 0))
  }

  @Test("6.5 an attempt whose turn comes after the deadline does not begin")
  func busyContext() {
    let executor = ManualContext()
    let policy = Policy(attempts: 9, backoff: .constant(.seconds(2)), deadline: .seconds(10))
    let promise = Subject.retry(policy, on: executor.context, clock: clock) { _ in calls.failedAttempt() }
    executor.runAll()
    clock.advance(by: .seconds(10))
    #expect((promise.result, calls.count) == (nil, 1))
    executor.runAll()
    #expect((promise.result, calls.count) == (.error(.first), 1))
  }

  @Test("6.5 6.10 an attempt that is running at the deadline continues, and its result counts")
  func inFlight() async {
    let probe = Probe()
    let promise = Subject.retry(Policy(deadline: .seconds(1)), on: .immediate, clock: clock) { _ in probe.take() }
    await clock.advance(by: .seconds(5))
    #expect((promise.result, probe.requestCount) == (nil, 0))
    probe.resolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }
}
