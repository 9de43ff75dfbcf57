import Overmorrow

// The files of the other programs, rewritten with Overmorrow's promises.

let model = WeatherViewModel()
for city in ["Oslo", ""] {
  _ = await model.load(city).finalResult
  print("\(model.title), loading: \(model.isLoading)")
}
for password in ["secret", "guess"] { print(try await login("eve", password: password).value) }
print(try await thumbnails().value)
