import OvermorrowFlow
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The functions that start async work, immediately or later.
@Suite(.inTurn) struct AsyncStartersTests {
  typealias Subject = Promise<Int, any Error>

  /// A function that starts async work and returns a promise of its result.
  struct Starter: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let start: @Sendable (_ work: @escaping @Sendable () async throws -> Int) -> Subject
  }

  static let starters = [
    Starter(testDescription: "Promise") { work in Promise { try await work() } },
    Starter(testDescription: "LazyPromise") { work in LazyPromise { try await work() }.promise },
    Starter(testDescription: "retry") { work in Promise.retry { _ in try await work() } },
    Starter(testDescription: "PromiseLimiter") { work in PromiseLimiter(width: 1).run { try await work() } },
    Starter(testDescription: "PromiseCache") { work in
      PromiseCache<Int, Int, any Error>().promise(for: 1) { _ in try await work() }
    },
    Starter(testDescription: "when(maxConcurrent:)") { work in
      when(fulfilled: [1], maxConcurrent: 1) { _ in try await work() }.map(on: .immediate) { $0[0] }
    },
  ]

  @Test("8.2 8.12 2.26 an async closure fulfils with its value, fails with its error, or cancels", arguments: starters)
  func outcomes(starter: Starter) async {
    let fulfilled = starter.start {
      await Task.yield()
      return 7
    }
    #expect(await fulfilled.outcome()?.value == 7)
    #expect(await starter.start { throw Refusal.first }.outcome()?.error is Refusal)
    #expect(await starter.start { throw CancellationError() }.outcome()?.isCancelled == true)
  }

  /// Runs until its task is cancelled.
  private static func untilCancelled(_ begun: Latch, _ ended: Latch) async throws -> Int {
    begun.signal()
    defer { ended.signal() }
    while true {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test("8.2 8.12 a request to cancel cancels the task", arguments: starters)
  func request(starter: Starter) async {
    let (begun, ended) = (Latch(), Latch())
    let promise = starter.start { try await Self.untilCancelled(begun, ended) }
    await begun.wait(for: "the task to begin")
    promise.requestCancel()
    await ended.wait(for: "the task to end")
    #expect(await promise.outcome()?.isCancelled == true)
  }

  @Test("8.12 11.10 a request to a waiting async job prevents its task from beginning")
  func limiter() async {
    let (limiter, calls) = (PromiseLimiter(width: 1), Counter())
    let (gate, open) = Promise<Int, any Error>.makeWithResolver()
    let first = limiter.run { try await gate.value }
    let second = limiter.run { () async throws(any Error) -> Int in calls.increment() }
    let third = limiter.run { await Task.yield() }
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 2))
    second.requestCancel()
    #expect(second.result?.isCancelled == true)
    open.fulfill(with: 5)
    #expect(await first.outcome()?.value == 5)
    #expect(await third.outcome()?.value != nil)
    #expect((calls.count, limiter.runningCount) == (0, 0))
  }

  @Test("8.12 each attempt is a separate call with its own number")
  func attempts() async {
    let promise = Promise<Int, any Error>.retry { number in
      if number < 3 { throw Refusal.first }
      return number
    }
    #expect(await promise.outcome()?.value == 3)
  }

  @Test("8.12 14.1 14.4 callers share one task, which is cancelled when all of them have asked")
  func cache() async {
    let cache = PromiseCache<Int, Int, any Error>()
    let (begun, ended) = (Latch(), Latch())
    let load = { @Sendable in
      cache.promise(for: 1) { _ in try await Self.untilCancelled(begun, ended) }
    }
    let (first, second) = (load(), load())
    await begun.wait(for: "the load to begin")
    first.requestCancel()
    #expect(!ended.isOpen)
    second.requestCancel()
    await ended.wait(for: "the load to end")
    #expect(await second.outcome()?.isCancelled == true)
    #expect(cache.count == 0)
  }

  @Test("8.12 5.6 a bounded when of async closures respects the limit and keeps the order")
  func bounded() async {
    let (running, most) = (Counter(), Maximum())
    let values = await when(fulfilled: 0..<40, maxConcurrent: 3) { number in
      most.record(running.increment())
      await Task.yield()
      running.increment(by: -1)
      return number * 2
    }.outcome()?.value
    #expect(values == (0..<40).map { $0 * 2 })
    #expect((1...3).contains(most.value))
  }

  @Test("8.12 the work of a LazyPromise begins once, when the promise is first read")
  func lazy() async {
    let calls = Counter()
    let later = LazyPromise<Int, any Error> { () async throws(any Error) -> Int in calls.increment() }
    #expect(calls.count == 0)
    let (first, second) = (later.promise, later.promise)
    #expect(await first.outcome()?.value != nil)
    #expect((first == second, calls.count) == (true, 1))
  }
}

/// The functions that start work, used in a main-actor class without a context and with its state.
@Suite(.inTurn) @MainActor final class IsolatedStartersTests {
  private var count = 0

  private func next() -> Promise<Int, any Error> {
    MainActor.assertIsolated()
    count += 1
    return Promise(fulfilled: count)
  }

  private func load() async throws -> Int {
    count += 1
    return count
  }

  @Test("1.22 a closure that is isolated to the main actor runs there, whatever it starts")
  func mainActor() async throws {
    let (limiter, cache) = (PromiseLimiter(width: 1), PromiseCache<Int, Int, any Error>())
    let body = Promise<Int, any Error> { resolver in
      MainActor.assertIsolated()
      self.count += 1
      resolver.fulfill(with: self.count)
    }
    #expect(body.result == nil, "it does not run during the call")
    #expect(try await body.value == 1)
    let later = LazyPromise<Int, any Error> { resolver in resolver.resolve(with: self.next()) }
    #expect(try await later.promise.value == 2)
    #expect(try await Promise.retry { _ in self.next() }.value == 3)
    #expect(try await limiter.run { self.next() }.value == 4)
    #expect(try await cache.promise(for: 1) { _ in self.next() }.value == 5)
    #expect(try await when(fulfilled: [1, 2], maxConcurrent: 1) { _ in self.next() }.value == [6, 7])
  }

  @Test("8.12 an async closure that is isolated to the main actor runs there")
  func asyncOnMainActor() async throws {
    let (limiter, cache) = (PromiseLimiter(width: 1), PromiseCache<Int, Int, any Error>())
    #expect(try await LazyPromise { try await self.load() }.promise.value == 1)
    #expect(try await Promise.retry { _ in try await self.load() }.value == 2)
    #expect(try await limiter.run { try await self.load() }.value == 3)
    #expect(try await cache.promise(for: 1) { _ in try await self.load() }.value == 4)
    #expect(try await when(fulfilled: [1, 2], maxConcurrent: 1) { _ in try await self.load() }.value == [5, 6])
  }

  @Test("1.22 a closure that is isolated to no actor runs off the main queue")
  func noActor() async {
    for promise in unisolated() { #expect(await promise.outcome()?.value == false) }
  }

  /// Returns promises of whether each closure runs on the main queue.
  nonisolated private func unisolated() -> [Promise<Bool, Never>] {
    let (limiter, cache) = (PromiseLimiter(width: 1), PromiseCache<Int, Bool, Never>())
    return [
      Promise { resolver in resolver.fulfill(with: MainQueue.isCurrent) },
      LazyPromise { resolver in resolver.fulfill(with: MainQueue.isCurrent) }.promise,
      Promise.retry { _ in Promise(fulfilled: MainQueue.isCurrent) },
      limiter.run { Promise(fulfilled: MainQueue.isCurrent) },
      cache.promise(for: 1) { _ in Promise(fulfilled: MainQueue.isCurrent) },
      when(fulfilled: [1], maxConcurrent: 1) { _ in Promise<Bool, Never>(fulfilled: MainQueue.isCurrent) }
        .map(on: .immediate) { $0[0] },
    ]
  }
}
