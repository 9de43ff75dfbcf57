import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

@Suite(.heavy) struct PromiseLimiterTests {
  private let limiter = PromiseLimiter(width: 1)

  /// Jobs that run until the test ends them, and a log of the order in which they started.
  private final class Jobs: Sendable {
    let begun = Recorder<Int>()
    let probes: [Probe]

    init(_ count: Int) { probes = (0..<count).map { _ in Probe() } }

    func run(
      _ number: Int, in limiter: PromiseLimiter, on context: PromiseContext = .immediate, priority: Int = 0
    ) -> Subject {
      limiter.run(on: context, priority: priority) { [self] in
        begun.record(number)
        return probes[number].take()
      }
    }

    func runAll(in limiter: PromiseLimiter) -> [Subject] { probes.indices.map { run($0, in: limiter) } }
  }

  // MARK: Turns

  @Test("13.1 13.2 11.10 a limiter runs jobs up to its width and replaces those that end")
  func width() {
    let (limiter, jobs) = (PromiseLimiter(width: 2), Jobs(5))
    let promises = jobs.runAll(in: limiter)
    #expect(jobs.begun.entries == [0, 1])
    #expect((limiter.runningCount, limiter.pendingCount) == (2, 3))
    jobs.probes[1].resolver.fulfill(with: 1)
    #expect(jobs.begun.entries == [0, 1, 2])
    jobs.probes[0].resolver.reject(with: .first)
    jobs.probes[2].resolver.cancel()
    #expect(jobs.begun.entries == [0, 1, 2, 3, 4])
    #expect((limiter.runningCount, limiter.pendingCount) == (2, 0))
    for probe in jobs.probes { probe.resolver.fulfill(with: 9) }
    #expect(promises.map(\.result) == [.error(.first), .value(1), .cancelled, .value(9), .value(9)])
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
  }

  @Test("13.2 a limiter takes jobs of different types and failure types")
  func types() {
    #expect(limiter.run(on: .immediate) { Promise<Bool, String>(rejected: "no") }.result == .error("no"))
    #expect(limiter.run(on: .immediate) { Promise<Int, Never>(fulfilled: 1) }.result == .value(1))
  }

  @Test("13.3 jobs start by priority and, among equals, in the order of the calls")
  func priority() {
    let (limiter, jobs) = (PromiseLimiter(width: 1), Jobs(8))
    let priorities = [0, 1, 5, 1, .max, 5, .min, 1]
    let promises = priorities.enumerated().map { jobs.run($0, in: limiter, priority: $1) }
    while let last = jobs.begun.entries.last, limiter.runningCount > 0 {
      jobs.probes[last].resolver.fulfill(with: last)
    }
    #expect(jobs.begun.entries == [0, 4, 2, 5, 1, 3, 7, 6])
    #expect(promises.allSatisfy { $0.result != nil })
  }

  @Test("13.4 the next job starts before the observers of the job that ended run")
  func nextFirst() {
    let (limiter, jobs) = (PromiseLimiter(width: 1), Jobs(2))
    let promises = jobs.runAll(in: limiter)
    promises[0].tap(on: .immediate) { _ in jobs.begun.record(100) }
    jobs.probes[0].resolver.fulfill(with: 0)
    #expect(jobs.begun.entries == [0, 1, 100])
  }

  @Test("13.1 a job may submit further jobs, which wait like others")
  func nested() {
    let order = Recorder<String>()
    let inner = Holder<Subject>()
    let outer = limiter.run(on: .immediate) {
      order.record("outer begins")
      inner.value = limiter.run(on: .immediate) {
        order.record("inner")
        return Subject(fulfilled: 2)
      }
      order.record("outer ends")
      return Subject(fulfilled: 1)
    }
    #expect((outer.result, inner.value?.result) == (.value(1), .value(2)))
    #expect(order.entries == ["outer begins", "outer ends", "inner"])
  }

  @Test("13.2 an executor that runs its work twice starts a job once")
  func repeated() {
    let (limiter, executor, jobs) = (PromiseLimiter(width: 1), RepeatingExecutor(times: 3), Jobs(1))
    let promise = jobs.run(0, in: limiter, on: .executor(executor))
    jobs.probes[0].resolver.fulfill(with: 1)
    #expect((promise.result, jobs.begun.entries, limiter.runningCount) == (.value(1), [0], 0))
  }

  @Test("13.1 100,000 jobs from several threads run once, at most 8 at a time")
  func manyConcurrent() async {
    let (count, threads) = (scaled(100_000) / 4, 4)
    let (limiter, done) = (PromiseLimiter(width: 8), Latch(count * threads))
    let (inside, most, begun) = (Counter(), Maximum(), Counter())
    for _ in 0..<threads {
      DispatchQueue.global().async {
        for number in 0..<count {
          limiter.run(on: .default) { () -> Subject in
            begun.increment()
            most.record(inside.increment())
            return Subject(on: .utility) { resolver in
              inside.increment(by: -1)
              resolver.fulfill(with: number)
            }
          }.tap(on: .immediate) { _ in done.signal() }
        }
      }
    }
    await done.wait(for: "all jobs")
    #expect(most.value <= 8)
    #expect(begun.count == count * threads)
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
  }

  // MARK: The width

  @Test("13.6 a larger width starts jobs at once, and a smaller width interrupts none")
  func adjust() {
    let (limiter, jobs) = (PromiseLimiter(width: 1), Jobs(6))
    let promises = jobs.runAll(in: limiter)
    limiter.width = 3
    #expect(jobs.begun.entries == [0, 1, 2])
    limiter.width = 1
    #expect((limiter.width, limiter.runningCount) == (1, 3))
    jobs.probes[0].resolver.fulfill(with: 0)
    jobs.probes[1].resolver.fulfill(with: 1)
    #expect(jobs.begun.entries == [0, 1, 2])
    jobs.probes[2].resolver.fulfill(with: 2)
    #expect(jobs.begun.entries == [0, 1, 2, 3])
    limiter.width = 100
    #expect(jobs.begun.entries == [0, 1, 2, 3, 4, 5])
    #expect(jobs.probes.allSatisfy { $0.requestCount == 0 })
    withExtendedLifetime(promises) {}
  }

  @Test("13.6 a width below 1 counts as 1, and the diagnostics report it")
  func badWidth() async throws {
    let found = try await diagnostics {
      let limiter = PromiseLimiter(width: 0)
      #expect(limiter.run(on: .immediate) { Subject(fulfilled: 1) }.result == .value(1))
      limiter.width = -7
      #expect(limiter.width == 1)
      #expect(limiter.run(on: .immediate) { Subject(fulfilled: 2) }.result == .value(2))
    }
    #expect(found == ["0", "-7"].map { .invalidArgument("PromiseLimiter.width: \($0) counts as 1") })
  }

  // MARK: Lifetime

  @Test("13.7 jobs that wait when the last reference to the limiter is released still run")
  func limiterReleased() {
    let jobs = Jobs(3)
    weak var weakLimiter: PromiseLimiter?
    let promises = {
      let limiter = PromiseLimiter(width: 1)
      weakLimiter = limiter
      return jobs.runAll(in: limiter)
    }()
    #expect(weakLimiter != nil)
    for (number, probe) in jobs.probes.enumerated() { probe.resolver.fulfill(with: number) }
    #expect(promises.map(\.result) == [.value(0), .value(1), .value(2)])
    #expect(weakLimiter == nil)
  }

  @Test("11.4 a replaced observer of counts may use its limiter or cache when released")
  func replacedObservers() {
    let (tracker, cache, sums) = (Tracker(), PromiseCache<Int, Int, Refusal>(), Recorder<Int>())
    limiter.observeCounts(tracker.callback(onDeinit: { [limiter] in sums.record(limiter.runningCount) }))
    limiter.observeCounts { _ in }
    cache.observeCounters(tracker.callback(onDeinit: { [cache] in sums.record(cache.counters.hits) }))
    cache.observeCounters { _ in }
    #expect((sums.entries, tracker.count) == ([0, 0], 0))
  }

  @Test("13.5 13.10 a job that ends at once frees its place and retains nothing")
  func overAtOnce() {
    let tracker = Tracker()
    for ending in Ending.allCases {
      let result = ending.result(1, Refusal.first)
      let promise = limiter.run(on: .immediate, tracker.work { Subject(with: result) })
      #expect((promise.result, limiter.runningCount) == (result, 0))
    }
    #expect(tracker.count == 0)
  }
}
