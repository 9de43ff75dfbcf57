import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

@Suite(.inTurn) struct DownloadTests {
  @Test("10.1 10.4 a download is in its place before the callback, and nothing else is")
  func download() async throws {
    let folder = try TemporaryFolder()
    let body = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let server = try TestServer { $0.reply("200 OK", [], body) }
    let log = Recorder<Step>()
    let file = folder.file("it.bin")
    let seen = patientSession.download(server.address(), to: file) { log.record(Step($0, $1)) }
      .map(on: .immediate) { response throws in try Data(contentsOf: #require(response.location)) }
    #expect(await expectAnswer(seen) == body)
    #expect(folder.names == ["it.bin"])
    #expect(log.entries.allSatisfy { $0.total == 2_000_000 } && log.entries.last == Step(2_000_000, 2_000_000))
  }

  @Test("10.4 a download replaces the file that was there; one that fails leaves it as it was")
  func replaces() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("it")
    try Data("old".utf8).write(to: file)
    let server = try TestServer { connection in
      connection.begin(of: connection.path == "/cut" ? 100 : 3, Data("new".utf8))
    }
    await expectError(patientSession.download(server.address("/cut"), to: file))
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
    await expectAnswer(patientSession.download(server.address("/"), to: file))
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
    #expect(folder.names == ["it"])
  }

  @Test(
    "10.3 a download with a bad status touches no file, and keeps what the server said, or the beginning of that",
    arguments: [("404 Not Found", 13), ("500 Oops", 5 << 20)])
  func badStatus(status: String, size: Int) async throws {
    let folder = try TemporaryFolder()
    let body = Data(repeating: 65, count: size)
    let server = try TestServer { $0.reply(status, [], body) }
    let response = await expectAnswer(patientSession.download(server.address(), to: folder.file("it")))
    #expect(response?.isOK == false && response?.location == nil)
    #expect(response?.data == body.prefix(1 << 20))
    #expect(folder.names == [])
  }

  @Test("10.4 an empty download is an empty file")
  func empty() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer { $0.sendHead("204 No Content") }
    await expectAnswer(patientSession.download(server.address(), to: folder.file("it")))
    #expect(try Data(contentsOf: folder.file("it")).isEmpty)
    #expect(folder.names == ["it"])
  }

  @Test("10.3 a place that cannot be written to is an error that names it")
  func badPlace() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer.answering("200 OK", [], "here")
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: true)
    for place in [folder.file("missing/it"), folder.file("folder")] {
      let error = await expectError(patientSession.download(server.address(), to: place))
      #expect(error?.description.hasPrefix("The file \(place.path) cannot be used") == true)
    }
    #expect(folder.names == ["folder"])
  }
}
