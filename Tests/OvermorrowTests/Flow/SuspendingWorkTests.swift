import OvermorrowTesting
import Testing

@testable import Overmorrow

/// Suspensions reach the attempts of a retry, the jobs of a limiter and the loads of a cache.
@Suite(.inTurn) struct SuspendingWorkTests {
  private typealias Subject = Promise<Int, Refusal>
  private typealias Policy = PromiseRetryPolicy<Refusal>

  /// Work that can be suspended: its promise, what resolves that, and what the producer is told.
  private struct Work: Sendable {
    let promise: Subject
    let resolver: Subject.Resolver
    let probe = SuspendableProbe()

    init() {
      (promise, resolver) = Subject.makeWithResolver()
      resolver.attach(probe)
    }
  }

  // MARK: Retry

  @Test("7.2 7.8 suspending a retry reaches the attempt on its way, whichever it is", arguments: [1, 2, 30])
  func attempt(number: Int) {
    let work = Work()
    let promise = Subject.retry(Policy(attempts: 99), on: .immediate) {
      $0 == number ? work.promise : Subject(rejected: .first)
    }
    let child = promise.map(on: .immediate) { $0 + 1 }
    child.suspend()
    #expect(work.probe.calls == [.suspend])
    child.resume()
    #expect(work.probe.calls == [.suspend, .resume])
    work.resolver.fulfill(with: 1)
    #expect(child.result == .value(2))
  }

  @Test("6.5 7.8 suspended in a pause, a retry begins no attempt until it is resumed")
  func pause() async {
    let (clock, calls) = (TestClock(), Counter())
    let promise = Subject.retry(Policy(attempts: 9, backoff: .constant(.seconds(60))), on: .immediate, clock: clock) {
      calls.increment()
      return $0 == 2 ? Subject(fulfilled: 2) : Subject(rejected: .first)
    }
    await clock.waitForSleepers(1)
    promise.suspend()
    clock.advance(by: .seconds(3600))
    await clock.waitForSleepers(0)
    #expect((calls.count, promise.result) == (1, nil))
    promise.resume()
    #expect((calls.count, promise.result) == (2, .value(2)))
  }

  @Test("7.3 cancelled while it is suspended in a pause, a retry settles at once, and leaves no timer")
  func cancelledPause() async {
    let (clock, calls) = (TestClock(), Counter())
    let promise = Subject.retry(Policy(backoff: .constant(.seconds(60))), on: .immediate, clock: clock) { _ in
      calls.increment()
      return Subject(rejected: .first)
    }
    await clock.waitForSleepers(1)
    promise.suspend()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    await clock.waitForSleepers(0)
    #expect(calls.count == 1)
  }

  @Test("7.1 suspended before its context has come to it, a retry begins when it is resumed")
  func firstAttempt() {
    let (context, calls) = (ManualContext(), Counter())
    let promise = Subject.retry(on: context.context) { _ in
      calls.increment()
      return Subject(fulfilled: 1)
    }
    promise.suspend()
    context.runAll()
    #expect(calls.count == 0)
    promise.resume()
    #expect(calls.count == 0)
    context.runAll()
    #expect((calls.count, promise.result) == (1, .value(1)))
  }

  // MARK: Limiter

  @Test("7.2 suspending a job that runs reaches its promise; it keeps its place")
  func runningJob() {
    let (limiter, work) = (PromiseLimiter(width: 1), Work())
    let job = limiter.run(on: .immediate) { work.promise }
    let next = limiter.run(on: .immediate) { Subject(fulfilled: 2) }
    job.suspend()
    #expect(work.probe.calls == [.suspend])
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 1))
    job.resume()
    work.resolver.fulfill(with: 1)
    #expect((job.result, next.result, work.probe.calls) == (.value(1), .value(2), [.suspend, .resume]))
  }

  @Test(
    "7.1 7.8 a job that is suspended when its turn comes lets the others go first, and waits again when it is resumed")
  func waitingJob() {
    let limiter = PromiseLimiter(width: 1)
    let order = Recorder<Int>()
    let works = (0..<4).map { _ in Work() }
    let jobs = (0..<4).map { number in
      limiter.run(on: .immediate) {
        order.record(number)
        return works[number].promise
      }
    }
    jobs[1].suspend()
    jobs[2].suspend()
    jobs[2].resume()
    works[0].resolver.fulfill(with: 0)
    #expect(order.entries == [0, 2])
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 1))
    jobs[1].resume()
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 2))
    for number in [2, 3, 1] { works[number].resolver.fulfill(with: number) }
    #expect(order.entries == [0, 2, 3, 1])
    #expect(jobs.map(\.result) == [.value(0), .value(1), .value(2), .value(3)])
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
  }

  @Test("7.3 a suspended job that has let its turn go is cancelled at once, and is released without having run")
  func cancelledJob() {
    let (limiter, tracker, calls) = (PromiseLimiter(width: 1), Tracker(), Counter())
    let (gate, resolver) = Subject.makeWithResolver()
    let first = limiter.run(on: .immediate) { gate }
    let job = {
      let tracked = tracker.make()
      return limiter.run(on: .immediate) {
        withExtendedLifetime(tracked) { _ = calls.increment() }
        return Subject(fulfilled: 1)
      }
    }()
    job.suspend()
    resolver.fulfill(with: 0)
    #expect((limiter.runningCount, limiter.pendingCount, tracker.count) == (0, 0, 1))
    job.requestCancel()
    #expect((first.result, job.result) == (.value(0), .cancelled))
    #expect((calls.count, tracker.count) == (0, 0))
    #expect(limiter.run(on: .immediate) { Subject(fulfilled: 3) }.result == .value(3))
  }

  @Test("7.8 a suspended job that has let its turn go runs when the last handle of its promise goes")
  func droppedJob() {
    let (limiter, calls) = (PromiseLimiter(width: 1), Counter())
    let (gate, resolver) = Subject.makeWithResolver()
    _ = limiter.run(on: .immediate) { gate }
    var job: Subject? = limiter.run(on: .immediate) {
      calls.increment()
      return Subject(fulfilled: 1)
    }
    job?.suspend()
    resolver.fulfill(with: 0)
    #expect((calls.count, limiter.runningCount) == (0, 0))
    job = nil
    #expect((calls.count, limiter.runningCount) == (1, 0))
  }

  @Test("7.1 suspended between its turn and its context, a job begins when it is resumed, in its place")
  func grantedJob() {
    let (limiter, context, calls) = (PromiseLimiter(width: 1), ManualContext(), Counter())
    let job = limiter.run(on: context.context) {
      calls.increment()
      return Subject(fulfilled: 1)
    }
    job.suspend()
    context.runAll()
    #expect((calls.count, limiter.runningCount) == (0, 1))
    job.resume()
    context.runAll()
    #expect((calls.count, limiter.runningCount, job.result) == (1, 0, .value(1)))
  }

  @Test("7.8 20,000 suspended jobs let the others go first on a small stack, and run when they are resumed")
  func manyJobs() async throws {
    let count = scaled(20_000)
    let isDone = try await onSmallStack {
      let limiter = PromiseLimiter(width: 8)
      let gate = Subject.makeWithResolver()
      let blocking = (0..<8).map { _ in limiter.run(on: .immediate) { gate.0 } }
      let jobs = (0..<count).map { number in limiter.run(on: .immediate) { Subject(fulfilled: number) } }
      for job in jobs { job.suspend() }
      let last = limiter.run(on: .immediate) { Subject(fulfilled: -1) }
      gate.1.fulfill(with: 0)
      guard last.result == .value(-1), limiter.pendingCount == 0, limiter.runningCount == 0 else { return false }
      for job in jobs { job.resume() }
      return blocking.allSatisfy { $0.result != nil }
        && jobs.indices.allSatisfy { number in jobs[number].result == .value(number) }
    }
    #expect(isDone)
  }

  @Test("7.1 race: a job's turn against suspend against resume; it runs once")
  func turnRace() async {
    final class Round: Sendable {
      let limiter = PromiseLimiter(width: 1)
      let calls = Counter()
      let gate = Subject.makeWithResolver()
      let job: Subject

      init() {
        let (gate, calls) = (gate.0, calls)
        _ = limiter.run(on: .immediate) { gate }
        job = limiter.run(on: .immediate) {
          calls.increment()
          return Subject(fulfilled: 1)
        }
      }
    }
    let findings = await race(rounds: 10_000) {
      Round()
    } _: { round in
      round.job.suspend()
    } _: { round in
      round.gate.1.fulfill(with: 0)
    } _: { round in
      round.job.resume()
    } check: { round in
      round.job.resume()
      let state = (round.calls.count, round.job.result, round.limiter.runningCount, round.limiter.pendingCount)
      return state == (1, .value(1), 0, 0) ? nil : "\(state)"
    }
    #expect(findings == [])
  }

  // MARK: Cache

  @Test(
    "7.2 7.8 a load is suspended when all its callers are, and goes on as soon as one is resumed, or another one comes")
  func load() {
    let (cache, work) = (PromiseCache<Int, Int, Refusal>(), Work())
    let callers = (0..<3).map { _ in cache.promise(for: 1, on: .immediate) { _ in work.promise } }
    callers[0].suspend()
    callers[1].suspend()
    #expect(work.probe.calls == [])
    callers[2].suspend()
    #expect(work.probe.calls == [.suspend])
    callers[1].resume()
    #expect(work.probe.calls == [.suspend, .resume])
    callers[1].suspend()
    let late = cache.promise(for: 1, on: .immediate) { _ in Subject(rejected: .second) }
    #expect(work.probe.calls == [.suspend, .resume, .suspend, .resume])
    work.resolver.fulfill(with: 7)
    #expect((late.result, cache.peek(1)) == (.value(7), .value(7)))
    #expect(callers.map(\.result) == [nil, nil, nil])
    for caller in callers { caller.resume() }
    #expect(callers.map(\.result) == [.value(7), .value(7), .value(7)])
  }

  @Test("7.1 when all callers are suspended before their context has come to it, nothing is loaded yet")
  func heldLoad() {
    let (cache, context, calls) = (PromiseCache<Int, Int, Refusal>(), ManualContext(), Counter())
    let callers = (0..<2).map { _ in
      cache.promise(for: 1, on: context.context) { _ in Subject(fulfilled: calls.increment()) }
    }
    for caller in callers { caller.suspend() }
    context.runAll()
    #expect((calls.count, cache.count) == (0, 1))
    callers[0].resume()
    context.runAll()
    #expect((callers[0].result, callers[1].result) == (.value(1), nil))
    callers[1].resume()
    #expect((callers[1].result, calls.count) == (.value(1), 1))
  }

  @Test("7.3 the callers of a suspended load cancel: it is asked once, and forgotten")
  func cancelledLoad() {
    let (cache, probe) = (PromiseCache<Int, Int, Refusal>(), SuspendableProbe())
    let work = CancelProbe<Int, Refusal>()
    work.resolver.attach(probe)
    let callers = (0..<2).map { _ in cache.promise(for: 1, on: .immediate) { _ in work.take() } }
    for caller in callers { caller.suspend() }
    for caller in callers { caller.requestCancel() }
    #expect(callers.map(\.result) == [.cancelled, .cancelled])
    #expect(probe.calls == [.suspend, .cancel])
    #expect(cache.count == 0)
  }
}
