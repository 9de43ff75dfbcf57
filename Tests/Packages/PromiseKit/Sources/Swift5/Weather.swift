import Foundation
import PromiseKit

enum WeatherError: Error { case unknownCity }

class WeatherService {
  func forecast(for city: String) -> Promise<Int> {
    return Promise { seal in
      DispatchQueue.global().async {
        if city.isEmpty { return seal.reject(WeatherError.unknownCity) }
        seal.fulfill(city.count)
      }
    }
  }
}

class WeatherViewModel {
  let service = WeatherService()
  var isLoading = false
  var title = ""

  func load(_ city: String) -> Guarantee<Void> {
    isLoading = true
    let (shown, show) = Guarantee<Void>.pending()
    firstly {
      service.forecast(for: city)
    }.map(on: .global()) { degrees in
      "\(city): \(degrees)°"
    }.get { text in
      print("got \(text)")
    }.done { text in
      self.title = text
    }.ensure {
      self.isLoading = false
    }.catch { error in
      self.title = "\(error)"
    }.finally {
      print("\(self.title), loading: \(self.isLoading)")
      show(())
    }
    return shown
  }
}
