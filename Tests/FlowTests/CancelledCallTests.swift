import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Calls that a task makes after it was cancelled.
@Suite(.inTurn) struct CancelledCallTests {
  typealias Work = @Sendable () async throws -> Int

  /// An async function of the library that calls a closure.
  struct Part: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Calls the function with a closure, and checks that the call of a cancelled task leaves nothing.
    let call: @Sendable (_ work: @escaping Work) async throws -> Int

    init(_ name: String, _ call: @escaping @Sendable (_ work: @escaping Work) async throws -> Int) {
      testDescription = name
      self.call = call
    }

    /// The functions that may wait, with room and without.
    static let waiting = [
      Part("a limiter with room") { work in
        let limiter = PromiseLimiter(width: 1)
        defer { #expect((limiter.runningCount, limiter.pendingCount) == (0, 0)) }
        return try await limiter.perform { try await work() }
      },
      Part("a limiter without room") { work in
        let limiter = PromiseLimiter(width: 1)
        let (job, resolver) = Promise<Void, Never>.makeWithResolver()
        let end = limiter.run(on: .immediate) { job }
        defer {
          #expect((limiter.runningCount, limiter.pendingCount) == (1, 0))
          resolver.fulfill(with: ())
          #expect(end.isResolved)
        }
        return try await limiter.perform { try await work() }
      },
      Part("a limiter with a full queue") { work in
        let limiter = PromiseLimiter(width: 1, maxPending: 0)
        let (job, resolver) = Promise<Void, Never>.makeWithResolver()
        let end = limiter.run(on: .immediate) { job }
        defer {
          resolver.fulfill(with: ())
          #expect(end.isResolved)
        }
        return try await limiter.perform { try await work() }
      },
      Part("a rate limiter with tokens") { work in
        let limiter = PromiseRateLimiter(3, per: .seconds(1), clock: TestClock())
        defer { #expect(limiter.content.tokens == 3) }
        return try await limiter.perform { try await work() }
      },
      Part("a rate limiter without a token") { work in
        let clock = TestClock()
        let limiter = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(9), clock: clock)
        #expect(limiter.run(on: .immediate) { Promise(fulfilled: 1) }.isResolved)
        defer { #expect((limiter.content.wait, clock.sleeperCount) == (.seconds(1), 0)) }
        return try await limiter.perform { try await work() }
      },
      Part("a rate limiter that refuses calls") { work in
        let limiter = PromiseRateLimiter(1, per: .seconds(1), clock: TestClock())
        #expect(limiter.run(on: .immediate) { Promise(fulfilled: 1) }.isResolved)
        return try await limiter.perform { try await work() }
      },
      Part("a rate limiter by key") { work in
        let limiter = PromiseKeyedRateLimiter<Int>(3, per: .seconds(1), clock: TestClock())
        defer { #expect(limiter.keyCount == 0) }
        return try await limiter.perform(for: 1) { try await work() }
      },
      Part("a rate limiter that refuses calls for a key") { work in
        let limiter = PromiseKeyedRateLimiter<Int>(1, per: .seconds(1), clock: TestClock())
        #expect(limiter.run(for: 1, on: .immediate) { Promise(fulfilled: 1) }.isResolved)
        return try await limiter.perform(for: 1) { try await work() }
      },
      Part("withRetry") { work in try await withRetry(clock: TestClock()) { _ in try await work() } },
      Part("withHedging") { work in
        try await withHedging(after: .seconds(1), clock: TestClock()) { _ in try await work() }
      },
      Part("a cache without the value") { work in
        let cache = PromiseCache<Int, Int, any Error>()
        defer { #expect(cache.count == 0) }
        return try await cache.value(for: 1) { _ in try await work() }
      },
      Part("a cache with a load in flight") { work in
        let cache = PromiseCache<Int, Int, any Error>()
        let (load, resolver) = Promise<Int, any Error>.makeWithResolver()
        let first = cache.promise(for: 1, on: .immediate) { _ in load }
        defer {
          resolver.fulfill(with: 1)
          #expect(first.result?.value == 1)
        }
        return try await cache.value(for: 1) { _ in try await work() }
      },
      Part("a batcher") { work in
        let batcher = PromiseBatcher<Int, Int> { _ in [1: try await work()] }
        return try await batcher.value(for: 1)
      },
    ]

    /// The functions that never wait before they call their closure.
    static let prompt = [
      Part("a gate") { work in try await PromiseGate().perform { try await work() } },
      Part("a breaker") { work in try await PromiseCircuitBreaker().perform { try await work() } },
      Part("withTimeout") { work in
        try await withTimeout(.seconds(1), clock: TestClock()) { try await work() }
      },
    ]
  }

  @Test("20.11 in a cancelled task, a function that may wait throws instead of calling", arguments: Part.waiting)
  func waiting(part: Part) async {
    let calls = Counter()
    let task = Task {
      cancelCurrentTask()
      return try await part.call {
        calls.increment()
        return 7
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(calls.count == 0)
  }

  @Test("20.11 in a cancelled task, a function that never waits calls its closure", arguments: Part.prompt)
  func prompt(part: Part) async throws {
    let task = Task {
      cancelCurrentTask()
      return try await part.call { Task.isCancelled ? 7 : 8 }
    }
    #expect(try await task.value == 7)
  }
}
