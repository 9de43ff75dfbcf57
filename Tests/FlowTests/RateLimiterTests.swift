internal import OvermorrowEngine
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Limits of the rate at which work begins.
@Suite(.inTurn) struct RateLimiterTests {
  private typealias Work = Promise<Int, any Error>

  private let clock = TestClock()

  private final class Notes {
    var lines: [String] = []
  }

  private actor Desk {
    private let notes = Notes()

    func write(_ limiter: PromiseRateLimiter) async throws -> [String] {
      let same = try await limiter.perform {
        self.preconditionIsolated()
        notes.lines.append("a")
        return notes
      }
      return same.lines
    }
  }

  @Test("21.9 21.10 a full bucket admits a burst, and an empty one refuses calls")
  func burst() async throws {
    let (limiter, calls) = (PromiseRateLimiter(2, per: .seconds(1), burst: 3, clock: clock), Counter())
    for _ in 0..<3 { #expect(limiter.run(on: .immediate) { Work(fulfilled: 7) }.result?.value == 7) }
    let refused = limiter.run(on: .immediate) {
      calls.increment()
      return Work(fulfilled: 8)
    }
    #expect(refused.result?.error as? PromiseRefusalError == .rateExceeded(retryAfter: .milliseconds(500)))
    tick(clock, by: .milliseconds(400))
    let error = await #expect(throws: PromiseRefusalError.self) { try await limiter.perform { _ = calls.increment() } }
    #expect(error?.retryAfter == .milliseconds(100))
    #expect("\(error ?? .gateClosed)" == "the rate of calls is too high")
    tick(clock, by: .milliseconds(100))
    #expect(try await limiter.perform { 9 } == 9)
    #expect(calls.count == 0)
    #expect(try await Desk().write(PromiseRateLimiter(1, per: .seconds(1))) == ["a"])
  }

  @Test("21.10 calls wait for their tokens in order, up to the longest wait")
  func waiting() async throws {
    let limiter = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(2), clock: clock)
    let begun = Recorder<Int>()
    let promises = (0..<4).map { number in
      limiter.run(on: .immediate) {
        begun.record(number)
        return Work(fulfilled: number)
      }
    }
    #expect(begun.entries == [0])
    #expect(promises[3].result?.error as? PromiseRefusalError == .rateExceeded(retryAfter: .seconds(1)))
    tick(clock, by: .seconds(1))
    #expect(begun.entries == [0, 1])
    let task = Task { try await limiter.perform { begun.record(4) } }
    await until("the task to wait for its token") { limiter.content.wait == .seconds(3) }
    tick(clock, by: .seconds(1))
    #expect(begun.entries == [0, 1, 2])
    tick(clock, by: .seconds(1))
    try await task.value
    #expect(begun.entries == [0, 1, 2, 4])
  }

  @Test("21.11 a call that is cancelled while it waits returns its token")
  func cancelled() async throws {
    let limiter = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(9), clock: clock)
    let calls = Counter()
    try await limiter.perform {}
    let promise = limiter.run(on: .immediate) {
      calls.increment()
      return Work(fulfilled: 7)
    }
    promise.requestCancel()
    #expect((promise.result?.isCancelled, clock.sleeperCount) == (true, 0))
    let task = Task { try await limiter.perform { _ = calls.increment() } }
    await clock.waitForSleepers(1)
    #expect(clock.next?.offset == .seconds(1), "the token was returned")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect((calls.count, clock.sleeperCount) == (0, 0))
    tick(clock, by: .seconds(1))
    try await limiter.perform { _ = calls.increment() }
    #expect(calls.count == 1)
  }

  @Test("21.11 calls that are cancelled while they wait leave the bucket as before", arguments: [false, true])
  func cancelledInOrder(isKeyed: Bool) {
    let plain = PromiseRateLimiter(10, per: .seconds(1), burst: 1, maxWait: .seconds(5), clock: clock)
    let keyed = PromiseKeyedRateLimiter<Int>(10, per: .seconds(1), burst: 1, maxWait: .seconds(5), clock: clock)
    func call() -> Work {
      let work: @Sendable () -> Work = { Work(fulfilled: 7) }
      return isKeyed ? keyed.run(for: 1, on: .immediate, work) : plain.run(on: .immediate, work)
    }
    let calls = (0..<51).map { _ in call() }
    for each in calls { each.requestCancel() }
    #expect(calls.filter { $0.result?.isCancelled == true }.count == 50)
    #expect(clock.sleeperCount == 0)
    let next = (0..<2).map { _ in call() }
    for time in 0..<3 {
      #expect(next.map(\.isResolved) == [time > 0, time > 1])
      tick(clock, by: .milliseconds(100))
    }
  }

  @Test("21.11 the calls behind a cancelled call move forward, in their order")
  func movesForward() async throws {
    let limiter = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(9), clock: clock)
    let begun = Recorder<Int>()
    try await limiter.perform {}
    var tasks: [Task<Void, any Error>] = []
    for number in 1...3 {
      tasks.append(Task { try await limiter.perform { begun.record(number) } })
      await until("task \(number) to wait") { limiter.content.wait == .seconds(number + 1) }
    }
    let last = limiter.run(on: .immediate) {
      begun.record(4)
      return Work(fulfilled: 4)
    }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    tick(clock, by: .seconds(1))
    try await tasks[1].value
    tasks[2].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[2].value }
    #expect(begun.entries == [2])
    tick(clock, by: .seconds(1))
    #expect((begun.entries, last.result?.value, clock.sleeperCount) == ([2, 4], 4, 0))
  }

  @Test("7.3 21.11 a call that is cancelled while its context is busy returns its token")
  func busyContext() {
    let limiter = PromiseRateLimiter(2, per: .seconds(1), clock: clock)
    let (executor, calls) = (ManualContext(), Counter())
    @Sendable func call(on context: PromiseContext) -> Work {
      limiter.run(on: context) {
        calls.increment()
        return Work(fulfilled: 7)
      }
    }
    let busy = (0..<2).map { _ in call(on: executor.context).always(on: .immediate) { _ in _ = call(on: .immediate) } }
    #expect(limiter.content.tokens == 0)
    for each in busy { each.requestCancel() }
    #expect(busy.map { $0.result?.isCancelled } == [true, true])
    #expect((calls.count, limiter.content.tokens) == (2, 0), "an observer of the end finds the token")
    executor.runAll()
    #expect(calls.count == 2)
  }

  @Test("21.9 the text of a limiter says how many calls pass", arguments: [3, 7, 10, 30, 60])
  func text(rate: Int) {
    for used in 1..<20 {
      let limiter = PromiseRateLimiter(rate, per: .seconds(1), burst: 20, clock: clock)
      func pass() -> Bool { limiter.run(on: .immediate) { Work(fulfilled: 7) }.result?.value == 7 }
      for _ in 0..<used { #expect(pass()) }
      #expect("\(limiter)".hasPrefix("PromiseRateLimiter(\(20 - used) of 20 tokens, "))
      for _ in used..<20 { #expect(pass()) }
      #expect(!pass())
    }
  }

  @Test("21.10 work whose wait ends before the call returns runs on its context")
  func shortWait() async throws {
    let (queue, clock) = (MarkedQueue(), TestClock())
    let limiter = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(1), clock: OvertakingClock(clock, queue))
    try await limiter.perform {}
    let promise = limiter.run(on: queue.context) { Work(fulfilled: queue.isCurrent ? 7 : 0) }
    #expect(await promise.outcome()?.value == 7)
  }

  @Test("3.2 21.9 a request withdraws one vote from work that ran inside the call", arguments: [false, true])
  func sharedWork(isShared: Bool) {
    let limiter = PromiseRateLimiter(9, per: .seconds(1), clock: clock)
    let probe = CancelProbe<Int, any Error>()
    let work = probe.take()
    let sibling = isShared ? limiter.run(on: .immediate) { work } : nil
    let promise = limiter.run(on: .immediate) { work }
    _ = consume work
    promise.requestCancel()
    #expect(probe.requestCount == (isShared ? 0 : 1))
    sibling?.requestCancel()
    #expect((probe.requestCount, limiter.content.tokens) == (1, isShared ? 7 : 8))
    probe.resolver.fulfill(with: 7)
    #expect(promise.result?.error == nil && promise.result != nil)
  }

  #if os(macOS) || os(Linux)
    @Test("3.2 only the promise of fulfilled work is returned itself", .enabled(if: isLevelUnset))
    func sharedPromise() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        let limiter = PromiseRateLimiter(9, per: .seconds(1))
        let probe = CancelProbe<Int, any Error>()
        let (pending, ended, failed) = (probe.take(), Work(fulfilled: 7), Work(rejected: Refusal.first))
        #expect(limiter.run(on: .immediate) { ended } == ended)
        let results = [limiter.run(on: .immediate) { pending }, limiter.run(on: .immediate) { failed }]
        #expect(results[0] != pending && results[1] != failed)
        #expect(results[1].result?.error is Refusal)
        results[0].requestCancel()
        #expect(probe.requestCount == 0, "the promise has a handle that has not asked")
      }
    }
  #endif

  @Test("21.11 a call whose work is never called returns its token", arguments: [false, true])
  func dropped(isWaiting: Bool) async throws {
    let limiter = PromiseRateLimiter(1, per: .seconds(1), maxWait: .seconds(1), clock: clock)
    let (executor, calls) = (ManualContext(), Counter())
    func run() -> Work {
      limiter.run(on: executor.context) {
        calls.increment()
        return Work(fulfilled: 7)
      }
    }
    if isWaiting {
      try await limiter.perform {}
      let request = run()
      tick(clock, by: .seconds(1))
      request.requestCancel()
      executor.runAll()
      #expect(request.result?.isCancelled == true)
      try await limiter.perform {}
    }
    let promise = run()
    tick(clock, by: isWaiting ? .seconds(1) : .zero)
    executor.dropAll()
    #expect((promise.result?.isCancelled, calls.count) == (true, 0))
    #expect(limiter.run(on: .immediate) { Work(fulfilled: 7) }.result?.value == 7, "the bucket is full")
  }

  /// A key that retains an object.
  private struct Key: Hashable, Sendable {
    let object: Tracker.Tracked

    static func == (left: Key, right: Key) -> Bool { left.object === right.object }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
  }

  @Test("21.12 keys are not retained, even while calls wait")
  func retention() {
    let (limiter, tracker) = (
      PromiseKeyedRateLimiter<Key>(1, per: .seconds(1), maxWait: .seconds(1), clock: clock), Tracker()
    )
    func call() -> [Work] {
      let key = Key(object: tracker.make())
      return (0..<3).map { number in limiter.run(for: key, on: .immediate) { Work(fulfilled: number) } }
    }
    let promises = call()
    #expect(promises.map(\.isResolved) == [true, false, true])
    #expect(tracker.count == 0)
  }

  @Test("21.12 each key has its own bucket, and the fullest one is evicted")
  func keys() async throws {
    let limiter = PromiseKeyedRateLimiter<String>(1, per: .seconds(1), maxKeys: 2, clock: clock)
    func isAdmitted(_ key: String) -> Bool {
      limiter.run(for: key, on: .immediate) { Work(fulfilled: 7) }.result?.value == 7
    }
    #expect(isAdmitted("a"))
    tick(clock, by: .milliseconds(100))
    #expect(isAdmitted("b"))
    #expect(["a", "b"].map(isAdmitted) == [false, false])
    #expect(try await limiter.perform(for: "c") { 7 } == 7)
    await #expect(throws: PromiseRefusalError.self) { try await limiter.perform(for: "b") {} }
    #expect(isAdmitted("a"), "the bucket of a was removed")
  }

  @Test("21.12 outside of a cache, a client waits for its own token only")
  func outsideOfCache() {
    let limiter = PromiseKeyedRateLimiter<String>(1, per: .seconds(10), maxWait: .seconds(10), clock: clock)
    let (cache, loads) = (PromiseCache<Int, Int, any Error>(), Counter())
    func page(_ key: Int, for client: String) -> Work {
      limiter.run(for: client, on: .immediate) {
        cache.promise(for: key, on: .immediate) { key in
          loads.increment()
          return Work(fulfilled: key)
        }
      }
    }
    let greedy = [1, 2].map { page($0, for: "greedy") }
    let polite = page(2, for: "polite")
    #expect((greedy.map { $0.result?.value }, polite.result?.value) == ([1, nil], 2))
    tick(clock, by: .seconds(10))
    #expect((greedy[1].result?.value, loads.count) == (2, 2))
  }

  @Test("21.12 a million keys need no more buckets than the limit")
  func manyKeys() {
    let settings = TokenBucket.Settings(1, per: .seconds(1), burst: 1, maxWait: .zero)
    var (buckets, largest) = (KeyedBuckets(capacity: 100), 0)
    for key in 0..<scaled(1_000_000) {
      _ = buckets.take(key, at: .milliseconds(key), settings)
      largest = max(largest, buckets.count)
    }
    #expect(largest == 100)
  }

  @Test("21.9 invalid numbers and durations are replaced, and reported")
  func invalid() async throws {
    let found = try await diagnostics {
      _ = PromiseRateLimiter(0, per: .zero, burst: -1)
      _ = PromiseKeyedRateLimiter<Int>(1, per: .seconds(-1), maxKeys: 0)
    }
    #expect(
      found == [
        .invalidArgument("PromiseRateLimiter.count: 0 counts as 1"),
        .invalidArgument("PromiseRateLimiter.burst: -1 counts as 1"),
        .invalidArgument("PromiseRateLimiter.per: 0.0 seconds counts as 1e-09 seconds"),
        .invalidArgument("PromiseKeyedRateLimiter.per: -1.0 seconds counts as 1e-09 seconds"),
        .invalidArgument("PromiseKeyedRateLimiter.maxKeys: 0 counts as 1"),
      ])
  }

  @Test("21.9 the longest duration with the largest burst admits and refuses calls")
  func longest() async throws {
    let limiter = PromiseKeyedRateLimiter<Int>(1, per: .seconds(Int64.max), burst: .max, clock: clock)
    try await limiter.perform(for: 1) {}
    for _ in 0..<4 { tick(clock, by: .seconds(Int64.max)) }
    try await limiter.perform(for: 1) {}
    let error = await #expect(throws: PromiseRefusalError.self) { try await limiter.perform(for: 1) {} }
    #expect(error?.retryAfter == .longestWait)
    let many = PromiseRateLimiter(.max, per: .seconds(Int64.max), burst: .max, maxWait: .seconds(Int64.max))
    for _ in 0..<9 { #expect(many.run(on: .immediate) { Work(fulfilled: 7) }.result?.value == 7) }
  }

  @Test("21.9 racing calls get each token once")
  func races() async {
    let caller: @Sendable (Racing) -> Void = { round in
      for key in 0..<4 {
        _ = round.limiter.run(on: .immediate) { round.begin() }
        _ = round.keyed.run(for: key % 2, on: .immediate) { round.begin() }
      }
    }
    await race(
      rounds: 2000, { Racing() }, [caller, caller, caller],
      check: { $0.calls.count == 9 ? nil : "\($0.calls.count) calls" })
  }

  private struct Racing {
    let calls = Counter()
    let limiter = PromiseRateLimiter(3, per: .seconds(1), clock: TestClock())
    let keyed = PromiseKeyedRateLimiter<Int>(3, per: .seconds(1), clock: TestClock())

    func begin() -> Work {
      calls.increment()
      return Work(fulfilled: 7)
    }
  }
}
