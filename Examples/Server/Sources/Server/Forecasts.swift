import Overmorrow
import OvermorrowFlow

/// Loads forecasts from a slower server and caches them.
///
/// Requests for one city share one load, and at most four loads call the other server at a time. A forecast is fresh for
/// a minute. For an hour after that, the old forecast is returned at once while a new one is loaded; it stays if that
/// load fails. A call may take two seconds. A call that fails is repeated once, if the budget of all loads allows it. If
/// half of the calls fail, the other server is left alone for five seconds.
struct Forecasts: ForecastSource {
  /// Contains the running loads. A load may run without a request that waits for it.
  let gate = PromiseGate()

  private let fetch: @Sendable (String) async throws -> Forecast
  let clock: any Clock<Duration>
  private let cache: AsyncCache<String, Forecast>
  private let limiter: PromiseLimiter
  private let breaker: PromiseCircuitBreaker
  private let policy: PromiseRetryPolicy<any Error>

  init(clock: any Clock<Duration> = ContinuousClock(), fetch: @escaping @Sendable (String) async throws -> Forecast) {
    self.fetch = fetch
    self.clock = clock
    cache = PromiseCache(capacity: 1000, timeToLive: .seconds(60), staleTimeToLive: .seconds(3600), clock: clock)
    limiter = PromiseLimiter(width: 4, maxPending: 100, maxWait: .seconds(5), clock: clock)
    breaker = PromiseCircuitBreaker(minimumCalls: 10, clock: clock)
    var policy = PromiseRetryPolicy(attempts: 2, backoff: .constant(.zero))
      .onlyIf { !($0 is PromiseRefusalError || $0 is AsyncTimeoutError) }
    policy.budget = PromiseRetryBudget(clock: clock)
    self.policy = policy
  }

  func forecast(for city: String) async throws -> Forecast {
    try await cache.value(for: city) { city in
      try await gate.perform {
        try await withRetry(policy, clock: clock) { _ in
          try await limiter.perform {
            try await breaker.perform {
              try await withTimeout(.seconds(2), clock: clock) { try await fetch(city) }
            }
          }
        }
      }
    }
  }
}
