import HTTPTypes
import Hummingbird
import Overmorrow
import OvermorrowFlow
import OvermorrowServiceLifecycle
import ServiceLifecycle

struct Forecast: ResponseCodable, Equatable, Sendable {
  let city: String
  let text: String
}

protocol ForecastSource: Sendable {
  /// Waits for the graceful shutdown of the server, and then for the end of the running loads.
  var service: any Service { get }

  func forecast(for city: String) async throws -> Forecast
}

extension Forecasts {
  var service: any Service { PromiseGateService(gate, cancellingAfter: .seconds(5), clock: clock) }
}

/// Returns the routes of the server. If there is no forecast to return, an error gives status 502, a call that takes too
/// long 504, and a call that was not made 503.
func routes(_ forecasts: some ForecastSource) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("forecast/:city") { _, context in
    let city = try context.parameters.require("city")
    do {
      return try await forecasts.forecast(for: city)
    } catch AsyncTimeoutError.timedOut {
      throw HTTPError(.gatewayTimeout)
    } catch let error as PromiseRefusalError {
      let seconds = error.retryAfter?.components.seconds ?? 1
      throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(seconds)"], message: "\(error)")
    } catch let error as HTTPError {
      throw error
    } catch {
      throw HTTPError(.badGateway, message: "\(error)")
    }
  }
  return router
}
