import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The times that a limiter records, and histograms.
@Suite(.inTurn) struct LimiterTimesTests {
  private typealias AnyFailure = Promise<Int, any Error>

  private let clock = TestClock()

  /// The seconds of a quantile of a histogram, rounded.
  private func seconds(_ share: Double, _ times: PromiseHistogram) -> Double? {
    times.quantile(share).map { ($0 / .seconds(1)).rounded() }
  }

  @Test("13.19 a limiter records how long each job has waited and run")
  func jobs() {
    let limiter = PromiseLimiter(width: 1, recordsTimes: true, clock: clock)
    let works = (0..<3).map { _ in Subject.makeWithResolver() }
    let jobs = works.map { work in limiter.run(on: .immediate) { work.0 } }
    for work in works {
      tick(clock, by: .seconds(10))
      work.1.fulfill(with: 0)
    }
    _ = limiter.run(on: .immediate) { Subject(fulfilled: 1) }
    #expect(jobs.allSatisfy { $0.result == .value(0) })
    #expect((limiter.waitTimes.count, limiter.runTimes.count) == (4, 4))
    #expect([0.5, 0.75, 1].map { seconds($0, limiter.waitTimes) } == [0, 10, 20])
    #expect([0.25, 0.5, 1].map { seconds($0, limiter.runTimes) } == [0, 10, 10])
  }

  @Test("13.19 a limiter records the times of tasks and of async jobs")
  func tasks() async throws {
    let limiter = PromiseLimiter(width: 1, recordsTimes: true, clock: clock)
    let task = try await limiter.perform {
      let task = Task.detached { [clock] in try await limiter.perform { tick(clock, by: .seconds(5)) } }
      await until("the task to wait") { limiter.pendingCount == 1 }
      tick(clock, by: .seconds(3))
      return task
    }
    try await task.value
    _ = try await limiter.run { 1 }.value
    #expect([0.3, 0.6, 1].map { seconds($0, limiter.waitTimes) } == [0, 0, 3])
    #expect([0.3, 0.6, 1].map { seconds($0, limiter.runTimes) } == [0, 3, 5])
  }

  @Test("13.19 work that gets no turn and waits for a pause are not recorded")
  func withoutTurn() async {
    let limiter = PromiseLimiter(width: 1, maxPending: 2, maxWait: .seconds(8), recordsTimes: true, clock: clock)
    let (first, resolver) = AnyFailure.makeWithResolver()
    let running = limiter.run(on: .immediate) { first }
    let jobs = (0..<3).map { _ in limiter.run(on: .immediate) { AnyFailure(fulfilled: 1) } }
    jobs[0].requestCancel()
    tick(clock, by: .seconds(9))
    let task = Task { try await limiter.perform {} }
    await until("the task to wait") { limiter.pendingCount == 1 }
    task.cancel()
    _ = await task.result
    let pause = PromisePause()
    pause.suspend()
    let paused = limiter.run(on: .immediate.paused(by: pause)) { AnyFailure(fulfilled: 2) }
    resolver.fulfill(with: 0)
    tick(clock, by: .seconds(100))
    pause.resume()
    #expect((running.result?.value, paused.result?.value) == (0, 2))
    #expect((limiter.waitTimes.count, limiter.runTimes.count) == (2, 2))
    #expect((seconds(1, limiter.waitTimes), seconds(1, limiter.runTimes)) == (0, 9))

    pause.suspend()
    let cancelled = limiter.run(on: .immediate.paused(by: pause)) { AnyFailure(fulfilled: 2) }
    cancelled.requestCancel()
    pause.resume()
    #expect(limiter.waitTimes.count == 2 && limiter.times?.entryCount == 0)
  }

  @Test("13.19 the waits in the queue before and after a pause count together")
  func queueAroundPause() {
    let limiter = PromiseLimiter(width: 1, recordsTimes: true, clock: clock)
    let works = (0..<2).map { _ in Subject.makeWithResolver() }
    let pause = PromisePause()
    pause.suspend()
    _ = limiter.run(on: .immediate) { works[0].0 }
    let paused = limiter.run(on: .immediate.paused(by: pause)) { Subject(fulfilled: 3) }
    tick(clock, by: .seconds(10))
    works[0].1.fulfill(with: 1)
    _ = limiter.run(on: .immediate) { works[1].0 }
    tick(clock, by: .seconds(1000))
    pause.resume()
    tick(clock, by: .seconds(5))
    works[1].1.fulfill(with: 2)
    #expect(paused.result == .value(3))
    #expect((limiter.waitTimes.count, seconds(1, limiter.waitTimes)) == (3, 15))
  }

  @Test("13.19 a limiter that does not record times has empty histograms")
  func unmeasured() {
    let limiter = PromiseLimiter(width: 1)
    _ = limiter.run(on: .immediate) { Subject(fulfilled: 1) }
    #expect(limiter.waitTimes.count == 0 && limiter.runTimes.quantile(0.5) == nil)
  }

  @Test("13.19 many threads record each job once")
  func races() async {
    let limiter = PromiseLimiter(width: 3, recordsTimes: true)
    let count = scaled(2000)
    let observed = Counter()
    limiter.observeTimes { _, _ in observed.increment() }
    let jobs = (0..<count).map { number in
      limiter.run(on: number % 2 == 0 ? .utility : .immediate) { AnyFailure(fulfilled: number) }
    }
    await expectFulfilled(when(fulfilled: jobs), within: .seconds(60))
    #expect((limiter.waitTimes.count, limiter.runTimes.count, observed.count) == (count, count, 2 * count))
  }

  @Test("13.20 a quantile differs by at most 1/32 from the exact duration")
  func quantiles() throws {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<scaled(20_000) / 100 {
      let longest = Int64(1) << Int64.random(in: 1...46, using: &generator)
      let durations = (0..<Int.random(in: 1...50, using: &generator)).map { _ in
        Int64.random(in: 0...longest, using: &generator)
      }
      var histogram = PromiseHistogram()
      for duration in durations { histogram.record(.nanoseconds(duration)) }
      let sorted = durations.sorted()
      for percent in [0, 1, 7, 29, 50, 55, 90, 99, 100] {
        let exact = sorted[max((sorted.count * percent + 99) / 100, 1) - 1]
        let found = try #require(histogram.quantile(Double(percent) / 100)) / .nanoseconds(1)
        #expect(abs(found - Double(exact)) <= Double(exact) / 32, "\(durations), \(percent) %")
      }
    }
  }

  @Test("13.20 a quantile has exactly its share of the durations")
  func exactShares() {
    for percent in 1..<100 {
      var histogram = PromiseHistogram()
      for number in 1...100 { histogram.record(.nanoseconds(number <= percent ? 1 : 2)) }
      #expect(histogram.quantile(Double(percent) / 100) == .nanoseconds(1), "\(percent) %")
      #expect(histogram.quantile(Double(percent) / 100 + 0.001) == .nanoseconds(2), "\(percent) %")
    }
  }

  @Test("13.20 extreme durations and shares count as the nearest valid ones")
  func extremes() throws {
    var histogram = PromiseHistogram()
    let extremes: [Duration] = [.seconds(Int64.min), .nanoseconds(-1), .seconds(Int64.max), .seconds(200_000)]
    for duration in extremes { histogram.record(duration) }
    #expect(histogram.count == 4 && histogram.quantile(0.5) == .zero)
    #expect(histogram.quantile(-1) == .zero && histogram.quantile(.nan) == .zero)
    let longest = try #require(histogram.quantile(.infinity))
    #expect(longest > .seconds(38 * 3600) && longest < .seconds(40 * 3600))
    #expect(histogram.quantile(0.75) == longest)
  }

  @Test("13.20 histograms can be added, and compared with an earlier copy")
  func parts() {
    var (morning, all) = (PromiseHistogram(), PromiseHistogram())
    #expect(morning.since(all).count == 0)
    for number in 1...10 { morning.record(.seconds(number)) }
    all.merge(morning)
    for number in 101...110 { all.record(.seconds(number)) }
    let evening = all.since(morning)
    #expect((evening.count, all.count, morning.since(all).count) == (10, 20, 0))
    #expect([0, 1].map { seconds($0, all).map { $0 > 90 } } == [false, true])
    #expect(evening.quantile(0).map { $0 > .seconds(90) } == true)
    var twice = all
    twice.merge(all)
    #expect(twice.count == 40 && twice.quantile(0.5) == all.quantile(0.5))
    all.merge(PromiseHistogram())
    #expect(all.count == 20 && all.since(PromiseHistogram()).count == 20)
  }
}
