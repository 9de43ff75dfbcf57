import Foundation
import Overmorrow
import OvermorrowFoundation
import TestSupport
import Testing

/// The failures of fetches and downloads.
@Suite(.inTurn) struct NetworkFailureTests {
  enum Form: CaseIterable {
    case fetch, download
  }

  /// Returns the error of a request, and checks that a download leaves no file in its folder.
  private func failure(
    _ form: Form, _ address: String, headers: [String: String] = [:], timeout: TimeInterval? = nil
  ) async throws -> NetworkError? {
    let folder = try TemporaryFolder()
    let configuration = URLSessionConfiguration.ephemeral
    if let timeout { configuration.timeoutIntervalForRequest = timeout }
    let session = timeout == nil ? .shared : NetworkSession(configuration: configuration)
    let response =
      switch form {
      case .fetch: session.fetch(address, headers: headers)
      case .download: session.download(address, to: folder.file("it"), headers: headers)
      }
    let error = await expectError(response)
    #expect(folder.names == [])
    return error
  }

  @Test(
    "10.3 a bad address is an error that names it",
    arguments: ["", "no address", "file:///etc/passwd", "http://", "ftp://example.org/", "http:///path"])
  func badAddress(address: String) async throws {
    for form in Form.allCases {
      let error = try await failure(form, address)
      #expect(error?.name == "badAddress" && error?.description.contains("“\(address)”") == true)
    }
  }

  @Test("10.7 a header field that would inject another field is an error")
  func badHeader() async throws {
    for headers in [["X-A": "1\r\nX-B: 2"], ["X A": "1"], ["": "1"], ["X-A\n": "1"]] {
      #expect(try await failure(.fetch, "http://127.0.0.1:9/", headers: headers)?.name == "badHeader")
    }
  }

  @Test("10.7 a line break in a field of the configuration is an error naming it", arguments: ["\r\n", "\n", "\r"])
  func lineBreak(_ end: String) async throws {
    let server = try TestServer.answering("200 OK")
    let configuration = patientConfiguration
    configuration.httpAdditionalHeaders = ["X-Made": "a\(end)X-Smuggled: b"]
    let error = await expectError(NetworkSession(configuration: configuration).fetch(server.address()))
    #expect(error?.name == "badHeader" && error?.description.contains("“X-Made”") == true)
    #expect(server.count == 0)
  }

  @Test("10.3 a refused connection is an error", arguments: Form.allCases)
  func refused(form: Form) async throws {
    let server = try TestServer { _ in }
    let address = server.address()
    server.stop()
    #expect(try await failure(form, address)?.code == .cannotConnectToHost)
  }

  @Test("10.3 a body that is cut short is an error", arguments: Form.allCases)
  func cut(form: Form) async throws {
    let server = try TestServer { $0.begin(of: 100_000, Data(repeating: 1, count: 40_000)) }
    let error = try await failure(form, server.address())
    #expect(error?.description.hasSuffix(" of 100000 bytes.") == true)
    #expect(error?.isTransient == true)
  }

  @Test(
    "10.3 10.20 a body in chunks that is cut is a lost connection",
    arguments: ["", "5\r\nhello\r\n", "5\r\nhello\r\nff\r\n wor"], Form.allCases)
  func cutChunks(body: String, form: Form) async throws {
    let server = try TestServer { connection in
      connection.sendHead("200 OK", ["Transfer-Encoding: chunked"])
      connection.send(body)
    }
    let error = try await failure(form, server.address())
    #expect(error?.code == .networkConnectionLost && error?.isTransient == true)
  }

  @Test("10.3 a body in chunks that are malformed is not a transient error")
  func badChunks() async throws {
    let server = try TestServer { connection in
      connection.sendHead("200 OK", ["Transfer-Encoding: chunked"])
      connection.send("zz\r\nhello\r\n0\r\n\r\n")
    }
    #expect(try await failure(.fetch, server.address())?.isTransient == false)
  }

  #if canImport(FoundationNetworking)
    @Test("10.32 a response that Foundation may be unable to read fails with an error")
    func unreadable() async throws {
      let (begun, closed) = (Signal(), Signal())
      let server = try TestServer.hanging(begun, closed) { $0.sendHead("200 OK", ["Trailer: X-Sum"]) }
      let error = try await failure(.download, server.address())
      #expect(error?.code == .cannotParseResponse && error?.description.contains("HTTPTransport") == true)
      #expect(error?.isTransient == false)
      await closed.wait()
      let answer = StubTransport.Answer.response(HTTPResponse(headers: ["Trailer": "X-Sum"], body: Data("fine".utf8)))
      let session = NetworkSession(transport: StubTransport(["GET \(server.address())": [answer]]))
      #expect(await expectAnswer(session.fetch(server.address()))?.text == "fine")
    }
  #endif

  @Test(
    "10.3 a server that disconnects early or does not speak HTTP gives an error",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\nff\r\n wor",
      "220 hello\r\n",
    ], Form.allCases)
  func noAnswer(text: String, form: Form) async throws {
    let server = try TestServer { $0.send(text) }
    _ = try await failure(form, server.address())
  }

  @Test("10.3 https to a server without TLS is an error", arguments: Form.allCases)
  func noTLS(form: Form) async throws {
    let server = try TestServer.answering("200 OK")
    #expect(try await failure(form, "https://127.0.0.1:\(server.port)/")?.name == "connection")
  }

  @Test("10.3 a server that is silent for too long gives an error", arguments: Form.allCases)
  func slow(form: Form) async throws {
    let server = try TestServer { connection in
      connection.begin(of: 100, Data("a little".utf8))
      connection.waitForClose()
    }
    #expect(try await failure(form, server.address(), timeout: 1)?.code == .timedOut)
  }

  @Test(
    "10.28 a time limit that Foundation cannot use is an error that names it",
    arguments: [TimeInterval.infinity, .nan, -.infinity, 1e300], [true, false])
  func badTimeout(seconds: TimeInterval, isOfRequest: Bool) async throws {
    let server = try TestServer.answering("200 OK")
    let configuration = patientConfiguration
    var request = URLRequest(url: try #require(URL(string: server.address())))
    if isOfRequest { request.timeoutInterval = seconds } else { configuration.timeoutIntervalForRequest = seconds }
    let response = NetworkSession(configuration: configuration).fetch(request)
    #if canImport(FoundationNetworking)
      let error = await expectError(response)
      #expect(error?.name == "badTimeout" && error?.description.contains("“\(seconds)”") == true)
      #expect(server.count == 0)
    #else
      _ = await response.outcome()
    #endif
  }

  @Test("10.28 a body with GET is an error that says so")
  func bodyOfGet() async throws {
    let server = try TestServer.answering("200 OK")
    var request = URLRequest(url: try #require(URL(string: server.address())))
    request.httpBody = Data("Ada".utf8)
    for response in [
      patientSession.fetch(request), patientSession.fetch(server.address(), method: .get, body: Data("Ada".utf8)),
      patientSession.upload(.data(Data("Ada".utf8)), to: server.address(), method: .get),
    ] {
      #expect(await expectError(response)?.description == "A GET request cannot have a body. Pass another method.")
    }
    #expect(server.count == 0)
  }

  @Test("10.15 a slow body ends when the time limit for the whole transfer has passed")
  func trickle() async throws {
    let (connections, hasGoneAway) = (Counter(), Signal())
    let server = try TestServer { connection in
      connections.increment()
      connection.sendHead("200 OK", ["Content-Length: 1000000"])
      // This sleep sets the pace of the body, which is what is tested.
      while connection.send("x") { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20)) }
      hasGoneAway.send()
    }
    let configuration = patientConfiguration
    configuration.timeoutIntervalForResource = 0.5
    // On a busy machine, the limit may pass before the client has connected. Then there is no body to end.
    for _ in 1...20 where connections.count == 0 {
      let error = await expectError(NetworkSession(configuration: configuration).fetch(server.address()))
      #expect(error?.code == .timedOut)
    }
    await hasGoneAway.wait()
  }
}
