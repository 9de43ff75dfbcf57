import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Limiters whose queues have limits, and priorities that change.
@Suite(.inTurn) struct LimiterOverloadTests {
  private typealias AnyFailure = Promise<Int, any Error>

  private let clock = TestClock()

  private func occupy(_ limiter: PromiseLimiter) -> Subject.Resolver {
    let (gate, resolver) = Subject.makeWithResolver()
    _ = limiter.run(on: .immediate) { gate }
    return resolver
  }

  private func refusal(of promise: AnyFailure) -> PromiseRefusalError? {
    if case .error(let error) = promise.result { error as? PromiseRefusalError } else { nil }
  }

  @Test("13.16 a job that finds the queue full is rejected without running")
  func fullQueue() async {
    let (limiter, calls) = (PromiseLimiter(width: 1, maxPending: 2), Counter())
    let resolver = occupy(limiter)
    let jobs = (0..<4).map { number in
      limiter.run(on: .immediate, priority: number) { AnyFailure(fulfilled: calls.increment()) }
    }
    let error = PromiseRefusalError.queueFull(width: 1, maxPending: 2)
    #expect(jobs.map(refusal) == [nil, nil, error, error])
    #expect("\(error)" == "the queue of the limiter is full: 1 run at a time, and 2 may wait")
    await #expect(throws: error) { try await limiter.perform {} }
    #expect(limiter.pendingCount == 2)
    resolver.fulfill(with: 0)
    #expect((calls.count, jobs.prefix(2).map { $0.result?.value }) == (2, [2, 1]))
    #expect(refusal(of: limiter.run(on: .immediate) { AnyFailure(fulfilled: 1) }) == nil)
  }

  @Test("13.11 13.16 a job that is about to start does not count as waiting")
  func aboutToStart() {
    let (limiter, probe, late) = (PromiseLimiter(width: 1, maxPending: 1), Probe(complying: true), Recorder<Subject>())
    let running = limiter.run(on: .immediate) { probe.take() }
    let waiting = limiter.run(on: .immediate) { Subject(fulfilled: 1) }
    let (both, bothResolver) = Subject.makeWithResolver()
    let (other, resolver) = Subject.makeWithResolver()
    bothResolver.onRequestCancel(on: .immediate) { resolver in
      running.requestCancel()
      other.requestCancel()
      resolver.cancel()
    }
    resolver.onRequestCancel(on: .immediate) { resolver in
      #expect((limiter.runningCount, limiter.pendingCount) == (0, 1))
      for number in 2..<4 { late.record(limiter.run(on: .immediate) { Subject(fulfilled: number) }) }
      #expect((limiter.runningCount, limiter.pendingCount) == (0, 2), "no job starts before the end of the requests")
      resolver.cancel()
    }
    both.requestCancel()
    #expect((running.result, waiting.result) == (.cancelled, .value(1)))
    #expect(late.entries.map(\.result) == [.value(2), .cancelled])
  }

  @Test("13.16 a job whose failure type cannot represent the refusal is cancelled")
  func otherFailure() {
    let limiter = PromiseLimiter(width: 1, maxPending: 0)
    let resolver = occupy(limiter)
    #expect(limiter.run(on: .immediate) { Subject(fulfilled: 1) }.result == .cancelled)
    #expect(
      limiter.run(on: .immediate) { Promise<Int, PromiseRefusalError>(fulfilled: 1) }.result
        == .error(.queueFull(width: 1, maxPending: 0)))
    resolver.fulfill(with: 0)
    #expect(limiter.run(on: .immediate) { Subject(fulfilled: 1) }.result == .value(1))
  }

  @Test("13.16 a negative number of waiting jobs counts as 0, and the diagnostics report it")
  func badNumber() async throws {
    let found = try await diagnostics {
      let limiter = PromiseLimiter(width: 1, maxPending: -3)
      #expect(limiter.run(on: .immediate) { Subject(fulfilled: 1) }.result == .value(1))
    }
    #expect(found == [.invalidArgument("PromiseLimiter.maxPending: -3 counts as 0")])
  }

  @Test("13.17 a job that has waited longest is rejected, and later jobs wait on")
  func longestWait() async {
    let limiter = PromiseLimiter(width: 1, maxWait: .seconds(2), clock: clock)
    let resolver = occupy(limiter)
    let early = limiter.run(on: .immediate) { AnyFailure(fulfilled: 1) }
    await clock.advance(by: .seconds(1))
    let late = limiter.run(on: .immediate) { AnyFailure(fulfilled: 2) }
    await clock.advance(by: .milliseconds(999))
    #expect((refusal(of: early), limiter.pendingCount) == (nil, 2))
    await clock.advance(by: .milliseconds(1))
    let error = PromiseRefusalError.waitExpired(maxWait: .seconds(2), width: 1)
    #expect((refusal(of: early), refusal(of: late), limiter.pendingCount) == (error, nil, 1))
    resolver.fulfill(with: 0)
    #expect((late.result?.value, clock.sleeperCount) == (2, 0))
  }

  @Test("13.17 a task that has waited for the longest wait throws")
  func longestWaitOfTask() async {
    let limiter = PromiseLimiter(width: 1, maxWait: .seconds(2), clock: clock)
    let resolver = occupy(limiter)
    let task = Task { try await limiter.perform {} }
    await until("the task to wait") { limiter.pendingCount == 1 && clock.sleeperCount == 1 }
    await clock.advance(by: .seconds(2))
    await #expect(throws: PromiseRefusalError.waitExpired(maxWait: .seconds(2), width: 1)) { try await task.value }
    resolver.fulfill(with: 0)
    #expect((limiter.runningCount, limiter.pendingCount, clock.sleeperCount) == (0, 0, 0))
  }

  @Test("13.10 13.17 a limiter with a longest wait retains nothing while nothing waits")
  func released() {
    let (limiter, tracker) = (PromiseLimiter(width: 1, maxWait: .seconds(2), clock: clock), Tracker())
    for round in 0..<200 {
      let resolver = occupy(limiter)
      let jobs = (0..<3).map { _ in limiter.run(on: .immediate, tracker.work { Subject(fulfilled: 1) }) }
      #expect((clock.sleeperCount, tracker.count) == (1, 3))
      if round % 2 == 0 { jobs[0].requestCancel() }
      resolver.fulfill(with: 0)
      #expect((clock.sleeperCount, tracker.count, limiter.pendingCount) == (0, 0, 0))
    }
  }

  @Test("13.17 a timer that ends late leaves a newer timer alone")
  func lateTimer() {
    let late = LateClock(base: clock)
    let limiter = PromiseLimiter(width: 1, maxWait: .seconds(2), clock: late)
    let first = occupy(limiter)
    _ = limiter.run(on: .immediate) { AnyFailure(fulfilled: 1) }
    tick(clock, by: .seconds(2))
    first.fulfill(with: 0)
    let second = occupy(limiter)
    let job = limiter.run(on: .immediate) { AnyFailure(fulfilled: 2) }
    #expect((late.due.entries.count, clock.sleeperCount) == (1, 1))
    for action in late.due.entries { action() }
    #expect((clock.sleeperCount, job.result == nil) == (1, true))
    second.fulfill(with: 0)
    #expect((clock.sleeperCount, limiter.pendingCount, job.result?.value) == (0, 0, 2))
  }

  @Test("13.18 a waiting job moves in the queue when its priority changes")
  func newPriority() {
    let (limiter, order) = (PromiseLimiter(width: 1), Recorder<Int>())
    let resolver = occupy(limiter)
    let jobs = (0..<5).map { number in
      limiter.run(on: .immediate) {
        order.record(number)
        return Subject(fulfilled: number)
      }
    }
    #expect(limiter.setPriority(2, of: jobs[3]))
    #expect(limiter.setPriority(-1, of: jobs[0]))
    #expect(limiter.setPriority(2, of: jobs[1]))
    resolver.fulfill(with: 0)
    #expect(order.entries == [1, 3, 2, 4, 0])
    #expect(!limiter.setPriority(9, of: jobs[0]))
  }
}

/// A clock whose timers end only when the test calls their actions.
private struct LateClock: PromiseSchedulingClock {
  let base: TestClock
  /// The actions of the timers whose deadlines have passed.
  let due = Recorder<@Sendable () -> Void>()

  var now: TestClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  func schedule(at deadline: TestClock.Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    base.schedule(at: deadline) { [due] in due.record(action) }
  }
}
