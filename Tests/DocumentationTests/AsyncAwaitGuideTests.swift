import Overmorrow
import Testing

/// The samples of the guide `AsyncAwait.md`, and what it says of them.
@Suite(.inTurn) struct AsyncAwaitGuideTests {
  // MARK: Both ways

  @Test("8.2 an async closure makes a promise, and what it throws rejects it or cancels it")
  func fromAsync() async {
    #expect(await forecast(for: "Lima").finalResult.value == "sun in Lima")
    #expect(await forecast(for: "Atlantis").finalResult.error is Fault)
    #expect(await forecast(for: "nowhere").finalResult.isCancelled)
  }

  @Test("8.1 async code gets the value of a promise, or throws its error")
  func value() async throws {
    #expect(try await headline("Lima") == "SUN IN LIMA")
    await #expect(throws: Fault.self) { try await headline("Atlantis") }
    await #expect(throws: CancellationError.self) { try await headline("nowhere") }
  }

  @Test("8.1 async code tells the three outcomes apart")
  func outcome() async {
    #expect(await describe(Promise(fulfilled: "sun")) == "sun")
    #expect(await describe(Promise(rejected: Fault())) == "no forecast")
    #expect(await describe(Promise(with: .cancelled)) == "nobody asked")
  }

  @Test("8.1 several promises are waited for at once, or one after the other as they come in")
  func several() async throws {
    let (north, south) = (forecast(for: "Oslo"), forecast(for: "Rome"))
    let both = try await when(fulfilled: north, south).value
    #expect(both == ("sun in Oslo", "sun in Rome"))

    var lines: Set<String> = []
    await report(["Oslo", "Atlantis", "nowhere"]) { lines.insert($0) }
    #expect(lines == ["Oslo: sun in Oslo", "Atlantis: unknown", "nowhere: unknown"])
  }

  @Test("8.2 a chain continues with an async function")
  func continued() async {
    let promise = Promise<String, any Error>(fulfilled: "Lima")
    #expect(await promise.flatMap { value in Promise { try await download(value) } }.finalResult.value == "sun in Lima")
  }

  @Test("8.2 an async sequence has a promise for an element")
  func sequence() async throws {
    let (reports, feed) = AsyncStream<Report>.makeStream()

    let storm = reports.firstPromise { $0.wind > 100 }

    for wind in [20, 120, 150] { feed.yield(Report(wind: wind)) }
    #expect(try await storm.value?.wind == 120)
  }

  // MARK: Cancelling

  @Test("8.3 a task that is cancelled stops waiting at once, and the last one cancels the task behind the promise")
  func votes() async throws {
    let site = Site()
    @Sendable func forecast(for city: String) -> Promise<String, any Error> { Promise { try await site.endless() } }

    func waitTwice() -> [Task<String, any Error>] {
      let load = forecast(for: "Lima")
      return [Task { try await load.value }, Task { try await load.value }]
    }

    let waiting = waitTwice()
    waiting[0].cancel()

    await site.isLoading.wait(for: "the load to begin")
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    #expect(!site.isCancelled.isOpen)

    waiting[1].cancel()

    await #expect(throws: CancellationError.self) { try await waiting[1].value }
    await site.isCancelled.wait(for: "the load to be cancelled")
  }

  @Test("8.3 a wait that ignores cancellation leaves the promise alone")
  func ignoring() async {
    let probe = CancelProbe<Int, any Error>()
    let waiting = Task { [promise = probe.take().ignoringCancel()] in try await promise.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(probe.requestCount == 0)
  }

  // MARK: Delivery

  @Test("2.8 2.9 a picture that is there is shown at once on its actor, another one later")
  @MainActor func nowIfResolved() async {
    let view = AvatarView()
    show(Promise(fulfilled: "ada.png"), in: view)
    #expect(view.events == ["ada.png"])

    let (promise, resolver) = Promise<Picture, any Error>.makeWithResolver()
    show(promise, in: view)
    resolver.fulfill(with: "bob.png")
    #expect(view.events == ["ada.png"])
    // Registered later on the same queue, so it runs later.
    _ = await promise.map { _ in }.finalResult
    #expect(view.events == ["ada.png", "bob.png animated"])
  }

  // MARK: Actors

  @Test("2.3 callbacks use the state of the actor where they were written, or that they are given")
  @MainActor func actors() async throws {
    let view = ForecastView()
    _ = try await view.show(forecast(for: "Lima")).value
    #expect(view.title == "Today: sun in Lima")

    let archive = Archive()
    _ = try await archive.store(forecast(for: "Lima")).value
    #expect(try await store(forecast(for: "Oslo"), in: archive).value == 2)
    #expect(await archive.forecasts == ["sun in Lima", "sun in Oslo"])
  }

  // MARK: Continuations

  @Test("1.2 a sensor that reports twice is heard once")
  func twice() async throws {
    let sensor = Sensor()
    let reading = Task { try await nextReading(of: sensor) }
    await sensor.isWatched.wait(for: "the reading to be asked for")
    sensor.onReading?(7)
    sensor.onReading?(8)
    sensor.onFault?(Fault())
    #expect(try await reading.value == 7)
  }

  @Test("1.4 a sensor that forgets its closures ends the wait")
  func never() async {
    let sensor = Sensor()
    let reading = Task { try await nextReading(of: sensor) }
    await sensor.isWatched.wait(for: "the reading to be asked for")
    sensor.onReading = nil
    sensor.onFault = nil
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test("8.3 a task that is cancelled does not wait for its sensor")
  func givenUp() async {
    let sensor = Sensor()
    let reading = Task { try await nextReading(of: sensor) }
    await sensor.isWatched.wait(for: "the reading to be asked for")
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
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
private func show(_ avatar: Promise<Picture, any Error>, in view: AvatarView) {
  avatar.then(nowIfResolved: true) { picture in
    view.show(picture, isAnimated: !PromiseContext.isExecutingNow)
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

private typealias Picture = String

private struct Fault: Error {}

private struct Report: Sendable {
  let wind: Int
}

private func locate(_ city: String) async throws -> String {
  if city == "Atlantis" { throw Fault() }
  return city
}

private func download(_ place: String) async throws -> String {
  if place == "nowhere" { throw CancellationError() }
  return "sun in \(place)"
}

/// Loads for as long as it is not cancelled.
private final class Site: Sendable {
  let isLoading = Latch()
  let isCancelled = Latch()

  func endless() async throws -> String {
    isLoading.signal()
    defer { isCancelled.signal() }
    try await Task.sleep(for: .seconds(3600))
    return ""
  }
}

@MainActor
private final class AvatarView {
  private(set) var events: [String] = []

  func show(_ picture: Picture, isAnimated: Bool) { events.append(isAnimated ? "\(picture) animated" : picture) }
}

private final class Sensor: Sendable {
  private let reading = Holder<@Sendable (Int) -> Void>()
  private let fault = Holder<@Sendable (any Error) -> Void>()
  let isWatched = Latch()

  var onReading: (@Sendable (Int) -> Void)? {
    get { reading.value }
    set { reading.value = newValue }
  }

  var onFault: (@Sendable (any Error) -> Void)? {
    get { fault.value }
    set {
      fault.value = newValue
      isWatched.signal()
    }
  }
}
