import Foundation
import Hummingbird
import Overmorrow
import OvermorrowFoundation

// Serves http://localhost:8080/forecast/CITY from the server whose address is the argument.
guard let origin = CommandLine.arguments.dropFirst().first else {
  print("usage: Server ADDRESS")
  exit(2)
}

let forecasts = Forecasts { city in
  let response = try await NetworkSession.shared.fetch("\(origin)/\(city)").value.checked()
  return Forecast(city: city, text: response.text ?? "")
}
let server = Application(
  router: routes(forecasts), configuration: .init(address: .hostname("localhost", port: 8080)),
  services: [forecasts.service])
try await server.runService()
