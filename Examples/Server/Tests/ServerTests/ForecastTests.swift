import Hummingbird
import NIOCore
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@testable import Server

/// Real requests over loopback, and a virtual clock for the cache of the server. The server with the library's parts and
/// the server in plain async/await pass the same tests.
@Suite(.timeLimit(.minutes(5))) struct ForecastTests {
  enum Form: CaseIterable {
    case parts, plain
  }

  private let clock = TestClock()
  private let upstream = Upstream()

  private func makeSource(_ form: Form) -> any ForecastSource {
    let fetch = { @Sendable [upstream] city in try await upstream.forecast(for: city) }
    return switch form {
    case .parts: Forecasts(clock: clock, fetch: fetch)
    case .plain: PlainForecasts(clock: clock, fetch: fetch)
    }
  }

  /// Runs the server while `body` sends requests to its address.
  private func withServer(_ form: Form, _ body: (String) async throws -> Void) async throws {
    let (port, resolver) = Promise<Int, any Error>.makeWithResolver()
    let server = makeServer(makeSource(form), resolver)
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await body("http://127.0.0.1:\(port.value)/forecast/")
  }

  private func makeServer(
    _ source: some ForecastSource, _ port: Promise<Int, any Error>.Resolver
  ) -> some ApplicationProtocol {
    Application(
      router: routes(source), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      services: [source.service],
      onServerRunning: { channel in port.fulfill(with: channel.localAddress?.port ?? 0) })
  }

  private func text(at address: String) async throws -> String {
    try await NetworkSession.shared.fetch(address).value.checked().decoded(as: Forecast.self).text
  }

  private func status(at address: String) async throws -> Int {
    try await NetworkSession.shared.fetch(address).value.statusCode
  }

  @Test("requests for one city share a load, and its forecast is kept a minute", arguments: Form.allCases)
  func shared(form: Form) async throws {
    try await withServer(form) { address in
      async let (first, second) = (text(at: address + "Oslo"), text(at: address + "Oslo"))
      let both = try await [first, second]
      await clock.advance(by: .seconds(59))
      let third = try await text(at: address + "Oslo")
      #expect(both == ["1", "1"] && third == "1")
    }
    #expect(await upstream.count == 1)
  }

  @Test("a stale forecast is returned at once, even if the other server fails", arguments: Form.allCases)
  func stale(form: Form) async throws {
    try await withServer(form) { address in
      var texts = [try await text(at: address + "Oslo")]
      await clock.advance(by: .seconds(61))
      for state in [Upstream.State.down, .up, .up] {
        await upstream.become(state)
        texts.append(try await text(at: address + "Oslo"))
        await clock.advance(by: .zero)
      }
      // The load of the server that is down was repeated once.
      #expect(texts == ["1", "1", "1", "4"])
    }
  }

  @Test("without a cached forecast, an error gives 502, and a missing answer 504", arguments: Form.allCases)
  func errors(form: Form) async throws {
    try await withServer(form) { address in
      await upstream.become(.down)
      let failed = try await status(at: address + "Oslo")
      await upstream.become(.silent)
      let late = try await clock.run { try await status(at: address + "Oslo") }
      #expect(failed == 502 && late == 504 && clock.now.offset == .seconds(2))
    }
  }

  @Test("a call that fails once is repeated", arguments: Form.allCases)
  func repeated(form: Form) async throws {
    try await withServer(form) { address in
      await upstream.become(.downOnce)
      let answer = try await text(at: address + "Oslo")
      #expect(answer == "2")
    }
  }

  @Test("a server that fails is left alone for five seconds", arguments: Form.allCases)
  func broken(form: Form) async throws {
    try await withServer(form) { address in
      await upstream.become(.down)
      var statuses: [Int] = []
      for number in 1...7 { statuses.append(try await status(at: "\(address)\(number)")) }
      // Each of the first five requests made two calls.
      #expect(statuses == [502, 502, 502, 502, 502, 503, 503])
      let count = await upstream.count
      #expect(count == 10)
      await upstream.become(.up)
      await clock.advance(by: .seconds(5))
      let answers = [try await text(at: address + "8"), try await text(at: address + "9")]
      #expect(answers == ["11", "12"])
    }
  }

  @Test("at most four calls run at a time", arguments: Form.allCases)
  func limit(form: Form) async throws {
    let source = makeSource(form)
    await upstream.become(.silent)
    let forecasts = (1...6).map { number in Task { try await source.forecast(for: "\(number)") } }
    await upstream.waitForCalls(4)
    await clock.advance(by: .zero)
    #expect(await upstream.count == 4)
    // Each call ends at its time limit.
    try await clock.run { for forecast in forecasts { _ = await forecast.result } }
    #expect(await upstream.count == 6)
  }

  @Test("after a graceful shutdown, the server waits for its loads for five seconds", arguments: Form.allCases)
  func shutdown(form: Form) async throws {
    let source = makeSource(form)
    let (port, resolver) = Promise<Int, any Error>.makeWithResolver()
    let server = makeServer(source, resolver)
    try await testGracefulShutdown { trigger in
      async let running: Void = server.run()
      let address = try await "http://127.0.0.1:\(port.value)/forecast/"
      _ = try await text(at: address + "Oslo")
      await clock.advance(by: .seconds(61))
      await upstream.become(.slow)
      // The stale forecast is returned, and its load has no request that waits for it.
      _ = try await text(at: address + "Oslo")
      await upstream.waitForCalls(2)
      trigger.triggerGracefulShutdown()
      // The time limit of the call, and the deadline of the shutdown. The time does not move to them, so the load ends.
      await clock.waitForSleepers(2, within: .seconds(60))
      await upstream.end()
      try await running
    }
    await #expect(throws: (any Error).self) { try await source.forecast(for: "Bergen") }
  }
}

/// The other server, which counts its calls.
private actor Upstream {
  enum State {
    case up, down, downOnce, silent, slow
  }

  private struct Offline: Error {}

  private(set) var state = State.up
  private(set) var count = 0
  private let answer: Promise<Void, any Error>
  private let resolver: Promise<Void, any Error>.Resolver
  private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  init() { (answer, resolver) = Promise.makeWithResolver() }

  func become(_ state: State) { self.state = state }

  /// Ends the slow calls.
  func end() { resolver.fulfill(with: ()) }

  func waitForCalls(_ number: Int) async {
    guard count < number else { return }
    await withCheckedContinuation { waiters.append((number, $0)) }
  }

  func forecast(for city: String) async throws -> Forecast {
    count += 1
    for waiter in waiters where waiter.count == count { waiter.continuation.resume() }
    switch state {
    case .up: break
    case .down: throw Offline()
    case .downOnce:
      state = .up
      throw Offline()
    case .silent: return try await Promise<Forecast, any Error>.never.value
    case .slow: try await answer.value
    }
    return Forecast(city: city, text: "\(count)")
  }
}

extension Promise {
  /// Resolved by a request to cancel only.
  fileprivate static var never: Promise {
    let (promise, resolver) = makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { _ in resolver.cancel() }
    return promise
  }
}
