import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Retries until a value is right.
@Suite(.inTurn) struct RetryUntilTests {
  private let clock = TestClock()

  /// The retry of both forms, whose attempts end at once.
  private func results(
    _ policy: Policy, _ results: [PromiseResult<Int, Refusal>], until isRight: @escaping @Sendable (Int) -> Bool
  ) async -> [PromiseResult<Int, Refusal>?] {
    let calls = Counter()
    let promise = Subject.retry(policy, on: .immediate) { number in
      calls.increment()
      return Subject(with: results[number - 1])
    } until: {
      isRight($0)
    }
    let first = calls.count
    let plain = Promise<Int, any Error> {
      try await withRetry(policy) { number throws(Refusal) in
        calls.increment()
        switch results[number - 1] {
        case .error(let error): throw error
        case let result: return result.value ?? 0
        }
      } until: {
        isRight($0)
      }
    }.mapError { $0 as? Refusal ?? .second }
    let outcome = await plain.outcome()
    #expect(calls.count == 2 * first)
    return [promise.result, outcome]
  }

  @Test(
    "6.20 20.9 attempts continue while their values are not right and the policy allows one",
    arguments: [
      ([.value(1), .value(2), .value(7)], 5, .value(7)),
      // The result of the last attempt is final, whatever the earlier results are.
      ([.value(1), .value(2), .value(3)], 3, .value(3)),
      ([.error(.first), .value(2)], 2, .value(2)),
      ([.value(1), .error(.first)], 2, .error(.first)),
      ([.value(1)], 1, .value(1)),
      ([.value(7)], 3, .value(7)),
    ] as [([PromiseResult<Int, Refusal>], Int, PromiseResult<Int, Refusal>)])
  func attempts(_ list: [PromiseResult<Int, Refusal>], _ count: Int, _ expected: PromiseResult<Int, Refusal>) async {
    #expect(await results(Policy(attempts: count), list) { $0 == 7 } == [expected, expected])
  }

  @Test("6.20 20.9 the conditions and the advice for errors do not apply to values")
  func conditions() async {
    let policy = Policy().onlyIf { _ in false }.retryAfter { _ in .seconds(3600) }
    #expect(await results(policy, [.value(1), .value(7)]) { $0 == 7 } == [.value(7), .value(7)])
    #expect(await results(policy, [.value(1), .error(.first)]) { $0 == 7 } == [.error(.first), .error(.first)])
  }

  @Test("6.20 after another value, the backoff delays the next attempt, which begins before the deadline")
  func delays() {
    let calls = Counter()
    let policy = Policy(attempts: .max, backoff: .constant(.seconds(2)), deadline: .seconds(5))
    let promise = Subject.retry(policy, on: .immediate, clock: clock) { number in
      calls.increment()
      return Subject(fulfilled: number)
    } until: { _ in
      false
    }
    for count in 1...2 {
      #expect((promise.result, calls.count) == (nil, count))
      tick(clock, by: .seconds(2))
    }
    #expect((promise.result, calls.count, clock.sleeperCount) == (.value(3), 3, 0))
  }

  @Test("6.20 a request ends the delay, and cancels the retry after another value")
  func requests() {
    let (probe, calls) = (Probe(), Counter())
    func poll() -> Subject {
      Subject.retry(Policy(backoff: .constant(.seconds(2))), on: .immediate, clock: clock) { number in
        calls.increment()
        return number == 1 ? Subject(fulfilled: 1) : probe.take()
      } until: {
        $0 == 7
      }
    }
    let delayed = poll()
    delayed.requestCancel()
    #expect((delayed.result, calls.count, clock.sleeperCount) == (.cancelled, 1, 0))
    let running = poll()
    tick(clock, by: .seconds(2))
    running.requestCancel()
    #expect((running.result, probe.requestCount) == (nil, 1))
    probe.resolver.fulfill(with: 2)
    tick(clock, by: .seconds(2))
    #expect((running.result, calls.count) == (.cancelled, 3))
  }

  @Test("6.20 a cancelled attempt is not followed by another, whatever the closure")
  func cancelled() {
    let promise = Subject.retry(on: .immediate) { _ in
      Subject(with: .cancelled)
    } until: { _ in
      false
    }
    #expect(promise.result == .cancelled)
  }

  @Test("6.12 6.20 the closure runs on the context of the retry")
  func context() async {
    let queue = MarkedQueue()
    let promise = Subject.retry(on: queue.context) { number in
      Subject(on: .utility, fulfilled: number, after: .zero)
    } until: { value in
      #expect(queue.isCurrent)
      return value == 3
    }
    #expect(await promise.outcome() == .value(3))
  }

  @Test("6.20 7.8 while a pause is suspended, no value is examined")
  func paused() {
    let (pause, probe, calls) = (PromisePause(), Probe(), Counter())
    let promise = Subject.retry(on: .immediate.paused(by: pause)) { _ in
      probe.take()
    } until: { _ in
      calls.increment() > 0
    }
    pause.suspend()
    probe.resolver.fulfill(with: 1)
    #expect((promise.result, calls.count) == (nil, 0))
    pause.resume()
    #expect(waitUntil { promise.result == .value(1) })
    #expect(calls.count == 1)
  }

  @Test("6.12 6.20 100,000 attempts with other values use no stack")
  func many() async throws {
    let count = scaled(100_000)
    let result = try await onSmallStack {
      Subject.retry(Policy(attempts: count), on: .immediate) { number in
        Subject(fulfilled: number)
      } until: { _ in
        false
      }.waitForResult(timeout: .seconds(60))
    }
    #expect(result == .value(count))
  }

  @Test("20.9 when the task is cancelled, the value of the running attempt is final")
  func cancelledTask() async throws {
    let calls = Counter()
    let task = Task {
      try await withRetry { number in
        calls.increment()
        cancelCurrentTask()
        return number
      } until: { _ in
        false
      }
    }
    #expect(try await task.value == 1)
    #expect(calls.count == 1)
  }

  @Test("20.9 21.14 only a right value adds to the budget, and further attempts take retries")
  func budget() async throws {
    let budget = PromiseRetryBudget(ratio: 1, minimum: 2, clock: clock)
    var policy = Policy(attempts: 9)
    policy.budget = budget
    let promise = Subject.retry(policy, on: .immediate) {
      Subject(fulfilled: $0)
    } until: { _ in
      false
    }
    #expect(promise.result == .value(3))
    #expect(
      try await withRetry(policy) { number throws(Refusal) in
        number
      } until: { _ in
        false
      } == 1)
    #expect(budget.takeRetry() == nil)
    _ = Subject.retry(policy, on: .immediate) {
      Subject(fulfilled: $0)
    } until: {
      $0 == 1
    }
    let retries = (0..<2).map { _ in budget.takeRetry() }
    #expect(retries.map { $0 != nil } == [true, false])
  }

  @Test("6.20 8.12 an async attempt on an actor is repeated until its value is right")
  func async() async {
    let task = await Desk().poll()
    #expect(await task.outcome()?.value == 3)
  }

  private actor Desk {
    private var count = 0

    func poll() -> Promise<Int, any Error> {
      Promise.retry(PromiseRetryPolicy(attempts: .max)) { _ in
        self.count += 1
        await Task.yield()
        return self.count
      } until: {
        $0 == 3
      }
    }
  }
}
