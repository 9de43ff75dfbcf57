import Overmorrow
import OvermorrowFlow

/// The rows for `PromiseLimiter`, retries and timeouts. The work of a row returns a promise that is already fulfilled.
enum LimitRows {
  private typealias P = Promise<Int, any Error>

  static func workload(for row: Row) -> Workload? {
    switch row {
    case .la: jobs
    case .lb: awaitedJobs
    case .lc: waitingJobs
    case .ld: turns
    case .ra: retries
    case .rb: awaitedRetries
    case .ta: timeouts
    case .tb: timeLimits
    default: nil
    }
  }

  private static func jobs(_ count: Int) {
    let limiter = PromiseLimiter(width: 4)
    for round in 0..<count {
      let promise = limiter.run(on: .immediate) { P(fulfilled: 1) }
      if round == 0 { expect(promise.result?.value == 1, .la) }
      blackHole(promise)
    }
  }

  /// The task of a job runs on the thread of the program, because other threads would change the counts.
  private static func awaitedJobs(_ count: Int) {
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    let limiter = PromiseLimiter(width: 4)
    executor.run {
      for round in 0..<count {
        let value = try? await limiter.run { () async throws(any Error) in 1 }.value
        if round == 0 { expect(value == 1, .lb) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func waitingJobs(_ count: Int) {
    let limiter = PromiseLimiter(width: 1)
    for round in 0..<count / Row.lc.group {
      let (first, resolver) = P.makeWithResolver()
      blackHole(limiter.run(on: .immediate) { first })
      var last: P?
      for _ in 0..<Row.lc.group { last = limiter.run(on: .immediate) { P(fulfilled: 1) } }
      if round == 0 { expect(limiter.pendingCount == Row.lc.group, .lc) }
      resolver.fulfill(with: 1)
      if round == 0 { expect(last?.result?.value == 1, .lc) }
      blackHole(last)
    }
  }

  private static func turns(_ count: Int) {
    let limiter = PromiseLimiter(width: 4)
    OneThread().run {
      for round in 0..<count {
        let value = try? await limiter.perform { round }
        if round == 1 { expect(value == 1, .ld) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func retries(_ count: Int) {
    for round in 0..<count {
      let promise = P.retry(on: .immediate) { P(fulfilled: $0) }
      if round == 0 { expect(promise.result?.value == 1, .ra) }
      blackHole(promise)
    }
  }

  private static func awaitedRetries(_ count: Int) {
    OneThread().run {
      for round in 0..<count {
        let value = try? await withRetry(AsyncRetryPolicy()) { $0 &+ round }
        if round == 1 { expect(value == 2, .rb) }
        blackHole(value ?? 0)
      }
    }
  }

  private static func timeouts(_ count: Int) {
    for round in 0..<count {
      let (promise, resolver) = P.makeWithResolver()
      let limited = promise.timeout(on: .immediate, .seconds(600))
      resolver.fulfill(with: round)
      if round == 1 { expect(limited.result?.value == 1, .ta) }
      blackHole(limited)
    }
  }

  private static func timeLimits(_ count: Int) {
    OneThread().run {
      for round in 0..<count {
        let value = try? await withTimeout(.seconds(600)) { round }
        if round == 1 { expect(value == 1, .tb) }
        blackHole(value ?? 0)
      }
    }
  }
}
