import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Work attached to a pause, and the retry attempts and limiter jobs that a pause suspends.
@Suite(.inTurn) struct PausedWorkTests {
  private let pause = PromisePause()
  private var here: PromiseContext { .immediate.paused(by: pause) }

  // MARK: Attached work

  @Test("7.6 attached work is suspended and resumed with its pause until its promise resolves")
  func attached() {
    let (promise, resolver) = Subject.makeWithResolver()
    var probe: SuspendableProbe? = SuspendableProbe()
    weak let gone = probe
    let calls = { gone?.calls }
    pause.attach(probe!, until: promise)
    probe = nil
    #expect(calls() == [])
    pause.suspend()
    pause.suspend()
    #expect(calls() == [.suspend])
    pause.resume()
    pause.resume()
    pause.suspend()
    #expect(calls() == [.suspend, .resume, .suspend])
    resolver.fulfill(with: 1)
    #expect((promise.result, gone == nil) == (.value(1), true))
  }

  @Test("7.6 work attached to a suspended pause is suspended at once")
  func attachedLate() {
    let (promise, resolver) = Subject.makeWithResolver()
    let (probe, other) = (SuspendableProbe(), SuspendableProbe())
    pause.suspend()
    pause.attach(probe, until: promise)
    pause.attach(other, until: Subject(fulfilled: 1))
    #expect((probe.calls, other.calls) == ([.suspend], []))
    pause.resume()
    #expect((probe.calls, other.calls) == ([.suspend, .resume], []))
    withExtendedLifetime(resolver) {}
  }

  @Test("7.6 work that changes its pause in a call receives the final state last")
  func reentrant() {
    let (promise, resolver) = Subject.makeWithResolver()
    let calls = Recorder<String>()
    let work = SuspendableProbe { [pause] call in
      calls.record("\(call)")
      if call == .resume { pause.suspend() } else if calls.entries.count < 5 { pause.resume() }
      calls.record("end of \(call)")
    }
    pause.attach(work, until: promise)
    pause.suspend()
    #expect(calls.entries == ["suspend", "resume", "suspend"].flatMap { [$0, "end of \($0)"] })
    #expect(pause.isSuspended)
    resolver.cancel()
  }

  @Test("7.5 a pause released while suspended asks the promises of attached work to cancel")
  func dropped() {
    let (tracker, probe) = (Tracker(), IntProbe(complying: true))
    for isSuspended in [false, true] {
      let pause = PromisePause()
      pause.attach(SuspendableProbe(keeping: tracker.make()), until: probe.promise)
      if isSuspended { pause.suspend() }
      #expect((probe.promise.result, tracker.count) == (nil, 1))
    }
    #expect((probe.promise.result, probe.requestCount, tracker.count) == (.cancelled, 1, 0))
  }

  @Test("7.4 suspending repeatedly leaves nothing behind of attached work and waiting callbacks")
  func leftovers() {
    let (blocking, resolver) = Subject.makeWithResolver()
    pause.attach(SuspendableProbe(), until: blocking)
    pause.suspend()
    let waiting = [
      PromiseLimiter(width: 1).run(on: here) { Subject(fulfilled: 1) },
      Subject.retry(Policy(), on: here) { Subject(fulfilled: $0) },
      PromiseCache<Int, Int, Refusal>().promise(for: 1, on: here) { Subject(fulfilled: $0) },
      Subject(fulfilled: 1).map(on: here) { $0 },
    ]
    pause.resume()
    pause.suspend()
    let context = ManualContext()
    let last = Subject(fulfilled: 1).map(on: context.context.paused(by: pause)) { $0 }
    func repeatedly(whileItsQueueRuns runs: Bool) {
      for _ in 0..<100 {
        pause.resume()
        pause.suspend()
        if runs { context.runAll() }
      }
    }
    repeatedly(whileItsQueueRuns: false)
    #expect(context.count == 1)
    repeatedly(whileItsQueueRuns: true)
    #expect(context.count == 0)
    let times = (0..<200).map { number in
      ContinuousClock().measure { repeatedly(whileItsQueueRuns: number % 2 == 0) }
    }
    #expect(context.count <= 1)
    context.runAll()
    pause.resume()
    #expect(context.count == 1)
    pause.suspend()
    context.runAll()
    // The minimum of a hundred short rounds, because other programs may take the processors in some rounds, but not in
    // all.
    let (early, late) = (times.prefix(100).min() ?? .zero, times.suffix(100).min() ?? .zero)
    #expect(late < early * 3)
    #expect(last.result == nil)
    #expect(waiting.map(\.result) == Array(repeating: .value(1), count: waiting.count))
    resolver.cancel()
  }

  // MARK: Retry

  @Test("6.5 7.8 a retry whose pause is suspended begins no attempt and decides nothing")
  func retry() {
    let (calls, asked) = (Counter(), Counter())
    let probes = (0..<2).map { _ in Probe() }
    let promise = Subject.retry(Policy().onlyIf { _ in asked.increment() > 0 }, on: here) { _ in
      probes[calls.increment() - 1].take()
    }
    pause.suspend()
    probes[0].resolver.reject(with: .first)
    #expect((calls.count, asked.count) == (1, 0))
    pause.resume()
    #expect((calls.count, asked.count) == (2, 1))
    probes[1].resolver.fulfill(with: 7)
    #expect(promise.result == .value(7))
  }

  @Test("6.5 7.8 a delay between attempts continues under a suspended pause, but the attempt waits")
  func retryWait() async {
    let (clock, calls) = (TestClock(), Counter())
    let policy = Policy(attempts: 9, backoff: .constant(.seconds(60)))
    let promise = Subject.retry(policy, on: here, clock: clock) {
      calls.increment()
      return $0 == 2 ? Subject(fulfilled: 2) : Subject(rejected: .first)
    }
    pause.suspend()
    await clock.advance(by: .seconds(3600))
    #expect((calls.count, promise.result, clock.sleeperCount) == (1, nil, 0))
    pause.resume()
    #expect((calls.count, promise.result) == (2, .value(2)))
  }

  @Test("7.3 7.8 a retry that waits for its pause between two attempts is cancelled at once")
  func retryCancelled() {
    let (calls, probe) = (Counter(), Probe())
    let promise = Subject.retry(on: here) { _ in
      calls.increment()
      return probe.take()
    }
    pause.suspend()
    probe.resolver.reject(with: .first)
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    pause.resume()
    #expect(calls.count == 1)
  }

  // MARK: Limiter

  @Test("7.8 a job whose turn comes under a suspended pause lets others go first")
  func waitingJob() {
    let (limiter, order) = (PromiseLimiter(width: 1), Recorder<Int>())
    let probes = (0..<4).map { _ in IntProbe() }
    let jobs = (0..<4).map { number in
      limiter.run(on: number == 1 ? here : .immediate) {
        order.record(number)
        return probes[number].take()
      }
    }
    pause.suspend()
    probes[0].resolver.fulfill(with: 0)
    #expect(order.entries == [0, 2])
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 1))
    pause.resume()
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 2))
    for number in [2, 3, 1] { probes[number].resolver.fulfill(with: number) }
    #expect(order.entries == [0, 2, 3, 1])
    #expect(jobs.map(\.result) == (0..<4).map { .value($0) })
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
  }

  @Test("7.8 a running job whose work is suspended keeps its place until it ends")
  func runningJob() {
    let (limiter, probe, work) = (PromiseLimiter(width: 1), IntProbe(), SuspendableProbe())
    pause.attach(work, until: probe.promise)
    let job = limiter.run(on: here) { probe.take() }
    let next = limiter.run(on: .immediate) { Promise<Int, ProbeError>(fulfilled: 2) }
    pause.suspend()
    job.requestCancel()
    #expect((work.calls, probe.requestCount) == ([.suspend], 1))
    #expect((limiter.runningCount, limiter.pendingCount, next.result) == (1, 1, nil))
    probe.resolver.cancel()
    #expect((job.result, next.result) == (.cancelled, .value(2)))
  }

  @Test("7.8 a job granted before its pause is suspended keeps its place until resumed")
  func grantedJob() {
    let (limiter, context, calls) = (PromiseLimiter(width: 1), ManualContext(), Counter())
    let job = limiter.run(on: context.context.paused(by: pause)) { Subject(fulfilled: calls.increment()) }
    pause.suspend()
    context.runAll()
    #expect((calls.count, limiter.runningCount) == (0, 1))
    pause.resume()
    context.runAll()
    #expect((calls.count, limiter.runningCount, job.result) == (1, 0, .value(1)))
  }

  @Test("7.8 20,000 jobs under a suspended pause let another job go first")
  func manyJobs() async throws {
    let count = scaled(20_000)
    let isDone = try await onSmallStack {
      let (limiter, pause) = (PromiseLimiter(width: 8), PromisePause())
      let gate = Subject.makeWithResolver()
      let blocking = (0..<8).map { _ in limiter.run(on: .immediate) { gate.0 } }
      let context = PromiseContext.immediate.paused(by: pause)
      let jobs = (0..<count).map { number in limiter.run(on: context) { Subject(fulfilled: number) } }
      pause.suspend()
      let last = limiter.run(on: .immediate) { Subject(fulfilled: -1) }
      gate.1.fulfill(with: 0)
      guard last.result == .value(-1), limiter.pendingCount == 0, limiter.runningCount == 0 else { return false }
      pause.resume()
      return blocking.allSatisfy { $0.result != nil }
        && jobs.indices.allSatisfy { jobs[$0].waitForResult(timeout: .seconds(60)) == .value($0) }
    }
    #expect(isDone)
  }
}
