import Overmorrow
import OvermorrowFlow

/// Every form of a retry.
func retrying(_ generator: some RandomNumberGenerator & Sendable, clock: some Clock<Duration>) {
  var random = generator
  var policy = PromiseRetryPolicy<LoadError>(
    attempts: 4, backoff: .exponential(.milliseconds(200), factor: 3), deadline: nil
  )
  .onlyIf { error in
    if case .offline = error { true } else { false }
  }
  .retryAfter { _ in .seconds(3) }
  policy.attempts += 1
  policy.deadline = .seconds(30)
  policy.backoff = PromiseRetryBackoff { attempt in .seconds(attempt) }.capped(at: .seconds(3)).jittered(0.8...1.2)
  let delay = policy.backoff.delay(after: 1, using: &random)
  print(policy.attempts, policy.deadline ?? delay, PromiseRetryBackoff.none, PromiseRetryBackoff.constant(.seconds(1)))
  let page = Promise.retry(policy, on: .utility, clock: clock, generator: generator) { number in
    Promise<Int, LoadError>(fulfilled: number)
  }
  let again = Promise<Int, LoadError>.retry(on: .main) { number in
    number < 3 ? Promise(rejected: .offline) : page
  }
  let plain = Promise<Int, String>.retry(on: .main) { _ in Promise(rejected: "no") }
  let any: Promise<Int, any Error> = .retry(on: .main) { _ in again.upcast }
  let polled = Promise.retry(policy, on: .utility) { _ in
    page
  } until: {
    $0 > 3
  }
  print(plain, any, polled)
}

/// Jobs of a limiter.
func limiting(_ promise: Promise<Int, LoadError>) {
  let limiter = PromiseLimiter(width: 4)
  let job = limiter.run(on: .utility) { promise }
  job.then { print($0) }
  limiter.run(on: .utility, priority: 1) { Promise<Int, LoadError>(rejected: .offline) }.catch { print($0) }
  limiter.run(on: .immediate) { Promise<Int, String>(rejected: "no") }.catch { print($0) }
  limiter.width += 1
  print(limiter.runningCount, limiter.pendingCount)
  limiter.cancelAll()
}

/// A cache that shares a load among callers.
func sharing(_ promise: Promise<Int, LoadError>, clock: any Clock<Duration>) {
  let cache = PromiseCache<String, Int, LoadError>(
    timeToLive: .seconds(60), failureTimeToLive: .seconds(1), clock: clock)
  cache.promise(for: "a", on: .utility) { _ in promise }.then { print($0) }
  cache.promise(for: "b", on: .utility) { _ throws(LoadError) in throw .offline }.catch { print($0) }
  print(cache.peek("a") ?? .cancelled, cache.count)
  cache.remove("a")
  cache.removeAll()
  let plain = PromiseCache<Int, Int, Never>()
  plain.promise(for: 1, on: .immediate) { Promise(fulfilled: $0) }.then { print($0) }
  let sized = PromiseCache<Int, String, Never>(totalCostLimit: 1000, capacity: 10, clock: clock, cost: \.utf8.count)
  let short = PromiseCache<Int, String, Never>(totalCostLimit: 1000) { $0.count }
  print(sized.totalCost, short.count)
}

/// Keys that are loaded together.
func batching(clock: any Clock<Duration>) async throws {
  let batcher = PromiseBatcher<Int, String>(maxSize: 10, window: .seconds(1), clock: clock, on: .main) { keys in
    Promise(fulfilled: [keys[0]: "a"])
  }
  batcher.promise(for: 1).then { print($0) }
  let plain = PromiseBatcher<Int, String> { keys in [keys[0]: "a"] }
  do {
    print(try await plain.value(for: 1))
  } catch let error as PromiseMissingKeyError<Int> {
    print(error.description, error.key, error == PromiseMissingKeyError(key: 2), error.hashValue)
  }
}

/// Callbacks and work that can be suspended.
func suspending(_ promise: Promise<Int, LoadError>) {
  final class Work: PromiseSuspendable {
    func suspend() {}
    func resume() {}
  }
  let work: any PromiseSuspendable = Work()
  work.suspend()
  work.resume()
  let pause = PromisePause()
  pause.attach(work, until: promise)
  promise.map(on: .utility.paused(by: pause)) { $0 + 1 }.then(on: .main.paused(by: pause)) { print($0) }
  pause.suspend()
  let inner = PromisePause(within: pause)
  if inner.isSuspended { pause.resume() }
  inner.resume()
}

/// Progress.
@MainActor func progressing() async {
  let (promise, progress) = Promise<Int, LoadError>.withProgress(on: .utility, total: 3) { resolver, progress in
    progress.report(completed: 1)
    progress.report(completed: 2, of: 4)
    resolver.fulfill(with: 1)
  }
  let (_, other) = Promise<Int, LoadError>.withProgress(on: .utility) { _, _ throws(LoadError) in throw .offline }
  let whole = PromiseProgress(combining: [(progress: progress, weight: 2), (progress: other, weight: 1)])
  let even = PromiseProgress(combining: [whole, PromiseProgress(total: 4)])
    .ending(with: when(fulfilled: [promise, promise], cancelOnFailure: true))
  progress.onProgress(on: .main, token: PromiseInvalidationToken()) { print($0.completed, $0.total ?? 0) }
  var last: Double?
  progress.onProgress { last = $0.fraction }
  for await step in even where step.isFinished { print(step) }
  even.finish(isComplete: false)
  print(promise, last ?? 0, even.current)
}
