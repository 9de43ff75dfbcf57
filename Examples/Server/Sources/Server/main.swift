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
  NetworkSession.shared.fetch("\(origin)/\(city)")
    .map(on: .utility) { Forecast(city: city, text: try $0.checked().text ?? "") }
}
let server = Application(router: routes(forecasts), configuration: .init(address: .hostname("localhost", port: 8080)))
try await server.runService()
