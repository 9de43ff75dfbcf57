import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// How a download takes the place of a file.
@Suite(.inTurn) struct DownloadReplacingTests {
  @Test("10.4 a file is there in each moment of its being replaced, by several downloads at once")
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

  @Test("10.4 the new file has the permissions of the old one, also while it grows", arguments: [0o600, 0o444])
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

  @Test("10.4 a symbolic link stays, and what it leads to is made or replaced", arguments: [true, false])
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
    "10.4 a name may be as long as names can be",
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
