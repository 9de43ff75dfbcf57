import OvermorrowTesting
import Testing

@testable import Overmorrow

/// How a retry takes part in cancellation.
@Suite(.inTurn) struct RetryCancellationTests {
  private let probe = CancelProbe<Int, Refusal>()

  @Test("6.5 a request ends a pause at once, and leaves no timer")
  func duringPause() async {
    let clock = TestClock()
    let calls = Counter()
    let promise = Subject.retry(Policy(backoff: .constant(.seconds(3600))), on: .immediate, clock: clock) { _ in
      calls.increment()
      return Subject(rejected: .first)
    }
    await clock.waitForSleepers(1)
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    await clock.waitForSleepers(0)
    #expect(calls.count == 1)
  }

  @Test("3.6 6.12 a thousand attempts that fail at once run inside the call; then it returns, and a request ends them")
  func withoutEnd() async throws {
    let calls = Counter()
    @Sendable func retry(attempts: Int) -> Subject {
      Subject.retry(Policy(attempts: attempts), on: .immediate) { _ in
        calls.increment()
        return Subject(rejected: .first)
      }
    }
    #expect((retry(attempts: 1000).result, calls.count) == (.error(.first), 1000))
    let results = try await onOwnThread("two calls to return whose attempts go on") {
      let (endless, long) = (retry(attempts: .max), retry(attempts: 10_001))
      endless.requestCancel()
      return [endless, long].map { $0.waitForResult(timeout: .seconds(20)) }
    }
    #expect(results == [.cancelled, .error(.first)])
  }

  @Test("3.6 a request goes to the attempt on its way, whichever it is", arguments: [1, 2, 30])
  func duringAttempt(number: Int) {
    let promise = Subject.retry(Policy(attempts: 99), on: .immediate) {
      $0 == number ? probe.take() : Subject(rejected: .first)
    }
    promise.requestCancel()
    #expect(probe.requestCount == 1)
    #expect(promise.result == nil, "the attempt has not complied yet")
    probe.resolver.cancel()
    #expect(promise.result == .cancelled)
  }

  @Test("3.6 6.11 a request is a vote: an attempt that others wait for is not cancelled")
  func vote() {
    let sibling = probe.promise.makeChild()
    let promise = Subject.retry(on: .immediate) { _ in probe.take() }
    promise.requestCancel()
    #expect(probe.requestCount == 0)
    sibling.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("3.6 a child's request reaches the attempt when the retry's own handle is gone")
  func throughChild() {
    let child = Subject.retry(on: .immediate) { _ in probe.take() }.map(on: .immediate) { $0 }
    child.requestCancel()
    #expect(probe.requestCount == 1)
  }

  @Test("6.5 6.11 an attempt that fails although it was asked to cancel is not tried again: the retry is cancelled")
  func failsAfterRequest() {
    let calls = Counter()
    let promise = Subject.retry(on: .immediate) { _ in
      calls.increment()
      return probe.take()
    }
    promise.requestCancel()
    probe.resolver.reject(with: .first)
    #expect(promise.result == .cancelled)
    #expect(calls.count == 1)
  }

  @Test("6.5 6.11 an attempt that succeeds although it was asked to cancel counts")
  func succeedsAfterRequest() {
    let promise = Subject.retry(on: .immediate) { _ in probe.take() }
    promise.requestCancel()
    probe.resolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  @Test("6.5 a request before the first attempt cancels at once, and releases the closure unrun")
  func beforeFirst() {
    let (tracker, executor, calls) = (Tracker(), ManualContext(), Counter())
    let promise = {
      let tracked = tracker.make()
      return Subject.retry(on: executor.context) { _ in
        withExtendedLifetime(tracked) { _ = calls.increment() }
        return Subject(fulfilled: 1)
      }
    }()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    #expect(tracker.count == 0)
    executor.runAll()
    #expect(calls.count == 0)
  }

  @Test("6.5 a request between two attempts, while the context is busy, keeps the next one from beginning")
  func betweenAttempts() {
    let (executor, calls) = (ManualContext(), Counter())
    let promise = Subject.retry(on: executor.context) { _ in
      calls.increment()
      return Subject(rejected: .first)
    }
    executor.runNext()
    #expect(calls.count == 1)
    promise.requestCancel()
    executor.runAll()
    #expect(promise.result == .cancelled)
    #expect(calls.count == 1)
  }

  @Test("6.5 a request from inside an attempt keeps the next one from beginning")
  func fromInside() {
    let (holder, calls) = (Holder<Subject>(), Counter())
    let executor = ManualContext()
    holder.value = Subject.retry(on: executor.context) { _ in
      calls.increment()
      holder.value?.requestCancel()
      return Subject(rejected: .first)
    }
    executor.runAll()
    #expect(holder.value?.result == .cancelled)
    #expect(calls.count == 1)
  }

  @Test("6.5 what a retry was given goes when it is over, however it ends", arguments: Ending.allCases)
  func releases(ending: Ending) {
    let tracker = Tracker()
    let promise = {
      let (first, second, third) = (tracker.make(), tracker.make(), tracker.make())
      let policy = Policy().onlyIf { _ in withExtendedLifetime(first) { true } }
        .retryAfter { _ in withExtendedLifetime(second) { nil } }
      return Subject.retry(policy, on: .immediate) { number in
        withExtendedLifetime(third) {
          number < 3 ? Subject(rejected: .first) : Subject(with: ending.result(3, .second))
        }
      }
    }()
    #expect(promise.result == ending.result(3, .second))
    #expect(tracker.count == 0)
  }

  @Test("6.5 a request that races with attempts and pauses ends the retry once, and none begins after it is over")
  func races() async {
    struct Round: Sendable {
      let promise: Subject
      let executor: ManualContext
      let begun = Counter()
      let ended = Counter()
    }
    await race(rounds: 500) { () -> Round in
      let (executor, begun) = (ManualContext(), Counter())
      let promise = Subject.retry(Policy(attempts: 50), on: executor.context) { _ in
        begun.increment()
        return Subject(rejected: .first)
      }
      let round = Round(promise: promise, executor: executor)
      promise.tap(on: .immediate) { _ in round.ended.increment() }
      return round
    } _: { round in
      _ = round.executor.runAll()
    } _: { round in
      round.promise.requestCancel()
    } check: { round in
      round.executor.runAll()
      guard round.ended.count == 1, let result = round.promise.result else { return "ended \(round.ended.count) times" }
      return result == .cancelled || result == .error(.first) ? nil : "\(result)"
    }
  }
}
