import Hummingbird
import NIOCore
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

@testable import Server

/// Real requests over loopback, and a virtual clock for the cache of the server.
@Suite(.timeLimit(.minutes(5))) struct ForecastTests {
  private struct Offline: Error {}

  /// The other server, which counts its forecasts.
  private actor Upstream {
    enum State {
      case up, down, silent
    }

    var state = State.up
    private(set) var count = 0

    func become(_ state: State) { self.state = state }

    func forecast(for city: String) async throws -> Forecast {
      count += 1
      switch state {
      case .up: return Forecast(city: city, text: "\(count)")
      case .down: throw Offline()
      case .silent: return try await Promise<Forecast, any Error>.never.value
      }
    }
  }

  private let clock = TestClock()
  private let upstream = Upstream()
  private let forecasts: Forecasts

  init() {
    forecasts = Forecasts(clock: clock) { [upstream] city in Promise { try await upstream.forecast(for: city) } }
  }

  /// Runs the server while `body` sends requests to its address.
  private func withServer(_ body: (String) async throws -> Void) async throws {
    let (port, resolver) = Promise<Int, any Error>.makeWithResolver()
    let server = Application(
      router: routes(forecasts), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in resolver.fulfill(with: channel.localAddress?.port ?? 0) })
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await body("http://127.0.0.1:\(port.value)/forecast/")
  }

  private func text(at address: String) async throws -> String {
    try await NetworkSession.shared.fetch(address).value.checked().decoded(as: Forecast.self).text
  }

  @Test("requests for one city share a load, and its forecast is kept a minute")
  func shared() async throws {
    try await withServer { address in
      async let (first, second) = (text(at: address + "Oslo"), text(at: address + "Oslo"))
      let both = try await [first, second]
      await clock.advance(by: .seconds(59))
      let third = try await text(at: address + "Oslo")
      #expect(both == ["1", "1"] && third == "1")
    }
    #expect(await upstream.count == 1)
  }

  @Test("a stale forecast is returned at once, even if the other server fails")
  func stale() async throws {
    try await withServer { address in
      var texts = [try await text(at: address + "Oslo")]
      await clock.advance(by: .seconds(61))
      for state in [Upstream.State.down, .up, .up] {
        await upstream.become(state)
        texts.append(try await text(at: address + "Oslo"))
        await clock.advance(by: .zero)
      }
      #expect(texts == ["1", "1", "1", "3"])
    }
  }

  @Test("without a cached forecast, an error gives 502, and a missing answer 504")
  func errors() async throws {
    try await withServer { address in
      await upstream.become(.down)
      let failed = try await NetworkSession.shared.fetch(address + "Oslo").value
      await upstream.become(.silent)
      let response = NetworkSession.shared.fetch(address + "Oslo")
      await clock.waitForSleepers(1, within: .seconds(60))
      await clock.advance(by: .seconds(2))
      let late = try await response.value
      #expect(failed.statusCode == 502 && late.statusCode == 504)
    }
  }

  @Test("at most four loads run at a time")
  func limit() async {
    await upstream.become(.silent)
    let answers = (1...6).map { forecasts.forecast(for: "\($0)") }
    await clock.advance(by: .zero)
    #expect(await upstream.count == 4)
    await clock.advance(by: .seconds(2))
    #expect(await upstream.count == 6)
    await clock.advance(by: .seconds(2))
    for answer in answers { expectRejected(answer) }
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
