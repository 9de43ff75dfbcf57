import Overmorrow
import Testing

/// The samples of the guide `AsyncAwait.md` and of doc comments. `CoreTests` covers the other statements of the
/// guide.
@Suite(.inTurn) struct AsyncAwaitGuideTests {
  @Test(
    "8.1 8.2 an async closure makes a promise, and async code distinguishes its three outcomes",
    arguments: zip(
      ["Lima", "Atlantis", "nowhere"],
      [
        ["SUN IN LIMA", "sun in Lima", "sun in Lima"], ["Fault()", "no forecast", "The server says: Fault()"],
        ["CancellationError()", "nobody asked"],
      ]))
  func outcomes(city: String, lines: [String]) async {
    let (shown, url) = (Recorder<String>(), city)
    let show = shown.record

    do { show(try await headline(city)) } catch { show("\(error)") }
    show(await describe(forecast(for: city)))

    let page = Promise<Page, any Error> {
      try await download(url)
    }

    switch await page.finalResult {
    case .value(let page): show(page)
    case .error(let fault): show("The server says: \(fault)")
    case .cancelled: break
    }

    #expect(shown.entries == lines)
  }

  @Test("8.1 one promise or several are awaited, all together or in the order of resolution")
  func several() async throws {
    let (north, south) = (forecast(for: "Oslo"), forecast(for: "Rome"))
    let both = try await when(fulfilled: north, south).value
    #expect(both == ("sun in Oslo", "sun in Rome"))

    var lines: Set<String> = []
    await report(["Oslo", "Atlantis", "nowhere"]) { lines.insert($0) }
    #expect(lines == ["Oslo: sun in Oslo", "Atlantis: unknown", "nowhere: unknown"])

    let (files, uploads) = (["a", "b"], [Promise<Int, Fault>(rejected: Fault()), Promise(fulfilled: 2)])
    let progress = Progress()

    for await (index, result) in PromiseCompletionOrder(of: uploads) {
      progress.finish(files[index], with: result)
    }

    #expect(progress.finished.entries == ["a 0", "b 2"])

    func logIn() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }

    let user = try await logIn().value

    #expect(user == "Ada")
  }

  @Test("8.2 an element of an async sequence becomes a promise")
  func sequence() async throws {
    let reports = stream(of: [20, 120, 150].map(Report.init))

    let storm = reports.firstPromise { $0.wind > 100 }

    #expect(try await storm.value?.wind == 120)

    let events = stream(of: [.logout, .login].map(Event.init))

    let login = events.firstPromise { $0.kind == .login }

    #expect(try await login.value?.kind == .login)
  }

  @Test("8.3 a cancelled task stops waiting, and the last one cancels the promise's task")
  func votes() async throws {
    let (isLoading, isCancelled) = (Latch(), Latch())
    @Sendable func forecast(for city: String) -> Promise<String, any Error> {
      Promise {
        isLoading.signal()
        defer { isCancelled.signal() }
        try await Task.sleep(for: .seconds(3600))
        return city
      }
    }

    func waitTwice() -> [Task<String, any Error>] {
      let load = forecast(for: "Lima")
      return [Task { try await load.value }, Task { try await load.value }]
    }

    let waiting = waitTwice()
    waiting[0].cancel()

    await isLoading.wait(for: "the load to begin")
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    #expect(!isCancelled.isOpen)

    waiting[1].cancel()

    await #expect(throws: CancellationError.self) { try await waiting[1].value }
    await isCancelled.wait(for: "the load to be cancelled")
  }

  @Test("2.3 callbacks use the state of their own actor or of the given one")
  @MainActor func actors() async throws {
    let view = ForecastView()
    _ = try await view.show(forecast(for: "Lima")).value
    #expect(view.title == "Today: sun in Lima")

    let archive = Archive()
    _ = try await archive.store(forecast(for: "Lima")).value
    #expect(try await store(forecast(for: "Oslo"), in: archive).value == 2)
    #expect(await archive.forecasts == ["sun in Lima", "sun in Oslo"])
  }

  @Test("1.2 1.4 8.3 a wait ends with a reading, the release of the closures, or its task")
  func sensor() async throws {
    func read(_ act: (Sensor, Task<Int, any Error>) -> Void) async throws -> Int {
      let sensor = Sensor()
      let reading = Task { try await nextReading(of: sensor) }
      await sensor.isWatched.wait(for: "the reading to be asked for")
      act(sensor, reading)
      return try await reading.value
    }
    let first = try await read { sensor, _ in
      sensor.onReading?(7)
      sensor.onReading?(8)
      sensor.onFault?(Fault())
    }
    #expect(first == 7)
    await #expect(throws: CancellationError.self) {
      try await read { sensor, _ in
        sensor.onReading = nil
        sensor.onFault = nil
      }
    }
    await #expect(throws: CancellationError.self) { try await read { _, reading in reading.cancel() } }
  }
}

// MARK: - Samples that are declarations

private func forecast(for city: String) -> Promise<String, any Error> {
  Promise {
    let place = try await locate(city)
    return try await download(place)
  }
}

private func headline(_ city: String) async throws -> String {
  let text = try await forecast(for: city).value
  return text.uppercased()
}

private func describe(_ promise: Promise<String, any Error>) async -> String {
  switch await promise.finalResult {
  case .value(let text): text
  case .error: "no forecast"
  case .cancelled: "nobody asked"
  }
}

private func report(_ cities: [String], to log: (String) -> Void) async {
  let forecasts = cities.map { forecast(for: $0) }
  for await (index, result) in PromiseCompletionOrder(of: forecasts) {
    log("\(cities[index]): \(result.value ?? "unknown")")
  }
}

@MainActor
private final class ForecastView {
  var title = "Today"

  func show(_ forecast: Promise<String, any Error>) -> Promise<String, any Error> {
    forecast
      .map { "\(self.title): \($0)" }
      .then { self.title = $0 }
  }
}

private actor Archive {
  var forecasts: [String] = []

  func store(_ forecast: Promise<String, any Error>) -> Promise<String, any Error> {
    forecast.then { self.forecasts.append($0) }
  }
}

private func store(_ forecast: Promise<String, any Error>, in archive: Archive) -> Promise<Int, any Error> {
  forecast.map(on: .actor(archive)) { text in
    archive.assumeIsolated { archive in
      archive.forecasts.append(text)
      return archive.forecasts.count
    }
  }
}

private func nextReading(of sensor: Sensor) async throws -> Int {
  let reading = Promise<Int, any Error>(on: .immediate) { resolver in
    sensor.onReading = { resolver.fulfill(with: $0) }
    sensor.onFault = { resolver.reject(with: $0) }
  }
  return try await reading.value
}

// MARK: - Stand-ins

private typealias Page = String

private func stream<Element: Sendable>(of elements: [Element]) -> AsyncStream<Element> {
  AsyncStream { continuation in for element in elements { continuation.yield(element) } }
}

private struct Report: Sendable {
  let wind: Int
}

private struct Event: Sendable {
  enum Kind { case login, logout }
  let kind: Kind
}

private struct Progress {
  let finished = Recorder<String>()

  func finish(_ name: String, with end: PromiseResult<Int, Fault>) { finished.record("\(name) \(end.value ?? 0)") }
}

private func locate(_ city: String) async throws -> String { city }

private func download(_ place: String) async throws -> String {
  switch place {
  case "Atlantis": throw Fault()
  case "nowhere": throw CancellationError()
  default: return "sun in \(place)"
  }
}

/// Sendable because a test uses the closures only after it has waited for them.
private final class Sensor: @unchecked Sendable {
  let isWatched = Latch()
  var onReading: (@Sendable (Int) -> Void)?
  var onFault: (@Sendable (any Error) -> Void)? { didSet { isWatched.signal() } }
}
