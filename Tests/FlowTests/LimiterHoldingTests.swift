import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Which code belongs to a closure of `perform`, and which waits count as waits for itself.
@Suite(.heavy) struct LimiterHoldingTests {
  private typealias AnyFailure = Promise<Int, any Error>
  private typealias Event = Promise<Void, Never>

  private struct WeakHolding: Sendable {
    weak let holding: TaskHolding?
  }

  private let limiter = PromiseLimiter(width: 1)

  /// Starts a chain of tasks. The closure of each task creates the next task.
  ///
  /// - Parameter overlaps: Whether a closure runs until the next closure has begun.
  private func startChain(
    of count: Int, in limiter: PromiseLimiter, overlaps: Bool, after previous: Event, _ begun: Event.Resolver,
    _ holdings: Recorder<WeakHolding>, _ end: Latch
  ) {
    Task {
      let (ended, endedResolver) = Event.makeWithResolver()
      if !overlaps { try await previous.value }
      try await limiter.perform {
        begun.fulfill(with: ())
        try await previous.value
        holdings.record(WeakHolding(holding: TaskHolding.local.get()))
        if count == 1 { return end.signal() }
        let (next, nextResolver) = Event.makeWithResolver()
        startChain(of: count - 1, in: limiter, overlaps: overlaps, after: ended, nextResolver, holdings, end)
        if overlaps { try await next.value }
      }
      endedResolver.fulfill(with: ())
    }
  }

  @Test("13.10 tasks that create one another in their closures retain no ended turns", arguments: [false, true])
  func chain(overlaps: Bool) async {
    let (holdings, end, count) = (Recorder<WeakHolding>(), Latch(), scaled(10_000))
    let (_, begun) = Event.makeWithResolver()
    startChain(
      of: count, in: PromiseLimiter(width: 4), overlaps: overlaps, after: Event(with: .value(())), begun, holdings, end)
    await end.wait(for: "the last closure to run")
    #expect(holdings.entries.count == count)
    #expect(holdings.entries.count { $0.holding != nil } <= 8)
  }

  @Test("13.15 a closure inside an ended one still belongs to the closure around both")
  func endedBetween() async throws {
    let other = PromiseLimiter(width: 1)
    try await limiter.perform {
      let (isEnded, resolver) = Event.makeWithResolver()
      let task = try await other.perform {
        Task { [limiter] in
          try await isEnded.value
          try await other.perform { try await limiter.perform {} }
        }
      }
      resolver.fulfill(with: ())
      await #expect(throws: PromiseRefusalError.waitsForItself) { try await task.value }
    }
  }

  @Test("13.15 a waiting job that a closure starts does not belong to that closure")
  func jobOfOthers() async throws {
    let other = PromiseLimiter(width: 1)
    let job = try await limiter.perform {
      let job = try await other.perform {
        await Task.detached { [limiter] in
          other.run(on: .immediate) { AnyFailure { try await limiter.perform { 3 } } }
        }.value
      }
      await until("the job to wait for its turn") { limiter.pendingCount == 1 || job.result != nil }
      return job
    }
    #expect(try await job.value == 3)
  }

  @Test("13.15 14.17 a waiting job that a load starts does not belong to the load")
  func jobOfLoad() async {
    let (cache, limiter) = (PromiseCache<String, Int, any Error>(), limiter)
    let (gate, resolver) = AnyFailure.makeWithResolver()
    let load = cache.promise(for: "a") { _ in
      try await limiter.perform { await until("the job to wait") { limiter.pendingCount == 1 } }
      return try await gate.value
    }
    await until("the load to have its turn") { limiter.runningCount == 1 }
    let job = limiter.run(on: .immediate) { cache.promise(for: "a", on: .immediate) { _ in AnyFailure(fulfilled: 8) } }
    await until("the job to begin") { limiter.pendingCount == 0 }
    resolver.fulfill(with: 7)
    #expect(await load.outcome()?.value == 7)
    #expect(await job.outcome()?.value == 7)
  }

  @Test("13.15 a task that has got its turn does not count as waiting")
  func turnBeforeResumption() {
    let (narrow, shrinking, resumptions) = (PromiseLimiter(width: 1), PromiseLimiter(width: 2), Counter())
    func ticket(of limiter: PromiseLimiter, within outer: LimiterTicket? = nil) -> LimiterTicket {
      LimiterTicket(of: limiter, priority: 0, within: outer)
    }
    let (outer, own, other) = (ticket(of: narrow), ticket(of: shrinking), ticket(of: shrinking))
    #expect(narrow.begin(outer) && shrinking.begin(own) && shrinking.begin(other))
    let waiting = ticket(of: shrinking, within: outer)
    #expect(waiting.beginWait(for: shrinking))
    waiting.work = .task { _ = resumptions.increment() }
    shrinking.enter(waiting)
    other.end()
    #expect(resumptions.count == 1)
    // Now two closures must end before another one gets its turn. The one that has not gone on yet can do so.
    shrinking.width = 1
    let next = ticket(of: narrow, within: own)
    #expect(next.beginWait(for: narrow))
    next.endWait()
    for ticket in [waiting, outer, own] { ticket.end() }
    #expect((narrow.runningCount, shrinking.runningCount) == (0, 0))
  }

  @Test("13.15 a wait is admitted until the last of many closures waits for it")
  func lastOfMany() {
    let (narrow, wide) = (PromiseLimiter(width: 1), PromiseLimiter(width: 20))
    func ticket(of limiter: PromiseLimiter, within outer: LimiterTicket? = nil) -> LimiterTicket {
      LimiterTicket(of: limiter, priority: 0, within: outer)
    }
    let (own, others) = (ticket(of: narrow), (0..<20).map { _ in ticket(of: wide) })
    #expect(narrow.begin(own) && others.allSatisfy { wide.begin($0) })
    // A search reads few closures first.
    #expect(wide.needs(first: 8)?.nodes.count == 8 && wide.needs(first: .max)?.nodes.count == 20)
    var waiting = others.dropLast().map { ticket(of: narrow, within: $0) }
    for each in waiting { #expect(each.beginWait(for: narrow)) }
    waiting.append(ticket(of: wide, within: own))
    #expect(waiting[19].beginWait(for: wide))
    let last = ticket(of: narrow, within: others[19])
    #expect(!last.beginWait(for: narrow))
    // When another wait has ended, the same wait is admitted.
    waiting[0].endWait()
    #expect(last.beginWait(for: narrow))
    for each in waiting + [last] { each.endWait() }
    for each in others + [own] { each.end() }
    #expect((narrow.runningCount, wide.runningCount) == (0, 0))
  }

  @Test("13.15 after a smaller width, a wait for several ends counts the own place")
  func reducedWidth() async throws {
    let (limiter, isRefused) = (PromiseLimiter(width: 2), Latch())
    let (gate, resolver) = Subject.makeWithResolver()
    _ = limiter.run(on: .immediate) { gate }
    let task = Task {
      try await limiter.perform {
        limiter.width = 1
        await #expect(throws: PromiseRefusalError.waitsForItself) { try await limiter.perform {} }
        isRefused.signal()
      }
    }
    await isRefused.wait(for: "the nested closure to be refused")
    task.cancel()
    resolver.fulfill(with: 0)
    try await task.value
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
  }

  @Test("13.15 13.17 a wait with a longest wait does not count as endless")
  func longestWait() async throws {
    let clock = TestClock()
    let limited = PromiseLimiter(width: 1, maxWait: .seconds(2), clock: clock)
    let (isInside, isDone) = (Latch(), Recorder<Bool>())
    let expired = PromiseRefusalError.waitExpired(maxWait: .seconds(2), width: 1)
    let first = Task { [limiter] in
      try await limiter.perform {
        await isInside.wait(for: "the second task to be inside")
        await #expect(throws: expired) { try await limited.perform {} }
      }
    }
    try await limited.perform {
      isInside.signal()
      await until("the first task to wait") { limited.pendingCount == 1 && clock.sleeperCount == 1 }
      async let second: Void = limiter.perform { isDone.record(true) }
      await until("the second task to wait") { limiter.pendingCount == 1 || first.isCancelled }
      tick(clock, by: .seconds(2))
      try await second
      // A closure that waits for its own limiter waits for the longest wait, too.
      async let nested: Void = limited.perform {}
      await until("the nested closure to wait") { limited.pendingCount == 1 && clock.sleeperCount == 1 }
      tick(clock, by: .seconds(2))
      do {
        try await nested
        Issue.record("the nested closure has got a turn")
      } catch {
        #expect(error as? PromiseRefusalError == expired)
      }
    }
    try await first.value
    #expect((isDone.entries, limited.runningCount, clock.sleeperCount) == ([true], 0, 0))
  }

  @Test("13.13 a rise of the task priority before the wait begins counts")
  func earlyRise() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let ticket = LimiterTicket(of: limiter, priority: 0, taskPriority: TaskPriority.low.rawValue)
    await Task(priority: .high) { await ticket.followingPriority {} }.value
    #expect(ticket.taskPriority == TaskPriority.high.rawValue)
    limiter.raise(ticket, to: .medium)
    #expect(ticket.taskPriority == TaskPriority.high.rawValue)
  }
}
