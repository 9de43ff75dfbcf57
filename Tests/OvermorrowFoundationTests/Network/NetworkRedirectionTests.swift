import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// The parts of a request that a redirection carries to another server, and those that it omits.
@Suite(.inTurn) struct NetworkRedirectionTests {
  @Test(
    "10.13 a redirection to another server omits secret fields, to the same server none",
    arguments: ["127.0.0.1", "localhost", nil])
  func secrets(otherHost: String?) async throws {
    let last = try TestServer.redirecting { connection in
      connection.reply("200 OK", [], Data(connection.headers.map { "\($0.key): \($0.value)\n" }.joined().utf8))
    }
    let other = try otherHost.map { host in
      try TestServer { $0.reply("302 Found", ["Location: http://\(host):\(last.port)/there"]) }
    }
    let configuration = patientConfiguration
    configuration.httpAdditionalHeaders = ["Authorization": "Basic 1", "X-Plain": "plain"]
    let session = NetworkSession(configuration: configuration, secretHeaders: ["X-Key"])
    let headers = ["Cookie": "a=1", "x-key": "2", "X-Other": "3"]
    let response = session.fetch((other ?? last).address(), headers: headers)
    let head = try #require(await expectAnswer(response)?.text)
    for secret in ["authorization", "cookie", "x-key"] {
      #expect(head.contains(secret) == (otherHost == nil), "\(head)")
    }
    #expect(head.contains("x-plain: plain") && head.contains("x-other: 3"), "\(head)")
  }

  @Test("10.1 10.8 a redirection is followed, and the result has the last answer's body")
  func followed() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer.redirecting { $0.reply("200 OK", [], Data("here".utf8)) }
    let response = await expectAnswer(patientSession.fetch(server.address("/old")))
    #expect(response?.text == "here" && response?.url?.path == "/there")
    await expectAnswer(patientSession.download(server.address("/old"), to: folder.file("it")))
    #expect(try String(contentsOf: folder.file("it"), encoding: .utf8) == "here")
    #expect(folder.names == ["it"])
  }

  @Test("10.8 a redirection without a target is an error")
  func redirectedNowhere() async throws {
    let server = try TestServer { $0.reply("302 Found", [], Data("where?".utf8)) }
    #expect(await expectError(patientSession.fetch(server.address()))?.code == .badServerResponse)
  }
}
