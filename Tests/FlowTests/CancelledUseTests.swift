import Testing

@testable import Overmorrow
@testable import OvermorrowEngine
@testable import OvermorrowFlow

/// What cancelled calls leave on a pending promise that their work has returned.
@Suite(.inTurn) struct CancelledUseTests {
  typealias Subject = Promise<Int, any Error>

  /// A function of the library that calls work, and passes the result of the work's promise on.
  struct Use: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether a call that was asked to cancel still ends with the result of the work.
    var isPatient = true
    let make: @Sendable () -> @Sendable (Subject) -> Subject

    static let all = [
      Use(testDescription: "a cache") {
        let cache = PromiseCache<Int, Int, any Error>()
        return { work in cache.promise(for: 1, on: .immediate) { _ in work } }
      },
      Use(testDescription: "a cache whose key was removed") {
        let cache = PromiseCache<Int, Int, any Error>()
        return { work in
          let calls = (0..<2).map { _ in cache.promise(for: 1, on: .immediate) { _ in work } }
          cache.removeAll()
          calls[1].requestCancel()
          return calls[0]
        }
      },
      Use(testDescription: "a cache with a value that is out of date") {
        let clock = TestClock()
        let cache = PromiseCache<Int, Int, any Error>(
          timeToLive: .seconds(1), staleTimeToLive: .seconds(1), clock: clock)
        return { work in
          cache.setValue(1, for: 1)
          clock.advance(by: .seconds(1))
          _ = cache.promise(for: 1, on: .immediate) { _ in work }
          clock.advance(by: .seconds(1))
          return cache.promise(for: 1, on: .immediate) { _ in work }
        }
      },
      Use(testDescription: "a batcher", isPatient: false) {
        let loads = Recorder<Promise<[Int: Int], any Error>>()
        let batcher = PromiseBatcher<Int, Int>(on: .immediate) { _ in loads.entries[0] }
        return { work in
          if loads.entries.isEmpty { loads.record(work.map(on: .immediate) { [1: $0] }) }
          return batcher.promise(for: 1)
        }
      },
      Use(testDescription: "a retry") { { work in Promise.retry(on: .immediate) { _ in work } } },
      Use(testDescription: "a retry with a condition") {
        { work in Promise.retry(on: .immediate, { _ in work }, until: { $0 > 0 }) }
      },
      Use(testDescription: "a retry with a budget") {
        var policy = PromiseRetryPolicy<any Error>()
        policy.budget = PromiseRetryBudget()
        return { [policy] work in Promise.retry(policy, on: .immediate) { _ in work } }
      },
      Use(testDescription: "a hedge") {
        { work in Promise.hedge(after: .seconds(1000), on: .immediate, clock: TestClock()) { _ in work } }
      },
      Use(testDescription: "a breaker") {
        let breaker = PromiseCircuitBreaker()
        return { work in breaker.run { work.makeChild() } }
      },
      Use(testDescription: "a rate limiter") {
        let limiter = PromiseRateLimiter(1_000_000, per: .seconds(1), clock: TestClock())
        return { work in limiter.run(on: .immediate) { work } }
      },
    ]
  }

  @Test("3.13 thousands of cancelled calls leave nothing on a pending promise", arguments: Use.all)
  func leaves(use: Use) {
    let (work, resolver) = Subject.makeWithResolver()
    let call = use.make()
    for _ in 0..<scaled(40_000) / 20 { call(work).requestCancel() }
    #expect(work.waiterCount <= 2)
    resolver.fulfill(with: 1)
  }

  @Test("3.7 3.13 a kept promise gets the late value of cancelled work", arguments: Use.all)
  func late(use: Use) {
    let (work, resolver) = Subject.makeWithResolver()
    let promise = use.make()(work)
    promise.requestCancel()
    let child = promise.makeChild()
    resolver.fulfill(with: 7)
    #expect(child.result?.value == (use.isPatient ? 7 : nil))
    #expect(promise.result?.value == child.result?.value)
  }

  @Test("3.13 15.2 the late error of cancelled work is not reported", arguments: Use.all)
  func lateError(use: Use) async throws {
    let found = try await diagnostics {
      let (work, resolver) = Subject.makeWithResolver()
      let call = use.make()
      call(work).requestCancel()
      resolver.reject(with: Refusal.first)
      _ = work.result?.error
    }
    #expect(found == [])
  }

  @Test("3.13 21.16 attempts that have lost leave a pending promise")
  func losers() {
    let ((work, resolver), turns) = (Subject.makeWithResolver(), ManualContext())
    for _ in 0..<scaled(40_000) / 40 {
      let hedge = Subject.hedge(after: .zero, on: turns.context) { $0 == 1 ? work : Promise(fulfilled: $0) }
      turns.runAll()
      guard hedge.result?.value == 2 else {
        Issue.record("the second attempt has not won: \(hedge)")
        return
      }
    }
    #expect(work.waiterCount <= 2)
    resolver.fulfill(with: 1)
  }

  @Test("21.7 3.13 a dropped trial call that was cancelled makes room for another one")
  func trial() {
    let breaker = PromiseCircuitBreaker(minimumCalls: 1, openDuration: .zero, clock: TestClock())
    _ = breaker.run { Subject(rejected: Refusal.first) }.result?.error
    #expect(breaker.state == .open)
    let (work, resolver) = Subject.makeWithResolver()
    breaker.run { work.makeChild() }.requestCancel()
    #expect(breaker.state == .halfOpen)
    #expect(breaker.run { Subject(fulfilled: 1) }.result?.value == 1)
    #expect(breaker.state == .closed)
    resolver.fulfill(with: 1)
  }
}

extension Promise {
  /// The number of cores in the promise's list, including those that have ended. No other thread may use the promise
  /// while this runs.
  fileprivate var waiterCount: Int {
    sequence(first: handle.core.state.newestWaiter) { $0?.next }.prefix { $0 != nil }.count { _ in true }
  }
}
