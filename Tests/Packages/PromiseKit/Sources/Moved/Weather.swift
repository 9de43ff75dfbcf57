import Overmorrow

enum WeatherError: Error { case unknownCity }

final class WeatherService: Sendable {
  func forecast(for city: String) -> Promise<Int, any Error> {
    Promise(on: .utility) { resolver in
      if city.isEmpty { throw WeatherError.unknownCity }
      resolver.fulfill(with: city.count)
    }
  }
}

@MainActor final class WeatherViewModel {
  let service = WeatherService()
  var isLoading = false
  var title = ""

  @discardableResult
  func load(_ city: String) -> Promise<String, any Error> {
    isLoading = true
    return service.forecast(for: city)
      .map(on: .utility) { degrees in "\(city): \(degrees)°" }
      .then { text in self.title = text }
      .always { _ in self.isLoading = false }
      .catch { error in self.title = "\(error)" }
  }
}
