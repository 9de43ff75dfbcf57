import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// A retry in the caller's own task.
@Suite(.inTurn) struct WithRetryTests {
  private let clock = TestClock()

  /// State that is not `Sendable`.
  private final class Notes {
    var attempts: [Int] = []
  }

  private actor Desk {
    private let notes = Notes()

    func write(_ clock: TestClock) async throws -> [Int] {
      let same = try await withRetry(PromiseRetryPolicy(attempts: 3), clock: clock) { number in
        self.preconditionIsolated()
        notes.attempts.append(number)
        await Task.yield()
        self.preconditionIsolated()
        if number < 3 { throw Refusal.first }
        return notes
      }
      return same.attempts
    }
  }

  @Test("20.6 the first attempt that succeeds gives the value, and the last one the error")
  func outcomes() async throws {
    let calls = Counter()
    let value = try await withRetry(Policy(attempts: 3)) { number throws(Refusal) in
      if calls.increment() < 3 { throw .first }
      return number
    }
    #expect((value, calls.count) == (3, 3))
    await #expect(throws: Refusal.second) {
      try await withRetry(Policy(attempts: 3)) { number throws(Refusal) in
        calls.increment()
        throw number == 3 ? .second : .first
      }
    }
    #expect(calls.count == 6)
    await #expect(throws: Refusal.first) {
      try await withRetry(Policy().onlyIf { $0 != .first }) { _ throws(Refusal) in
        calls.increment()
        throw .first
      }
    }
    #expect(calls.count == 7)
  }

  @Test("20.7 attempts run in the caller's task, on its actor, with non-Sendable values")
  func isolation() async throws {
    #expect(try await Desk().write(clock) == [1, 2, 3])
    let task = currentTaskNumber()
    let notes = Notes()
    var count = 0
    let same = try await withRetry { number in
      #expect(currentTaskNumber() == task)
      notes.attempts.append(number)
      count += 1
      return notes
    }
    #expect((same === notes, same.attempts, count) == (true, [1], 1))
  }

  @Test("20.8 when the task is cancelled, a delay ends at once and no attempt begins")
  func cancelledDelay() async {
    let calls = Counter()
    let task = Task { [clock] in
      try await withRetry(Policy(backoff: .constant(.seconds(3600))), clock: clock) { _ throws(Refusal) in
        calls.increment()
        throw .first
      }
    }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((calls.count, clock.sleeperCount) == (1, 0))
  }

  @Test("20.8 when the task is cancelled during an attempt, its result is final")
  func cancelledAttempt() async throws {
    let calls = Counter()
    func retry(_ outcome: Result<Int, Refusal>) async -> Result<Int, any Error> {
      await Task {
        try await withRetry(Policy()) { _ throws(Refusal) in
          calls.increment()
          cancelCurrentTask()
          return try outcome.get()
        }
      }.result
    }
    #expect(try await retry(.success(7)).get() == 7)
    #expect(await #expect(throws: Refusal.self) { try await retry(.failure(.first)).get() } == .first)
    #expect(calls.count == 2)
  }

  @Test("20.8 after a cancellation or a CancellationError, no attempt begins")
  func cancellation() async {
    let calls = Counter()
    await #expect(throws: CancellationError.self) {
      try await Task {
        cancelCurrentTask()
        try await withRetry { _ in _ = calls.increment() }
      }.value
    }
    #expect(calls.count == 0)
    await #expect(throws: CancellationError.self) {
      try await withRetry { _ in
        calls.increment()
        throw CancellationError()
      }
    }
    #expect(calls.count == 1)
  }

  /// What a retry has done: the times of its attempts, and its result.
  private struct Log: Equatable {
    var times: [Duration]
    var result: PromiseResult<Int, Refusal>?
  }

  @Test("20.6 20.9 21.14 withRetry and Promise.retry begin the same attempts at the same times, in random programs")
  func model() async {
    var generator = SeededGenerator(seed: 43)
    for round in 0..<scaled(20_000) / 20 {
      let policy = Self.policy(using: &generator)
      let minimum = Int.random(in: -2...5, using: &generator)
      let policies = { @Sendable (clock: TestClock) in
        var limited = policy
        if minimum >= 0 {
          limited.budget = PromiseRetryBudget(minimum: minimum, window: .milliseconds(1500), clock: clock)
        }
        return limited
      }
      let (successes, seed) = (Int.random(in: 1...8, using: &generator), UInt64.random(in: 0...99, using: &generator))
      // The remainder of the attempts whose values are not right.
      let other = Int.random(in: 1...3, using: &generator)
      let promise = await log { clock, attempt in
        Subject.retry(policies(clock), on: .immediate, clock: clock, generator: SeededGenerator(seed: seed)) { number in
          attempt()
          if number % 3 == other { return Subject(fulfilled: -number) }
          return number == successes
            ? Subject(fulfilled: number) : Subject(rejected: number % 3 == 0 ? .second : .first)
        } until: {
          $0 > 0
        }
      }
      let plain = await log { clock, attempt in
        Promise<Int, any Error> {
          try await withRetry(policies(clock), clock: clock, generator: SeededGenerator(seed: seed)) {
            number throws(Refusal) in
            attempt()
            if number % 3 == other { return -number }
            if number == successes { return number }
            throw number % 3 == 0 ? .second : .first
          } until: {
            $0 > 0
          }
        }.mapError { $0 as? Refusal ?? .second }
      }
      #expect(plain == promise, "round \(round): \(policy), budget \(minimum)")
      if plain != promise { return }
    }
  }

  private func log(_ run: (TestClock, @escaping @Sendable () -> Void) -> Subject) async -> Log {
    let (clock, times) = (TestClock(), Recorder<Duration>())
    let promise = run(clock) { times.record(clock.now.offset) }
    while !promise.isResolved {
      await until("an attempt to end or to be delayed") { clock.sleeperCount == 1 || promise.isResolved }
      clock.advanceToNext()
    }
    return Log(times: times.entries, result: promise.result)
  }

  private static func policy(using generator: inout SeededGenerator) -> Policy {
    let first = Duration.milliseconds(Int.random(in: 0...400, using: &generator))
    var backoff =
      [PromiseRetryBackoff.none, .constant(first), .exponential(first, factor: 1.5)]
      .randomElement(using: &generator) ?? .none
    if Bool.random(using: &generator) { backoff = backoff.jittered(0.5...1) }
    if Bool.random(using: &generator) { backoff = backoff.capped(at: .milliseconds(600)) }
    var policy = Policy(attempts: .random(in: 1...6, using: &generator), backoff: backoff)
    if Bool.random(using: &generator) { policy.deadline = .milliseconds(Int.random(in: 0...2000, using: &generator)) }
    if Bool.random(using: &generator) { policy = policy.onlyIf { $0 == .first } }
    if Bool.random(using: &generator) { policy = policy.retryAfter { $0 == .second ? .milliseconds(700) : nil } }
    return policy
  }

  @Test("20.8 a cancellation that races with attempts and delays ends the retry once")
  func races() async {
    for _ in 0..<scaled(20_000) / 20 {
      let (clock, begun, calls) = (TestClock(), Latch(), Counter())
      let task = Task {
        try await withRetry(Policy(attempts: .max, backoff: .constant(.seconds(1))), clock: clock) {
          _ throws(Refusal) in
          calls.increment()
          begun.signal()
          throw .first
        }
      }
      await begun.wait(for: "the first attempt")
      async let advanced: Void = { @Sendable () async in tick(clock, by: .seconds(2)) }()
      task.cancel()
      await advanced
      _ = await task.result
      let count = calls.count
      tick(clock, by: .seconds(5))
      #expect((calls.count, clock.sleeperCount) == (count, 0))
    }
  }
}
