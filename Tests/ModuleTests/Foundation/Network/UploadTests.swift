import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

@Suite(.inTurn) struct UploadTests {
  /// Makes a server that answers with the method and the body.
  private static func echo() throws -> TestServer {
    try TestServer { $0.reply("200 OK", [], Data("\($0.method) ".utf8) + $0.body()) }
  }

  private static let bytes = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 5) })

  @Test(
    "10.1 data and files are uploaded unchanged, by POST by default",
    arguments: [true, false], [nil, HTTPMethod.put])
  func upload(fromFile: Bool, method: HTTPMethod?) async throws {
    let (folder, server, log) = (try TemporaryFolder(), try Self.echo(), Recorder<Step>())
    let data = method == nil ? Data() : Self.bytes
    try data.write(to: folder.file("it"))
    let source = fromFile ? UploadSource.file(folder.file("it")) : .data(data)
    let upload = patientSession.upload(source, to: server.address(), method: method) { log.record(Step($0, $1)) }
    #expect(await expectAnswer(upload)?.data == Data((method == nil ? "POST " : "PUT ").utf8) + data)
    log.expectRise(to: data.count)
    #expect(folder.names == ["it"])
  }

  @Test("10.2 cancelling an upload from a file at any moment closes its connection", arguments: [1, 20, 40])
  func cancelled(megabytes: Int) async throws {
    let folder = try TemporaryFolder()
    let film = folder.file("film")
    try Data(count: megabytes << 20).write(to: film)
    for round in 0..<10 {
      let (begun, closed) = (Signal(), Signal())
      let server = try TestServer { connection in
        begun.send()
        // Reads everything until the peer has disconnected.
        _ = connection.readBody { _ in }
        connection.waitForClose()
        closed.send()
      }
      let some = Signal()
      let upload = patientSession.upload(.file(film), to: server.address()) { sent, _ in
        if sent >= Int64(megabytes << 20) * Int64(round) / 10 { some.send() }
      }
      await begun.wait()
      await some.wait()
      upload.requestCancel()
      expectCancelled(upload)
      await closed.wait()
    }
  }

  @Test(
    "10.8 a redirection that keeps the method sends the body again, and others send none",
    arguments: [
      (HTTPMethod.put, "301 Moved Permanently", "PUT"), (.put, "302 Found", "PUT"), (.put, "303 See Other", "GET"),
      (.put, "307 Temporary Redirect", "PUT"), (.post, "302 Found", "GET"), (.post, "308 Permanent Redirect", "POST"),
    ])
  func redirected(method: HTTPMethod, status: String, next: String) async throws {
    let folder = try TemporaryFolder()
    try Self.bytes.write(to: folder.file("it"))
    let server = try TestServer { connection in
      var count = 0
      guard connection.readBody({ count += $0.count }) else { return }
      let type = connection.headers["content-type"] ?? "none"
      switch connection.path {
      case "/end": connection.reply("200 OK", [], Data("\(connection.method) \(type) \(count)".utf8))
      default: connection.reply(status, ["Location: /end"])
      }
    }
    let (address, headers) = (server.address(), ["Content-Type": "text/plain"])
    let answers = [
      patientSession.upload(.file(folder.file("it")), to: address, method: method, headers: headers),
      patientSession.upload(.data(Self.bytes), to: address, method: method, headers: headers),
      patientSession.fetch(address, method: method, headers: headers, body: Self.bytes),
    ]
    let expected = next == "GET" ? "GET none 0" : "\(next) text/plain \(Self.bytes.count)"
    for answer in answers { #expect(await expectAnswer(answer)?.text == expected) }
  }

  @Test("10.3 an unreadable file gives an error that names it, and nothing is sent")
  func missingFile() async throws {
    let folder = try TemporaryFolder()
    let server = try Self.echo()
    let (session, address) = (patientSession, server.address())
    for film in [folder.file("missing"), folder.url] {
      let upload = session.upload(.file(film), to: address, method: .put)
      #expect(await expectError(upload)?.description.hasPrefix("The file \(film.path) cannot be used") == true)
    }
    #expect(server.count == 0)
  }

  @Test("10.3 a server that closes the connection during an upload gives an error")
  func hangUp() async throws {
    let server = try TestServer { _ in }
    await expectError(patientSession.upload(.data(Data(count: 20 << 20)), to: server.address()))
  }
}
