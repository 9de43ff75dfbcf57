import Foundation
import Overmorrow
import OvermorrowEngine
import OvermorrowFoundation
import Testing

@Suite(.inTurn) struct DownloadTests {
  @Test(
    "10.1 10.4 a download is at its destination before the callback runs, without other files",
    arguments: [2_000_000, 0])
  func download(size: Int) async throws {
    let folder = try TemporaryFolder()
    let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let server = try TestServer { size == 0 ? $0.sendHead("204 No Content") : $0.reply("200 OK", [], body) }
    let log = Recorder<Step>()
    let file = folder.file("it.bin")
    let seen = patientSession.download(server.address(), to: file) { log.record(Step($0, $1)) }
      .map(on: .immediate) { response throws in try Data(contentsOf: #require(response.location)) }
    #expect(await expectAnswer(seen) == body)
    #expect(folder.names == ["it.bin"])
    #expect(log.entries.last == Step(Int64(size), Int64(size)))
    #expect(size == 0 || log.entries.allSatisfy { $0.total == Int64(size) })
  }

  @Test("10.4 a download replaces the existing file, and a failed download leaves it unchanged")
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
    "10.3 a download with an error status touches no file and keeps the body's beginning",
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

  @Test("10.3 a destination that cannot be written to gives an error that names it")
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

  @Test("10.16 an unrequested partial response does not replace a file")
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

  // MARK: Replacing a file

  @Test("10.4 a file exists at every moment while several downloads replace it")
  func isAlwaysThere() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("it")
    try Data("old".utf8).write(to: file)
    let server = try TestServer.answering("200 OK", [], "new")
    let isOver = Guarded(false)
    let missed = Tally()
    let hasLooked = Signal()
    Thread {
      while !isOver.withLock({ $0 }) { if !FileManager.default.fileExists(atPath: file.path) { missed.add() } }
      hasLooked.send()
    }.start()
    for _ in 0..<20 {
      let downloads = (0..<8).map { _ in patientSession.download(server.address(), to: file) }
      for download in downloads { await expectAnswer(download) }
    }
    isOver.withLock { $0 = true }
    await hasLooked.wait()
    #expect(missed.value == 0)
    #expect(folder.names == ["it"])
  }

  @Test("10.4 the new file has the old one's permissions, even while it is written", arguments: [0o600, 0o444])
  func keepsPermissions(permissions: Int) async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("it")
    try Data("old".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
    let (hasBegun, seen) = (Signal(), Recorder<Int?>())
    let server = try TestServer { connection in
      connection.begin(of: 6, Data("new".utf8))
      hasBegun.block()
      connection.send("new")
    }
    let response = patientSession.download(server.address(), to: file) { count, _ in
      if count == 3 { for name in folder.names { seen.record(Self.permissions(of: folder.file(name))) } }
      if count >= 3 { hasBegun.send() }
    }
    await expectAnswer(response)
    #expect(seen.entries == [permissions, permissions])
    #expect(Self.permissions(of: file) == permissions)
  }

  private static func permissions(of file: URL) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test("10.4 a symbolic link stays, and its target is created or replaced", arguments: [true, false])
  func followsLinks(isThere: Bool) async throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.file("it"), folder.file("link"))
    if isThere { try Data("old".utf8).write(to: file) }
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let server = try TestServer.answering("200 OK", [], "new")
    let response = await expectAnswer(patientSession.download(server.address(), to: link))
    #expect(response?.location == link)
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    #expect(folder.names == ["it", "link"])
  }

  @Test(
    "10.4 a destination's name may have the maximum length",
    arguments: [
      String(repeating: "n", count: 255), String(repeating: "ü", count: 127), String(repeating: "🗂", count: 63),
    ])
  func longName(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer.answering("200 OK", [], "new")
    for _ in 0..<2 {
      await expectAnswer(patientSession.download(server.address(), to: folder.file(name)))
    }
    #expect(folder.names == [name])
  }
}
