import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// Requests and responses that nearly are what they should be.
@Suite(.inTurn) struct NetworkOddityTests {
  @Test("10.7 a line break in a field of the configuration is an error that names it", arguments: ["\r\n", "\n", "\r"])
  func lineBreak(_ end: String) async throws {
    let server = try TestServer.answering("200 OK")
    let configuration = patientConfiguration
    configuration.httpAdditionalHeaders = ["X-Made": "a\(end)X-Smuggled: b"]
    let error = await expectError(NetworkSession(configuration: configuration).fetch(server.address()))
    #expect(error?.name == "badHeader" && error?.description.contains("“X-Made”") == true)
    #expect(server.count == 0)
  }

  @Test("10.14 the scheme of an address may be in upper case")
  func upperCase() async throws {
    let server = try TestServer.answering("200 OK", [], "here")
    let address = "HTTP://127.0.0.1:\(server.port)/a?b=C"
    let response = await expectAnswer(patientSession.fetch(address))
    #expect(response?.text == "here")
    let request = URLRequest(url: try #require(URL(string: address)))
    let other = await expectAnswer(patientSession.fetch(request))
    #expect(other?.url?.query == "b=C")
  }

  @Test("10.15 a body that trickles ends with the time that the configuration allows for all of it")
  func trickle() async throws {
    let hasGoneAway = Signal()
    let server = try TestServer { connection in
      connection.sendHead("200 OK", ["Content-Length: 1000000"])
      // Its pace is what this is about.
      while connection.send("x") { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20)) }
      hasGoneAway.send()
    }
    let configuration = patientConfiguration
    configuration.timeoutIntervalForResource = 0.5
    let error = await expectError(NetworkSession(configuration: configuration).fetch(server.address()))
    #expect(error?.code == .timedOut)
    await hasGoneAway.wait()
  }

  @Test("10.16 a part that nobody has asked for does not replace a file")
  func unaskedPart() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("it")
    try Data("old".utf8).write(to: file)
    let server = try TestServer { $0.reply("206 Partial Content", ["Content-Range: bytes 2-3/9"], Data("ne".utf8)) }
    let error = await expectError(patientSession.download(server.address(), to: file))
    #expect(error?.code == .badServerResponse)
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
    let asked = patientSession.download(server.address(), to: file, headers: ["Range": "bytes=2-3"])
    await expectAnswer(asked)
    #expect(try String(contentsOf: file, encoding: .utf8) == "ne")
    #expect(folder.names == ["it"])
  }
}
