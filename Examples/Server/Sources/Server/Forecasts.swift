import Hummingbird
import Overmorrow
import OvermorrowFlow

struct Forecast: ResponseCodable, Equatable, Sendable {
  let city: String
  let text: String
}

/// Loads forecasts from a slower server and caches them.
///
/// Requests for one city share one load, and at most four loads run at a time. A forecast is fresh for a minute. For an
/// hour after that, the old forecast is returned at once while a new one is loaded; it stays if that load fails or
/// takes longer than two seconds.
final class Forecasts: Sendable {
  private let fetch: @Sendable (String) -> Promise<Forecast, any Error>
  private let clock: any Clock<Duration>
  private let cache: PromiseCache<String, Forecast, any Error>
  private let limiter = PromiseLimiter(width: 4)

  init(
    clock: any Clock<Duration> = ContinuousClock(), fetch: @escaping @Sendable (String) -> Promise<Forecast, any Error>
  ) {
    self.clock = clock
    self.fetch = fetch
    cache = PromiseCache(capacity: 1000, timeToLive: .seconds(60), staleTimeToLive: .seconds(3600), clock: clock)
  }

  func forecast(for city: String) -> Promise<Forecast, any Error> {
    cache.promise(for: city, on: .utility) { [fetch, clock, limiter] city in
      limiter.run(on: .utility) { fetch(city).timeout(.seconds(2), clock: clock) }
        .catch(on: .utility) { error in print("\(city): \(error)") }
    }
  }
}

/// Returns the routes of the server. If there is no forecast to return, an error gives status 502, and a load that
/// takes too long gives 504.
func routes(_ forecasts: Forecasts) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("forecast/:city") { _, context in
    let city = try context.parameters.require("city")
    do {
      return try await forecasts.forecast(for: city).value
    } catch PromiseTimeoutError<any Error>.timedOut {
      throw HTTPError(.gatewayTimeout)
    } catch {
      throw HTTPError(.badGateway, message: "\(error)")
    }
  }
  return router
}
