import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// A correct piece of code, for which neither the global diagnostics nor a checked scope may report anything.
struct CorrectCode: Sendable {
  typealias Subject = Promise<Int, Reason>

  let name: String
  let make: @Sendable () -> Void

  init(_ name: String, _ make: @escaping @Sendable () -> Void) {
    self.name = name
    self.make = make
  }

  /// Errors that an operator discards by design, or that are expected.
  static let discardedErrors = [
    CorrectCode("a second failure of a when") {
      let ((one, first), (other, second)) = (Subject.makeWithResolver(), Subject.makeWithResolver())
      when(fulfilled: [one, other]).catch(on: .immediate) { _ in }
      first.reject(with: "no")
      second.reject(with: "neither")
    },
    CorrectCode("the loser of a race") {
      let ((one, first), (other, second)) = (Subject.makeWithResolver(), Subject.makeWithResolver())
      when(first: [one, other]).catch(on: .immediate) { _ in }
      first.fulfill(with: 1)
      second.reject(with: "late")
    },
    CorrectCode("the losers of a race that is decided at its creation") {
      let (promise, resolver) = Subject.makeWithResolver()
      when(first: [promise, Subject(fulfilled: 1), Subject(rejected: "no")]).catch(on: .immediate) { _ in }
      resolver.reject(with: "late")
    },
    CorrectCode("failures before the first success") {
      let ((one, first), (other, second)) = (Subject.makeWithResolver(), Subject.makeWithResolver())
      when(firstFulfilled: [one, other]).catch(on: .immediate) { _ in }
      first.reject(with: "no")
      second.fulfill(with: 1)
    },
    CorrectCode("a failure after a timeout") {
      let (clock, (promise, resolver)) = (TestClock(), Subject.makeWithResolver())
      promise.timeout(on: .immediate, .seconds(1), clock: clock).catch(on: .immediate) { _ in }
      clock.run()
      resolver.reject(with: "late")
    },
    CorrectCode("failed attempts before the last") {
      let clock = TestClock()
      let policy = PromiseRetryPolicy<Reason>(attempts: 3, backoff: .constant(.seconds(1)))
      Subject.retry(policy, on: .immediate, clock: clock) { number in
        number < 3 ? Subject(rejected: "no") : Subject(fulfilled: 1)
      }.catch(on: .immediate) { _ in }
      clock.run()
    },
    CorrectCode("a cached failure that one caller has observed") {
      let cache = PromiseCache<Int, Int, Reason>(failureTimeToLive: .seconds(1), clock: TestClock())
      for _ in 0..<2 {
        cache.promise(for: 1, on: .immediate) { _ in Subject(rejected: "no") }.catch(on: .immediate) { _ in }
      }
      cache.removeAll()
    },
    CorrectCode("a job whose error is caught") {
      PromiseLimiter(width: 1).run(on: .immediate) { Subject(rejected: "no") }.catch(on: .immediate) { _ in }
    },
    CorrectCode("a failure after a request to cancel") {
      let (promise, resolver) = Subject.makeWithResolver()
      let child = promise.then(on: .immediate) { _ in }
      promise.requestCancel()
      child.requestCancel()
      resolver.reject(with: "stopped")
    },
    CorrectCode("a failure after a request to cancel a child") {
      let (promise, resolver) = Subject.makeWithResolver()
      let child = promise.map(on: .immediate) { $0 }
      child.requestCancel()
      resolver.reject(with: "stopped")
    },
    CorrectCode("a job that fails after all callers have asked") {
      let (promise, resolver) = Subject.makeWithResolver()
      let job = PromiseLimiter(width: 1).run(on: .immediate) { promise }
      job.requestCancel()
      resolver.reject(with: "stopped")
    },
    CorrectCode("a callback for errors that its token suppresses") {
      let token = PromiseInvalidationToken()
      let (promise, resolver) = Subject.makeWithResolver()
      promise.catch(on: .immediate, token: token) { _ in }
      token.invalidate()
      resolver.reject(with: "no")
    },
    CorrectCode("a cancellation that is thrown") { _ = Promise<Int, any Error>(rejected: CancellationError()) },
    CorrectCode("a released owner") {
      let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
      let holder = Holder<Holder<Int>>(Holder(1))
      if let owner = holder.value { promise.bound(to: owner).then(on: .immediate) { _, _ in } }
      holder.value = nil
      resolver.fulfill(with: 1)
    },
  ]

  /// Returns a promise that cancels itself on request.
  private static func obedient() -> Subject {
    Subject(on: .immediate) { resolver in resolver.onRequestCancel(on: .immediate) { _ in resolver.cancel() } }
  }

  /// Resolvers that are used or no longer needed, and promises that end.
  static let resolvers = [
    CorrectCode("cancelled") { _ = Subject(on: .immediate) { $0.cancel() } },
    CorrectCode("fulfilled") { _ = Subject(on: .immediate) { $0.fulfill(with: 1) } },
    CorrectCode("observed, and fulfilled") {
      let (promise, resolver) = Subject.makeWithResolver()
      let all = when(fulfilled: [promise, promise.map(on: .immediate) { $0 }])
      resolver.fulfill(with: 1)
      #expect(all.result == .value([1, 1]))
    },
    CorrectCode("adopting") {
      let (promise, resolver) = Subject.makeWithResolver()
      _ = Subject(on: .immediate) { $0.resolve(with: promise) }
      resolver.fulfill(with: 1)
    },
    CorrectCode("adopting, and rejected afterwards") {
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.resolve(with: Subject(fulfilled: 1))
      resolver.reject(with: "no")
      withExtendedLifetime(promise) {}
    },
    CorrectCode("asked to cancel, fulfilled, and rejected afterwards") {
      let (promise, resolver) = Subject.makeWithResolver()
      promise.requestCancel()
      resolver.fulfill(with: 1)
      resolver.reject(with: "no")
    },
    CorrectCode("dropped when the work was cancelled") {
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { _ in }
      promise.requestCancel()
    },
    CorrectCode("left to the cancel handler") { obedient().requestCancel() },
    CorrectCode("released after its promise") {
      var pair: (promise: Subject?, resolver: Subject.Resolver?) = Subject.makeWithResolver()
      drop(&pair.promise)
      drop(&pair.resolver)
    },
    CorrectCode("loads that are asked to cancel, in flight and before they begin") {
      let (cache, executor) = (PromiseCache<Int, Int, Reason>(), ManualContext())
      cache.promise(for: 1, on: .immediate) { _ in obedient() }.requestCancel()
      cache.promise(for: 2, on: executor.context) { _ in Subject(fulfilled: 1) }.requestCancel()
      executor.runAll()
      #expect(cache.count == 0)
    },
    CorrectCode("jobs that are asked to cancel, in flight and while they wait") {
      let limiter = PromiseLimiter(width: 1)
      let jobs = (0..<4).map { _ in limiter.run(on: .immediate) { obedient() } }
      jobs[2].requestCancel()
      limiter.cancelAll()
      #expect(jobs.allSatisfy { $0.result == .cancelled })
    },
    CorrectCode("a lazy promise that is never read") { _ = LazyPromise<Int, Reason>(on: .immediate) { _ in } },
    CorrectCode("a job that an executor drops") {
      _ = PromiseLimiter(width: 1).run(on: .executor(DroppingExecutor())) { Subject(fulfilled: 1) }
    },
  ]

  /// A case that is only recognized as correct where promises are watched.
  static let droppedBody = CorrectCode("a body that an executor drops") {
    _ = Subject(on: .executor(DroppingExecutor())) { $0.fulfill(with: 1) }
  }
}

/// Ways to observe the error of a promise.
enum ErrorObservation {
  typealias Subject = Promise<Int, Reason>

  /// Callbacks that receive the error, immediately or when the promise is rejected.
  static let callbacks: [@Sendable (Subject) -> Void] = [
    { $0.catch(on: .immediate) { _ in } },
    { $0.always(on: .immediate) { _ in } },
    { $0.tap(on: .immediate) { _ in } },
    { _ = $0.recover(on: .immediate) { _ in 1 } },
    { _ = $0.mapError(on: .immediate) { $0 } },
    { _ = $0.mapResult(on: .immediate) { $0 } },
    { _ = $0.flatMapError(on: .immediate) { Subject(rejected: $0).tap(on: .immediate) { _ in } } },
    { $0.map(on: .immediate) { $0 }.then(on: .immediate) { _ in }.catch(on: .immediate) { _ in } },
    {
      _ = $0.map(on: .immediate) { $0 }
      $0.then(on: .immediate) { _ in }
      $0.catch(on: .immediate) { _ in }
    },
    {
      $0.catch(on: .immediate) { _ in }.then(on: .immediate) { _ in }
      $0.then(on: .immediate) { _ in }
      _ = $0.map(on: .immediate) { $0 }
    },
    { promise in
      Subject(fulfilled: 1).flatMap(on: .immediate) { _ in promise }.catch(on: .immediate) { _ in }
      promise.then(on: .immediate) { _ in }
      _ = promise.map(on: .immediate) { $0 }
    },
    { promise in Subject(on: .immediate) { $0.resolve(with: promise) }.catch(on: .immediate) { _ in } },
    { $0.makeChild().ignoringCancel().tap().catch(on: .immediate) { _ in } },
    { when(fulfilled: [$0, $0.map(on: .immediate) { $0 }]).catch(on: .immediate) { _ in } },
    { _ = when(settled: [$0]) },
    { $0.timeout(on: .immediate, .seconds(60)).catch(on: .immediate) { _ in } },
    { $0.catch(on: .immediate, token: PromiseInvalidationToken()) { _ in } },
    { $0.catch(on: .executor(DroppingExecutor())) { _ in } },
  ]

  /// Code that reads the error of a promise after its rejection.
  static let reads: [@Sendable (Subject) -> Void] = [
    { _ = $0.result },
    { _ = $0.description },
    { _ = $0.map(on: .immediate) { $0 }.result },
    { _ = $0.timeout(on: .immediate, .seconds(9)).result },
    { _ = when(fulfilled: [$0]).result },
    { _ = when(fulfilled: $0, $0).result },
    { _ = when(first: [$0]).result },
  ]

  /// Checks that nothing is reported if the error is observed, also if another callback is registered.
  static func check(
    andBy more: [@Sendable (Subject) -> Void] = [], _ findings: (() -> Void) -> [PromiseDiagnostic]
  ) {
    for (index, look) in (callbacks + more + reads).enumerated() {
      let atOnce = findings { look(Subject(rejected: "no")) }
      #expect(atOnce == [], "\(index): \(atOnce)")
      // Code that only reads would read before the rejection.
      guard index < (callbacks + more).count else { continue }
      let later = findings {
        let (promise, resolver) = Subject.makeWithResolver()
        look(promise)
        resolver.reject(with: "no")
      }
      #expect(later == [], "\(index), later: \(later)")
    }
  }
}

/// Like an assignment of `nil`, but without a compiler warning about an unused variable. Not inlined, because the
/// optimiser would release the variable before this point if it is not used again.
@inline(never) private func drop<T>(_ variable: inout T?) { variable = nil }
