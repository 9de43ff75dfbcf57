import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

private struct Outage: Error {}

/// A service that fails twice, and then answers after a delay.
private actor Service {
  private let clock: TestClock
  private var calls = 0

  init(clock: TestClock) { self.clock = clock }

  func page() async throws -> Int {
    calls += 1
    if calls < 3 { throw Outage() }
    try await clock.sleep(for: .milliseconds(20))
    return calls
  }
}

@Suite(.inTurn, .expectsIssues) struct OperationTests {
  private let clock = TestClock()
  /// `OVERMORROW_ROUNDS` sets the number of rounds beside busy threads.
  private let rounds = ProcessInfo.processInfo.environment["OVERMORROW_ROUNDS"].flatMap { Int($0) } ?? 2

  @Test("16.16 16.17 nested limits, retries and actors end at their times beside busy threads")
  func nested() async throws {
    let stop = Counter()
    for _ in 0..<2 {
      Thread.detachNewThread { while stop.count == 0 {} }
    }
    defer { stop.increment() }
    let policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .constant(.milliseconds(100)))
    for _ in 0..<rounds {
      let clock = TestClock()
      let service = Service(clock: clock)
      let calls = try await clock.run {
        try await withTimeout(.milliseconds(230), clock: clock) {
          try await withRetry(policy, clock: clock) { _ in
            try await withTimeout(.milliseconds(50), clock: clock) { try await service.page() }
          }
        }
      }
      #expect((calls, clock.now.offset, clock.sleeperCount) == (3, .milliseconds(220), 0))
    }
  }

  @Test("16.13 16.17 tasks of promises and caches begin their delays before their limits end")
  func promises() async throws {
    let stop = Counter()
    for _ in 0..<2 {
      Thread.detachNewThread { while stop.count == 0 {} }
    }
    defer { stop.increment() }
    for _ in 0..<rounds {
      let clock = TestClock()
      @Sendable func page(_ number: Int) async throws -> Int {
        for _ in 0..<30 { await Task.yield() }
        try await clock.sleep(for: .milliseconds(20))
        return number
      }
      let cache = PromiseCache<Int, Int, any Error>(clock: clock)
      let cached = try await clock.run {
        try await withTimeout(.milliseconds(30), clock: clock) { try await cache.value(for: 1) { try await page($0) } }
      }
      let promised = try await clock.run {
        try await Promise { try await page(2) }.timeout(.milliseconds(30), clock: clock).value
      }
      #expect((cached, promised, clock.now.offset, clock.sleeperCount) == (1, 2, .milliseconds(40), 0))
      let page = Promise { try await page(3) }.timeout(.milliseconds(30), clock: clock)
      await clock.advance(by: .milliseconds(30))
      expectFulfilled(page)
    }
  }

  @Test("16.16 a closure that ends before its limit moves the time to its own delay")
  func sample() async throws {
    let clock = TestClock()
    let service = Service(clock: clock)
    for _ in 0..<2 { _ = try? await service.page() }
    let page = try await clock.run {
      try await withTimeout(.seconds(5), clock: clock) { try await service.page() }
    }
    #expect((page, clock.now.offset) == (3, .milliseconds(20)))
  }

  @Test("16.16 a task that waits too late for the clock is still served")
  func late() async throws {
    let task = Task { [clock] in
      for _ in 0..<3 {
        for _ in 0..<100 { await Task.yield() }
        try await clock.sleep(for: .seconds(1))
      }
    }
    try await clock.run { try await task.value }
    #expect(clock.now.offset == .seconds(3))
  }

  @MainActor @Test("16.16 the time stays at the end of the closure, and later timers stay")
  func end() async throws {
    var log: [Duration] = []
    let later = Promise<Int, Never>(on: .immediate, fulfilled: 1, after: .seconds(9), clock: clock)
    await #expect(throws: Outage.self) {
      try await clock.run { [clock] in
        for _ in 0..<3 {
          try await clock.sleep(for: .seconds(1))
          log.append(clock.now.offset)
        }
        throw Outage()
      }
    }
    #expect(log == [.seconds(1), .seconds(2), .seconds(3)])
    #expect((clock.now.offset, clock.sleeperCount) == (.seconds(3), 1))
    expectPending(later)
  }

  @Test("16.8 16.18 a closure that waits for no deadline, or too many, fails the test")
  func bounds() async {
    let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
    // On a busy machine, the bound may end while the call waits for work of others.
    await expectIssue {
      await #expect(throws: CancellationError.self) {
        try await clock.run(within: .milliseconds(50)) { _ = await promise.finalResult }
      }
    } matching: {
      "\($0)".contains("waits for TestClock(0.0 seconds, 0 waiting)") || "\($0)".contains("0.05 seconds")
    }
    resolver.fulfill(with: 1)
    await expectIssue("the closure has not ended after 5 deadlines") {
      await #expect(throws: CancellationError.self) {
        try await clock.run(limit: 5) { [clock] in while true { try await clock.sleep(for: .seconds(1)) } }
      }
    }
    await expectIssue("within 0.05 seconds") {
      await #expect(throws: CancellationError.self) {
        try await clock.run(within: .milliseconds(50)) { while !Task.isCancelled { await Task.yield() } }
      }
    }
  }

  @Test("16.18 the cancellation of the calling task asks the closure to cancel")
  func cancelled() async throws {
    let task = Task { [clock] in
      try await clock.run { try await Task.sleep(for: .seconds(600)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
