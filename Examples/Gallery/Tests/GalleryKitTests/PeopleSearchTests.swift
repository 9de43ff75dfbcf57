import DemoServer
import Foundation
import Overmorrow
import OvermorrowFlow
import TestSupport
import Testing

@testable import GalleryKit

@Suite(.timeLimit(.minutes(1))) struct PeopleSearchTests {
  private static let ada = User(name: "Ada Lovelace", avatar: "/avatars/1.png")

  /// The texts that the server has received.
  private let asked = Recorder<String>()
  private let clock = ManualClock()

  /// Makes a server that never answers a search for a single letter.
  private func makeServer(reached: Latch = Latch()) async throws -> LocalServer {
    let start = DemoServer.start(searching: { [asked] text in
      asked.record(text)
      guard text.count == 1 else { return }
      reached.arrive()
      try await Task.sleep(for: .seconds(3600))
    })
    return try #require(await start.finished().value)
  }

  private func search(_ server: LocalServer, clock: any Clock<Duration> = ContinuousClock()) -> PeopleSearch {
    var settings = Gallery.Settings(server: server.address, output: URL(filePath: "/nowhere"))
    settings.retry.backoff = .none
    return PeopleSearch(settings, pause: .milliseconds(1), clock: clock)
  }

  @Test func `a newer text cancels the running search for an older one`() async throws {
    let reached = Latch()
    let server = try await makeServer(reached: reached)
    let search = search(server)
    let first = search.people(named: "a", session: "s", number: 1)
    await reached.opened()
    let second = search.people(named: "ada", session: "s", number: 2)
    #expect(await first.finished() == .cancelled)
    #expect(await second.finished() == .value([Self.ada]))
    server.stop()
  }

  @Test func `a text that arrives after a newer one is not searched`() async throws {
    let server = try await makeServer()
    let search = search(server)
    let second = search.people(named: "ada", session: "s", number: 2)
    #expect(await search.people(named: "ad", session: "s", number: 1).finished() == .cancelled)
    #expect(await second.finished() == .value([Self.ada]))
    #expect(asked.elements == ["ada"])
    server.stop()
  }

  @Test func `texts in quick succession cause one search`() async throws {
    let server = try await makeServer()
    let search = search(server, clock: clock)
    let searches = ["a", "ad", "ada"].enumerated().map { index, text in
      search.people(named: text, session: "s", number: index + 1)
    }
    #expect(asked.elements.isEmpty)
    clock.endAllSleeps()
    #expect(await searches[0].finished() == .cancelled)
    #expect(await searches[1].finished() == .cancelled)
    #expect(await searches[2].finished() == .value([Self.ada]))
    #expect(asked.elements == ["ada"])
    server.stop()
  }

  @Test func `a session that leaves a shared request does not cancel it`() async throws {
    let (reached, answer) = (Latch(), Latch())
    let start = DemoServer.start(searching: { [asked] text in
      asked.record(text)
      guard text == "ada" else { return }
      reached.arrive()
      await answer.opened()
    })
    let server = try #require(await start.finished().value)
    let search = search(server)
    let shared = ["s", "t"].map { search.people(named: "ada", session: $0, number: 1) }
    await reached.opened()
    let other = search.people(named: "grace", session: "s", number: 2)
    #expect(await shared[0].finished() == .cancelled)
    #expect(await other.finished().value?.map(\.name) == ["Grace Hopper"])
    answer.arrive()
    #expect(await shared[1].finished() == .value([Self.ada]))
    #expect(asked.elements == ["ada", "grace"])
    server.stop()
  }

  @Test func `an avatar that is refused at first is retried, and loaded once`() async throws {
    let visits = Recorder<Int>()
    let start = DemoServer.start(behaviour: { visit in
      visits.record(visit.picture)
      return visit.number == 1 ? .status(503) : .picture
    })
    let server = try #require(await start.finished().value)
    let search = search(server)
    for _ in 1...2 {
      #expect(await search.avatar("1.png").finished().value == Avatar(name: "Ada Lovelace").png)
    }
    #expect(visits.elements == [1, 1])
    server.stop()
  }
}
