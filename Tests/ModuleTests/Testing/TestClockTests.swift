import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

@Suite(.inTurn, .expectsIssues) struct TestClockTests {
  private typealias IntPromise = Promise<Int, Never>

  private let clock = TestClock()

  private func timer(_ number: Int, after delay: Duration) -> IntPromise {
    IntPromise(on: .immediate, fulfilled: number, after: delay, clock: clock)
  }

  @Test("6.4 16.1 timers end inside the call that advances the clock, each at its time")
  func order() {
    let log = Recorder<[Duration]>()
    for (number, seconds) in [3, 1, 2, 1].enumerated() {
      timer(number, after: .seconds(seconds)).then(on: .immediate) { [clock] number in
        log.record([.seconds(number), clock.now.offset])
      }
    }
    #expect(clock.sleeperCount == 4)
    clock.advance(by: .seconds(10))
    #expect(
      log.entries == [
        [.seconds(1), .seconds(1)], [.seconds(3), .seconds(1)], [.seconds(2), .seconds(2)], [.seconds(0), .seconds(3)],
      ])
    #expect(clock.now.offset == .seconds(10))
    #expect(clock.sleeperCount == 0)
  }

  @Test("6.4 a timer that another timer sets ends in the same advance, at its time")
  func nested() {
    let log = Recorder<Duration>()
    @Sendable func tick(_ left: Int) {
      log.record(clock.now.offset)
      if left > 0 { timer(left, after: .seconds(1)).then(on: .immediate) { tick($0 - 1) } }
    }
    tick(5)
    clock.advance(by: .seconds(3))
    #expect(log.entries == [.zero, .seconds(1), .seconds(2), .seconds(3)])
    clock.run()
    #expect(log.entries.last == .seconds(5))
  }

  @Test("6.1 6.4 with a manual context, the test controls time and order")
  func withContext() {
    let context = ManualContext()
    let promise = IntPromise(on: context.context, fulfilled: 1, after: .seconds(1), clock: clock)
      .delay(on: context.context, .seconds(1), clock: clock)
    #expect(!context.runNext())
    clock.advance(by: .seconds(1))
    #expect(clock.sleeperCount == 0)
    #expect(context.runAll() == 1)
    #expect(clock.next?.offset == .seconds(2))
    #expect(clock.advanceToNext())
    expectPending(promise)
    #expect(context.runAll() == 1)
    expectFulfilled(promise)
    #expect(!clock.advanceToNext())
  }

  @Test("6.4 a deadline that is not in the future ends inside the call", arguments: [Duration.zero, .seconds(-3)])
  func due(delay: Duration) async throws {
    expectFulfilled(timer(1, after: delay))
    try await clock.sleep(for: delay)
    #expect(clock.sleeperCount == 0)
  }

  @Test("6.3 a cancelled timer leaves the clock, and a released clock cancels its timers")
  func cancelled() {
    let cancelled = timer(1, after: .seconds(1))
    cancelled.requestCancel()
    #expect(clock.sleeperCount == 0)
    let orphan = IntPromise(on: .immediate, fulfilled: 1, after: .seconds(1), clock: TestClock())
    expectCancelled(orphan)
  }

  @Test("6.4 16.2 tasks sleep on the clock, wake when it advances, and end when cancelled")
  func sleeping() async throws {
    let early = Task { [clock] in
      try await clock.sleep(until: .init(offset: .seconds(1)), tolerance: nil)
      return clock.now.offset
    }
    let late = Task { [clock] in try await clock.sleep(for: .seconds(5)) }
    let never = Task { [clock] in try await clock.sleep(for: .seconds(9)) }
    await clock.waitForSleepers(3)
    clock.advanceToNext()
    #expect(try await early.value == .seconds(1))
    never.cancel()
    await #expect(throws: CancellationError.self) { try await never.value }
    #expect(clock.sleeperCount == 1)
    await clock.run()
    await #expect(throws: Never.self) { try await late.value }
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("6.4 a cancelled task does not begin to sleep")
  func cancelledBefore() async {
    let task = Task { [clock] in
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(for: .seconds(1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("6.4 when sleeping, cancelling and advancing race, every task wakes once")
  func races() async {
    for round in 0..<200 {
      let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
      let canceller = Task { task.cancel() }
      if round % 2 == 0 { await Task.yield() }
      // Not the form that waits.
      ({ clock.advance(by: .seconds(1)) })()
      await canceller.value
      _ = await task.result
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("16.3 16.13 time does not go back, and an endless clock fails the test")
  func misuse() async {
    expectIssue("cannot be advanced by -1.0 seconds") { clock.advance(by: .seconds(-1)) }
    await expectIssue("cannot be advanced by -1.0 seconds") { await clock.advance(by: .seconds(-1)) }
    #expect(clock.now.offset == .zero)
    @Sendable func tick() { timer(1, after: .seconds(1)).then(on: .immediate) { _ in tick() } }
    tick()
    expectIssue("TestClock(10.0 seconds, 1 waiting) still has timers or sleeping tasks after 10 of them") {
      clock.run(limit: 10)
    }
  }

  @Test("16.15 run() does not advance to the end of a cached value, but past it")
  func housekeeping() async {
    let cache = PromiseCache<Int, Int, Never>(timeToLive: .seconds(599), clock: clock)
    @Sendable func load() -> Promise<Int, Never> { cache.promise(for: 1, on: .immediate) { Promise(fulfilled: $0) } }
    _ = load()
    ({ clock.run() })()
    await clock.run()
    #expect((clock.now.offset, clock.sleeperCount, cache.count) == (.zero, 1, 1))
    let tea = timer(1, after: .seconds(240))
    await clock.run()
    #expect((clock.now.offset, tea.result, cache.count) == (.seconds(240), .value(1), 1))
    let later = timer(2, after: .seconds(600))
    await clock.run()
    #expect((clock.now.offset, later.result) == (.seconds(840), .value(2)))
    #expect((clock.sleeperCount, cache.count) == (0, 0))
    _ = load()
    cache.removeAll()
    #expect(clock.sleeperCount == 0)
    await clock.run()
    #expect(clock.now.offset == .seconds(840))
  }

  @Test("16.8 a wait for sleepers that do not come fails the test and says so")
  func timedOutWait() async {
    await expectIssue("after 0.001 seconds, a test clock has 0 timers and sleeping tasks instead of 1") {
      await clock.waitForSleepers(1, within: .milliseconds(1))
    }
  }
}
