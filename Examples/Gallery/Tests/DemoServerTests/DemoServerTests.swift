import Foundation
import Overmorrow
import TestSupport
import Testing

@testable import DemoServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct DemoServerTests {
  private static func get(_ path: String, from server: LocalServer) async throws -> (status: Int?, body: Data) {
    let (body, response) = try await URLSession.shared.data(from: server.address.appending(path: path))
    return ((response as? HTTPURLResponse)?.statusCode, body)
  }

  @Test func `the server lists the given number of users, each with a picture's path`() async throws {
    let server = try #require(await DemoServer.start(pictures: 3).finished().value)
    defer { server.stop() }
    let (status, body) = try await Self.get("users", from: server)
    #expect(status == 200)
    let users = try #require(try JSONSerialization.jsonObject(with: body) as? [[String: Any]])
    #expect(users.compactMap { $0["avatar"] as? String } == ["/avatars/1.png", "/avatars/2.png", "/avatars/3.png"])
    #expect(users.compactMap { $0["name"] as? String } == ["Ada Lovelace", "Alan Turing", "Grace Hopper"])
  }

  @Test func `the behaviour determines the answer to each visit of a picture`() async throws {
    let start = DemoServer.start(pictures: 2) { visit in
      switch (visit.picture, visit.number) {
      case (1, 1): .status(503)
      case (2, _): .body(Data("nothing".utf8))
      default: .picture
      }
    }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    #expect(try await Self.get("avatars/1.png", from: server).status == 503)
    #expect(try await Self.get("avatars/1.png", from: server).body == Avatar(name: "Ada Lovelace").png)
    #expect(try await Self.get("avatars/2.png", from: server).body == Data("nothing".utf8))
  }

  @Test(arguments: ["avatars/3.png", "avatars/1.gif", "avatars/x.png", "elsewhere"])
  func `other paths give the status 404`(path: String) async throws {
    let server = try #require(await DemoServer.start(pictures: 2).finished().value)
    defer { server.stop() }
    #expect(try await Self.get(path, from: server).status == 404)
  }

  @Test(arguments: [
    ("ada", ["Ada Lovelace"]), ("AL", ["Alan Turing", "Donald Knuth"]), ("sparck", []), ("", nil),
  ])
  func `a list can be filtered by a part of the name, ignoring case`(
    text: String, names: [String]?
  ) async throws {
    let start = DemoServer.start(pictures: 8, searching: { _ in })
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    let address = server.address.appending(path: "users").appending(queryItems: [.init(name: "name", value: text)])
    let (body, _) = try await URLSession.shared.data(from: address)
    let users = try #require(try JSONSerialization.jsonObject(with: body) as? [[String: Any]])
    #expect(users.compactMap { $0["name"] as? String } == names ?? Person.list(of: 8).map(\.name))
  }

  @Test func `a port in use is an error`() async throws {
    let server = try #require(await LocalServer.start { _ in }.finished().value)
    defer { server.stop() }
    let port = try #require(server.address.port.flatMap(UInt16.init(exactly:)))
    let error = await LocalServer.start(port: port) { _ in }.finished().error
    #expect("\(try #require(error))".contains("Address already in use"))
  }

  @Test func `by default, four pictures are refused twice, and every fifth is slow`() {
    let pictures = 1...30
    for number in [1, 2, 4, 5] {
      let busy = pictures.filter { DemoServer.isBusy(for: .init(picture: $0, number: number)) }
      #expect(busy == [4, 11, 18, 25])
    }
    #expect(!pictures.contains { DemoServer.isBusy(for: .init(picture: $0, number: 3)) })

    let slow = pictures.filter { DemoServer.latency(of: .init(picture: $0, number: 3)) > .milliseconds(400) }
    #expect(slow == [5, 10, 15, 20, 25, 30])
  }
}
