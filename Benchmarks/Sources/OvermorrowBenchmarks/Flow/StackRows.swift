import Overmorrow
import OvermorrowFlow

/// The row for several parts around one load, as in the README's first sample of async code.
enum StackRows {
  static func workload(_ count: Int) {
    let cache = AsyncCache<Int, Int>(capacity: 500, timeToLive: .seconds(600))
    let limiter = PromiseLimiter(width: 4)
    let attempts = PromiseRetryPolicy(attempts: 3, backoff: .exponential(.milliseconds(200)).jittered())
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    executor.run {
      for key in 0..<count {
        let value = try? await cache.value(for: key) { key in
          try await limiter.perform {
            try await withRetry(attempts) { _ in
              try await withTimeout(.seconds(600)) { key }
            }
          }
        }
        if key == 1 { expect(value == 1, .st) }
        blackHole(value ?? 0)
      }
    }
    expect(cache.counters.loads == count, .st)
  }
}
