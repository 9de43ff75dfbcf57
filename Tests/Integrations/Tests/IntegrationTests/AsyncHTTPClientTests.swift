import AsyncHTTPClient
import Foundation
import LoopbackServer
import NIOCore
import Overmorrow
import OvermorrowAsyncHTTPClient
import OvermorrowFlow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

/// A session whose requests go through AsyncHTTPClient, against a real server.
@Suite(.timeLimit(.minutes(5))) struct AsyncHTTPClientTests {
  private let session = NetworkSession(transport: AsyncHTTPClientTransport(HTTPClient.shared))

  private func file(_ name: String = UUID().uuidString) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("overmorrow-\(name)")
  }

  /// The code of a connection error; `nil` for other errors.
  private func code(of error: NetworkError?) -> URLError.Code? {
    guard case .connection(let reason)? = error else { return nil }
    return reason.code
  }

  @Test("19.2 requests and responses carry their method or status, fields and body")
  func fetch() async throws {
    let server = try TestServer { connection in
      connection.reply(
        "201 Created", ["A: b", "A: c"],
        Data("\(connection.method) \(connection.headers["x"] ?? "") ".utf8) + connection.body())
    }
    let response = await expectFulfilled(
      session.fetch(server.address(), method: .post, headers: ["X": "y"], body: Data("Ada".utf8)), within: waitLimit)
    #expect(response?.statusCode == 201 && response?.text == "POST y Ada")
    #expect(response?.header("a") == "b, c" && response?.url?.absoluteString == server.address())
  }

  @Test("19.2 a download is retried after a busy server and after a lost connection")
  func download() async throws {
    let attempts = Tally()
    let server = try TestServer { connection in
      attempts.add()
      if attempts.value == 1 { return connection.reply("503 Service Unavailable", ["Retry-After: 0"], Data(count: 9)) }
      connection.begin(of: 1_000_000, Data(repeating: 1, count: attempts.value == 2 ? 600_000 : 1_000_000))
    }
    let (file, task, steps) = (file(), NetworkTask(), Recorder<PromiseProgress.Step>())
    defer { try? FileManager.default.removeItem(at: file) }
    task.bytes.onProgress(on: .immediate) { steps.record($0) }
    let response = session.download(server.address(), to: file, retry: .http(backoff: .none), task: task)
    #expect(await expectFulfilled(response, within: waitLimit)?.location == file)
    #expect(try Data(contentsOf: file) == Data(repeating: 1, count: 1_000_000) && attempts.value == 3)
    let completed = await steps.entries.map(\.completed)
    #expect(completed == completed.sorted() && completed.last == 1_000_000)
  }

  @Test("19.2 a file is uploaded part by part, and its progress ends at its size")
  func upload() async throws {
    let server = try TestServer { connection in
      let length = connection.headers["content-length"] ?? "none"
      connection.reply("200 OK", [], Data("\(connection.method) \(length) \(connection.body().count)".utf8))
    }
    let (file, task) = (file(), NetworkTask())
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(count: 300_000).write(to: file)
    let response = session.upload(.file(file), to: server.address(), method: .put, task: task)
    #expect(await expectFulfilled(response, within: waitLimit)?.text == "PUT 300000 300000")
    #expect(task.bytes.current.completed == 300_000)
  }

  /// Makes a server that redirects to `/there`, and answers there with the method, the body's length and a secret.
  private func redirecting(_ status: String, to host: String = "127.0.0.1") throws -> TestServer {
    let last = try TestServer { connection in
      let length = connection.body().count
      connection.reply("200 OK", [], Data("\(connection.method) \(length) \(connection.headers["cookie"] ?? "-")".utf8))
    }
    return try TestServer { connection in
      _ = connection.body()
      connection.reply(status, ["Location: http://\(host):\(last.port)/there"])
    }
  }

  @Test(
    "10.8 19.2 a redirection that keeps the method sends data or a file again",
    arguments: ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"], [HTTPMethod.put, .post])
  func redirection(status: String, method: HTTPMethod) async throws {
    let (server, file) = (try redirecting(status), file())
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(count: 200_000).write(to: file)
    let keepsMethod = method == .put || status.hasPrefix("307") || status.hasPrefix("308")
    for source in [UploadSource.data(Data(count: 200_000)), .file(file)] {
      let task = NetworkTask()
      let response = session.upload(source, to: server.address(), method: method, task: task)
      let text = await expectFulfilled(response, within: waitLimit)?.text
      #expect(text == (keepsMethod ? "\(method.rawValue) 200000 -" : "GET 0 -"))
      #expect(task.bytes.current.completed == 200_000)
    }
    #expect(server.count == 2)
  }

  @Test(
    "10.13 19.2 a body that is sent again to another server lacks secret fields", arguments: ["127.0.0.1", "localhost"])
  func redirectionToOtherServer(host: String) async throws {
    let last = try redirecting("307 Temporary", to: host)
    let response = session.fetch(last.address(), method: .put, headers: ["Cookie": "a=1"], body: Data("Ada".utf8))
    // Another port is another server.
    #expect(await expectFulfilled(response, within: waitLimit)?.text == "PUT 3 -")
    let same = try TestServer { connection in
      _ = connection.body()
      if connection.path == "/" { return connection.reply("308 Permanent", ["Location: there"]) }
      connection.reply("200 OK", [], Data((connection.headers["cookie"] ?? "-").utf8))
    }
    let again = session.fetch(same.address(), method: .put, headers: ["Cookie": "a=1"], body: Data("Ada".utf8))
    #expect(await expectFulfilled(again, within: waitLimit)?.text == "a=1")
  }

  @Test("10.8 19.2 a transport that follows no redirections returns them, and a cycle ends")
  func noRedirection() async throws {
    let server = try TestServer { connection in
      _ = connection.body()
      connection.reply("307 Temporary", ["Location: /"])
    }
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(configuration: configuration)
    for (follows, count) in [(false, 1), (true, 1 + 17)] {
      let session = NetworkSession(transport: AsyncHTTPClientTransport(client, followsRedirections: follows))
      let response = session.fetch(server.address(), method: .put, body: Data("Ada".utf8))
      #expect(await expectFulfilled(response, within: waitLimit)?.statusCode == 307)
      #expect(server.count == count)
    }
    try await client.shutdown()
  }

  @Test("10.20 19.2 a cut body in chunks is a lost connection, a malformed one not")
  func cutChunks() async throws {
    for (body, reason) in [
      ("5\r\nhello\r\nff\r\n wor", URLError.Code.networkConnectionLost), ("zz\r\n", .cannotParseResponse),
    ] {
      let server = try TestServer { connection in
        connection.sendHead("200 OK", ["Transfer-Encoding: chunked"])
        connection.send(body)
      }
      let error = await expectRejected(session.fetch(server.address()), within: waitLimit) as? NetworkError
      #expect(code(of: error) == reason && error?.isTransient == (reason == .networkConnectionLost))
    }
  }

  @Test("10.31 10.33 19.2 a response that asks for credentials has all its fields")
  func responses() async throws {
    let fields = [
      "WWW-Authenticate: Bearer", "Cache-Control: a", "cache-control: b",
      "Cache-Control: c",
    ]
    let server = try TestServer.answering("401 Unauthorized", fields, "denied")
    let response = await expectFulfilled(session.fetch(server.address(), retry: .http()), within: waitLimit)
    #expect(response?.statusCode == 401 && response?.text == "denied")
    #expect(response?.header("cache-control") == "a, b, c" && server.count == 1)
  }

  @Test("19.2 a request to cancel closes the connection")
  func cancel() async throws {
    let (begun, closed) = (Work<Void, Never>(), Work<Void, Never>())
    let server = try TestServer { connection in
      connection.begin(of: 1_000_000, Data(count: 10_000))
      connection.waitForClose()
      closed.resolver.fulfill(with: ())
    }
    let response = session.fetch(server.address()) { _, _ in begun.resolver.fulfill(with: ()) }
    await expectFulfilled(begun.promise, within: waitLimit)
    response.requestCancel()
    await expectCancelled(response, within: waitLimit)
    await expectFulfilled(closed.promise, within: waitLimit)
  }

  @Test("19.2 a response that cannot be written to its file closes the connection")
  func unwritable() async throws {
    let closed = Work<Void, Never>()
    let server = try TestServer { connection in
      connection.sendHead("200 OK")
      while connection.send(Data(count: 10_000)) {}
      closed.resolver.fulfill(with: ())
    }
    let error =
      await expectRejected(
        session.download(server.address(), to: file("missing/file")), within: waitLimit) as? NetworkError
    if case .file? = error {} else { Issue.record("the error is \(error.map { "\($0)" } ?? "missing")") }
    await expectFulfilled(closed.promise, within: waitLimit)
  }

  @Test("19.2 a time limit of the transport fails as a connection that timed out")
  func timeout() async throws {
    let server = try TestServer { $0.waitForClose() }
    let session = NetworkSession(transport: AsyncHTTPClientTransport(HTTPClient.shared, timeout: .milliseconds(50)))
    let error = await expectRejected(session.fetch(server.address()), within: waitLimit) as? NetworkError
    #expect(code(of: error) == .timedOut && error?.isTransient == true)
  }

  @Test("19.2 a refused connection is a transient error", arguments: ["127.0.0.1", "localhost"])
  func refusal(host: String) async throws {
    let client = HTTPClient(configuration: HTTPClient.Configuration(timeout: .init(connect: .milliseconds(100))))
    let server = try TestServer { $0.close() }
    server.stop()
    let address = server.address().replacingOccurrences(of: "127.0.0.1", with: host)
    let response = NetworkSession(transport: AsyncHTTPClientTransport(client)).fetch(address)
    let error = await expectRejected(response, within: waitLimit) as? NetworkError
    try await client.shutdown()
    #expect(code(of: error) == .cannotConnectToHost && error?.isTransient == true)
  }
}
