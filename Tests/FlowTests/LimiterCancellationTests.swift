import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The cancellation of a limiter's jobs.
@Suite(.heavy) struct LimiterCancellationTests {
  /// Ways to request the cancellation of many jobs.
  enum Asking: CaseIterable {
    case whenFulfilled, token, nested
  }

  @Test("13.11 asking many jobs to cancel at once prevents the waiting ones from beginning", arguments: Asking.allCases)
  func all(asking: Asking) {
    let (limiter, begun) = (PromiseLimiter(width: 2), Counter())
    let probes = (0..<20).map { _ in Probe(complying: true) }
    let run: @Sendable (Int) -> Subject = { number in
      // Later jobs have a higher priority, so that the jobs at the front of the queue wait longest.
      limiter.run(on: .immediate, priority: number) {
        begun.increment()
        return probes[number].take()
      }
    }
    switch asking {
    case .whenFulfilled: when(fulfilled: (0..<20).map(run)).requestCancel()
    case .token:
      let token = PromiseInvalidationToken()
      for number in 0..<20 { token.requestCancelOnInvalidate(run(number)) }
      token.invalidate()
    case .nested:
      let jobs = (0..<20).map(run)
      let (outer, resolver) = Subject.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in for job in jobs { job.requestCancel() } }
      outer.requestCancel()
      #expect(jobs.allSatisfy { $0.result == .cancelled })
    }
    #expect(begun.count == 2)
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
  }

  @Test("3.6 13.9 cancelAll cancels the waiting jobs and asks the running ones to cancel")
  func cancelAll() {
    let (limiter, calls) = (PromiseLimiter(width: 2), Counter())
    let (complying, stubborn) = (Probe(complying: true), Probe())
    let running = [complying, stubborn].map { probe in limiter.run(on: .immediate) { probe.take() } }
    let waiting = (0..<5).map { number in
      limiter.run(on: .immediate, priority: number) { Subject(fulfilled: calls.increment()) }
    }
    limiter.cancelAll()
    #expect(running.map(\.result) == [.cancelled, nil])
    #expect(waiting.allSatisfy { $0.result == .cancelled })
    #expect((stubborn.requestCount, calls.count) == (1, 0))
    #expect((limiter.runningCount, limiter.pendingCount) == (1, 0))
    #expect(limiter.run(on: .immediate) { Subject(fulfilled: 8) }.result == .value(8))
    stubborn.resolver.fulfill(with: 1)
    #expect(limiter.runningCount == 0)
  }

  @Test(
    "3.6 11.10 13.1 100,000 jobs run in order, and cancelled ones are released without running",
    arguments: [false, true])
  func many(halfIsCancelled: Bool) async throws {
    let count = scaled(100_000)
    let (ran, tracker) = (Recorder<Int>(), Tracker())
    let isDone = try await onSmallStack {
      let (limiter, gates) = (PromiseLimiter(width: 8), (0..<8).map { _ in Subject.makeWithResolver() })
      let blocking = gates.map { gate in limiter.run(on: .immediate) { gate.0 } }
      let promises = (0..<count).map { number in
        limiter.run(on: .immediate) { [tracked = tracker.make()] in
          withExtendedLifetime(tracked) { ran.record(number) }
          return Subject(fulfilled: number)
        }
      }
      let cancelled = halfIsCancelled ? Array(stride(from: 1, to: count, by: 2)) : []
      for number in cancelled.reversed() { promises[number].requestCancel() }
      let waiting = count - cancelled.count
      guard (limiter.pendingCount, tracker.count, ran.entries) == (waiting, waiting, []) else { return false }
      guard cancelled.allSatisfy({ promises[$0].result == .cancelled }) else { return false }
      for gate in gates { gate.1.fulfill(with: 0) }
      guard blocking.allSatisfy({ $0.result == .value(0) }), limiter.runningCount == 0 else { return false }
      guard limiter.pendingCount == 0, tracker.count == 0 else { return false }
      return promises.indices.allSatisfy { number in
        promises[number].result == (halfIsCancelled && number % 2 == 1 ? .cancelled : .value(number))
      }
    }
    #expect(isDone)
    #expect(ran.entries == Array(stride(from: 0, to: count, by: halfIsCancelled ? 2 : 1)))
  }

  @Test("11.10 when a request races with a job's turn, the job ends exactly once")
  func races() async {
    await race(
      rounds: 2000,
      {
        let (limiter, calls, ended) = (PromiseLimiter(width: 1), Counter(), Counter())
        let (gate, resolver) = Subject.makeWithResolver()
        _ = limiter.run(on: .immediate) { gate }
        let promise = limiter.run(on: .immediate) { Subject(fulfilled: calls.increment()) }
        promise.tap(on: .immediate) { _ in ended.increment() }
        return (limiter: limiter, calls: calls, ended: ended, resolver: resolver, promise: promise)
      },
      { $0.resolver.fulfill(with: 0) }, { $0.promise.requestCancel() }, { $0.limiter.width = 2 },
      check: { round in
        guard round.limiter.runningCount == 0, round.limiter.pendingCount == 0 else { return "a place was lost" }
        guard round.ended.count == 1 else { return "settled \(round.ended.count) times" }
        switch round.promise.result {
        case .value: return round.calls.count == 1 ? nil : "fulfilled without a call"
        case .cancelled: return round.calls.count == 0 ? nil : "cancelled, but called"
        default: return "\(round.promise)"
        }
      })
  }

  @Test("13.1 jobs, requests, changes of width and cancelAll on several threads leave no place occupied")
  func manyThreads() async {
    struct Round: Sendable {
      let limiter = PromiseLimiter(width: 3)
      let promises = Recorder<Subject>()

      func submit() {
        for number in 0..<40 {
          promises.record(
            limiter.run(on: number % 3 == 0 ? .immediate : .default, priority: number % 4) {
              number % 5 == 0 ? Subject(on: .default, fulfilled: 1, after: .zero) : Subject(fulfilled: number)
            })
        }
      }
    }
    let rounds = Recorder<Round>()
    await race(
      rounds: 100, { Round() }, { $0.submit() }, { $0.submit() },
      { round in
        for width in [1, 8, 2, 5, 3] {
          round.limiter.width = width
          for promise in round.promises.entries.suffix(5) { promise.requestCancel() }
        }
        round.limiter.cancelAll()
      },
      check: { round in
        rounds.record(round)
        return nil
      })
    for round in rounds.entries {
      for promise in round.promises.entries { #expect(await promise.outcome() != nil) }
      // If a promise was cancelled while its closure ran, its place is free when the closure has returned.
      await until("all places to be free") { (round.limiter.runningCount, round.limiter.pendingCount) == (0, 0) }
    }
  }
}
