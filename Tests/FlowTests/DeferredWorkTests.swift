import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The common behaviour of all types that defer work: a retry, a limiter, a cache, a rate limiter and a hedge.
@Suite(.inTurn) struct DeferredWorkTests {
  enum Kind: CaseIterable {
    case retry, limiter, cache, rate, hedge
  }

  private let limiter = PromiseLimiter(width: 1)
  private let cache = PromiseCache<Int, Int, Refusal>()
  private let rate = PromiseRateLimiter(1, per: .seconds(1), clock: TestClock())
  private let probe = Probe()

  private var isIdle: Bool { limiter.runningCount == 0 && limiter.pendingCount == 0 && cache.count == 0 }

  private func run(
    _ kind: Kind, on context: PromiseContext = .immediate, _ work: @escaping @Sendable () -> Subject
  ) -> Subject {
    switch kind {
    case .retry: Subject.retry(on: context) { _ in work() }
    case .limiter: limiter.run(on: context, work)
    case .cache: cache.promise(for: 1, on: context) { _ in work() }
    case .rate:
      rate.run(on: context) { work().mapError(on: .immediate) { $0 as any Error } }
        .mapError(on: .immediate) { $0 as? Refusal ?? .second }
    case .hedge: Subject.hedge(after: .seconds(1), attempts: 1, on: context) { _ in work() }
    }
  }

  @Test("6.5 13.2 14.1 the closure runs on its context, and is released there", arguments: Kind.allCases)
  func context(kind: Kind) async {
    let (queue, tracker, places) = (MarkedQueue(), Tracker(), Recorder<Bool>())
    let (gate, resolver) = Subject.makeWithResolver()
    let first = limiter.run(on: .immediate) { gate }
    // The caller retains the closure itself until the call returns.
    queue.queue.suspend()
    let promise = run(kind, on: queue.context) { [tracked = tracker.make { places.record(queue.isCurrent) }] in
      withExtendedLifetime(tracked) { places.record(queue.isCurrent) }
      return Subject(fulfilled: 1)
    }
    queue.queue.resume()
    resolver.fulfill(with: 0)
    #expect(await promise.outcome() == .value(1))
    await queue.drain()
    #expect(places.entries == [true, true])
    #expect((tracker.count, first.result) == (0, .value(0)))
  }

  @Test(
    "3.6 6.5 13.1 13.5 14.8 work dropped or asked to cancel before it begins is cancelled without running",
    arguments: Kind.allCases, [false, true])
  func beforeBeginning(kind: Kind, isDropped: Bool) {
    let (context, tracker, calls) = (ManualContext(), Tracker(), Counter())
    let promise = run(kind, on: context.context, tracker.work { Subject(fulfilled: calls.increment()) })
    #expect(isIdle == (kind != .limiter && kind != .cache))
    // Only a limiter's job delays the next one.
    let next = limiter.run(on: .immediate) { Subject(fulfilled: 0) }
    #expect((next.result == nil) == (kind == .limiter))
    if isDropped { context.dropAll() } else { promise.requestCancel() }
    #expect((promise.result, next.result, tracker.count, isIdle) == (.cancelled, .value(0), 0, true))
    context.runAll()
    #expect(calls.count == 0)
  }

  /// Events for work that waits for its pause to be resumed.
  enum Event: CaseIterable { case resumed, asked, pauseReleased }

  @Test(
    "7.3 7.5 7.8 work that waits for a pause begins on resume() or is cancelled without running",
    arguments: Kind.allCases, Event.allCases)
  func paused(kind: Kind, event: Event) {
    let (tracker, calls) = (Tracker(), Counter())
    var pause: PromisePause? = PromisePause()
    pause?.suspend()
    let context = PromiseContext.immediate.paused(by: pause!)
    let promise = run(kind, on: context, tracker.work { Subject(fulfilled: calls.increment()) })
    #expect((promise.result, tracker.count, limiter.runningCount) == (nil, 1, 0))
    switch event {
    case .resumed: pause?.resume()
    case .asked: promise.requestCancel()
    case .pauseReleased: pause = nil
    }
    let runs = event == .resumed
    #expect((promise.result, calls.count, tracker.count) == (runs ? .value(1) : .cancelled, runs ? 1 : 0, 0))
    #expect(isIdle == (kind != .cache || !runs))
    withExtendedLifetime(pause) {}
  }

  @Test(
    "3.6 6.11 13.8 a request withdraws one vote on running work, whose end frees its place",
    arguments: Kind.allCases)
  func vote(kind: Kind) {
    let sibling = probe.promise.makeChild()
    let promise = run(kind) { [probe] in probe.take() }
    promise.requestCancel()
    #expect(probe.requestCount == 0)
    sibling.requestCancel()
    #expect((probe.requestCount, promise.result) == (1, nil))
    #expect(limiter.runningCount == (kind == .limiter ? 1 : 0))
    probe.resolver.cancel()
    #expect((promise.result, isIdle) == (.cancelled, true))
  }

  @Test("3.6 a child's request reaches the work when the promise has no handle", arguments: Kind.allCases)
  func throughChild(kind: Kind) {
    let child = run(kind) { [probe] in probe.take() }.map(on: .immediate) { $0 }
    child.requestCancel()
    #expect(probe.requestCount == 1)
  }
}
